import { expect, test } from 'vitest'
import type { Asset } from '../../../contract/assets.ts'
import type { Post } from '../../../contract/posts.ts'
import { newestFirst } from '../content/order.ts'
import { indexByDay, itemsOn, nearestDay, spanOf, spansWithin } from './day-index.ts'
import { numberOf } from './days.ts'

let count = 0
const base = {
  version: 1,
  people: [],
  collections: [],
  user_id: 'ada',
  location: null,
  date_zone: 'UTC',
  date_precision: 'minute' as const,
}
const post = (fields: Partial<Post>): Post =>
  ({ ...base, id: `p${++count}`, type: 'event', title: 'P', body: '', date: null, ends_at: null, assets: [], ...fields }) as Post
const asset = (fields: Partial<Asset>): Asset =>
  ({ ...base, id: `a${++count}`, type: 'image/jpeg', name: 'a.jpg', date: null, ...fields }) as Asset

test('An item late at night in Tokyo belongs to that day in every zone of the viewer', () => {
  const photo = asset({ date: '2024-05-03T14:30:00Z', date_zone: 'Asia/Tokyo' })
  expect(indexByDay([], [photo]).days.get('2024-05-03')?.assets).toEqual([photo])
})

test('Items dated to a month or a year belong to no day', () => {
  const [month, year, none] = [
    asset({ date: '2024-05-01T12:00:00Z', date_precision: 'month' }),
    post({ date: '2024-01-01T12:00:00Z', date_precision: 'year' }),
    asset({ date_precision: 'unknown' }),
  ]
  const index = indexByDay([year], [month, none])
  expect(index.days.size).toBe(0)
  expect(index.vague.get('2024-05')).toEqual([month])
  expect(index.vague.get('2024')).toEqual([year])
  expect(index.undated).toEqual([none])
})

test('An event over New Year takes every day from its first to its last', () => {
  const event = post({ date: '2024-12-30T12:00:00Z', ends_at: '2025-01-02T12:00:00Z', date_precision: 'day' })
  const index = indexByDay([event], [])
  expect(spansWithin(index, numberOf('2025-01-01'), numberOf('2025-01-31'))).toHaveLength(1)
  expect([...index.counts()]).toEqual([
    ['2024-12-30', 1],
    ['2024-12-31', 1],
    ['2025-01-01', 1],
    ['2025-01-02', 1],
  ])
  expect(itemsOn(index, '2025-01-01')).toEqual({ ongoing: [event], items: [] })
  expect(itemsOn(index, '2024-12-30')).toEqual({ ongoing: [], items: [event] })
})

test('An event that ends at midnight does not take the next day', () => {
  const event = post({ date: '2024-05-03T18:00:00+02:00', ends_at: '2024-05-04T00:00:00+02:00', date_zone: 'Europe/Vienna' })
  const { from, to } = spanOf(event, '2024-05-03')
  expect(to).toBe(from)
})

test('Posts of the whole day come before items with a time', () => {
  const dinner = post({ date: '2024-05-03T08:00:00Z', date_precision: 'minute' })
  const holiday = post({ date: '2024-05-03T12:00:00Z', date_precision: 'day' })
  const index = indexByDay([holiday, dinner], [])
  expect(itemsOn(index, '2024-05-03').items).toEqual([holiday, dinner])
})

test('Items of a day are in chronological order', () => {
  const [late, early, note] = [
    asset({ date: '2024-05-03T20:00:00Z' }),
    asset({ date: '2024-05-03T08:00:00Z' }),
    post({ type: 'note', date: '2024-05-03T12:00:00Z' }),
  ]
  const index = indexByDay([note], [late, early].toSorted(newestFirst))
  expect(itemsOn(index, '2024-05-03').items).toEqual([early, note, late])
})

test('The nearest day to an empty month is the last before it, or else the first after it', () => {
  expect(nearestDay(['2023-08-01', '2024-03-09', '2024-07-01'], '2024-05')).toBe('2024-03-09')
  expect(nearestDay(['2025-01-02', '2024-07-01'], '2024-05')).toBe('2024-07-01')
  expect(nearestDay(['2024-03-09', '2024-05-31'], '2024-05')).toBeNull()
  expect(nearestDay([], '2024-05')).toBeNull()
  // A month with items of an unknown day is not empty, and neither is its year.
  expect(nearestDay(['2023-08-01'], '2024-05', ['2024-05'])).toBeNull()
  expect(nearestDay(['2023-08-01'], '2024', ['2024-05'])).toBeNull()
  expect(nearestDay(['2023-08-01'], '2024-05', ['2024'])).toBe('2023-08-01')
})
