import { expect, test } from 'vitest'
import { arrivedSince, itemsAbove } from './arrivals.ts'

const by = (user_id: string, id: string, hour: number, version = 1) =>
  ({ id, user_id, version, date: `2025-05-01T${10 + hour}:00:00Z`, date_zone: 'UTC' }) as const

test('Only new items of other users count as arrivals', () => {
  const before = [by('ada', 'a', 2), by('bob', 'b', 1)]
  const since = (now: typeof before, from = before) => arrivedSince([], { before: from, now }, 'ada').map(({ id }) => id)
  expect(since([by('bob', 'x', 4), by('ada', 'y', 3), ...before])).toEqual(['x'])
  expect(since(before)).toEqual([])
  expect(since([by('bob', 'x', 4)], [])).toEqual(['x'])
})

test('A new version replaces an arrival and does not count as new', () => {
  const [old, edited] = [by('bob', 'b', 1), by('bob', 'b', 5, 2)]
  expect(arrivedSince([], { before: [old], now: [edited] }, 'ada')).toEqual([])
  expect(arrivedSince([old], { before: [old], now: [edited] }, 'ada')).toEqual([edited])
})

test('Arrivals that have been scrolled to or deleted no longer count', () => {
  const order = ['a', 'b', 'c', 'd']
  const indexOf = (id: string) => order.indexOf(id)
  expect(itemsAbove(['a', 'c', 'gone'], 2, indexOf)).toEqual(['a'])
  expect(itemsAbove(['a', 'c'], 0, indexOf)).toEqual([])
})
