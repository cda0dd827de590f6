import { expect, test } from 'vitest'
import type { Asset } from '../../../contract/assets.ts'
import { contentDays } from './days.ts'
import { newestFirst } from './order.ts'

const item = (id: string, date: string | null, zone: string | null = 'UTC', version = 1) => ({ id, date, date_zone: zone, version })

type Item = ReturnType<typeof item>
// Only the fields that days depend on.
const groupByDay = (items: Item[]) => contentDays([], items.toSorted(newestFirst) as unknown as Asset[]).days

test('The day of an item is local to its zone, not the one in UTC', () => {
  const tokyo = item('a', '2025-05-02T22:30:00Z', 'Asia/Tokyo')
  const offset = item('b', '2025-05-03T23:30:00-07:00', '-07:00')
  const vienna = item('c', '2025-05-03T10:00:00Z', 'Europe/Vienna')
  const days = groupByDay([tokyo, offset, vienna])
  expect(days).toHaveLength(1)
  expect(days[0]?.day).toBe('2025-05-03')
  expect(days[0]?.assets.map(({ id }) => id)).toEqual(['b', 'c', 'a'])
})

test('Days are sorted from newest to oldest, unknown dates last', () => {
  const days = groupByDay([item('x', null), item('a', '2024-02-29T12:00:00Z'), item('b', '2025-01-01T00:00:00Z')])
  expect(days.map(({ day }) => day)).toEqual(['2025-01-01', '2024-02-29', null])
})

test('A list across a zone change contains each day once', () => {
  const items = Array.from({ length: 500 }, (_, i) =>
    item(String(i), new Date(1_700_000_000_000 - i * 3_600_000).toISOString(), i % 2 ? 'Asia/Tokyo' : 'America/Los_Angeles'),
  )
  const days = groupByDay(items).map(({ day }) => day)
  expect(new Set(days).size).toBe(days.length)
  expect(days).toEqual(days.toSorted().reverse())
})
