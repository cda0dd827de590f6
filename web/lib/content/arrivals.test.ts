import { expect, test } from 'vitest'
import { arrivedSince, itemsAbove } from './arrivals.ts'

const by = (user_id: string, id: string, hour: number, version = 1) =>
  ({ id, user_id, version, date: `2025-05-01T${10 + hour}:00:00Z`, date_zone: 'UTC' }) as const

test('only what is new counts, and only what others made', () => {
  const before = [by('ada', 'a', 2), by('bob', 'b', 1)]
  const since = (now: typeof before, from = before) => arrivedSince([], { before: from, now }, 'ada').map(({ id }) => id)
  expect(since([by('bob', 'x', 4), by('ada', 'y', 3), ...before])).toEqual(['x'])
  expect(since(before)).toEqual([])
  expect(since([by('bob', 'x', 4)], [])).toEqual(['x'])
})

test('another version takes the place of one that has arrived, and is not new', () => {
  const [old, edited] = [by('bob', 'b', 1), by('bob', 'b', 5, 2)]
  expect(arrivedSince([], { before: [old], now: [edited] }, 'ada')).toEqual([])
  expect(arrivedSince([old], { before: [old], now: [edited] }, 'ada')).toEqual([edited])
})

test('what is reached, or deleted before it was, does not count any more', () => {
  const order = ['a', 'b', 'c', 'd']
  const indexOf = (id: string) => order.indexOf(id)
  expect(itemsAbove(['a', 'c', 'gone'], 2, indexOf)).toEqual(['a'])
  expect(itemsAbove(['a', 'c'], 0, indexOf)).toEqual([])
})
