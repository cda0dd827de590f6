import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Post } from '../../../contract/posts.ts'
import type { Span } from './day-index.ts'
import { layOutHours } from './hours.ts'
import { fitDay, layOutWeek } from './lanes.ts'

const span = (id: string, from: number, to: number): Span => ({ post: { id, date: null } as Post, from, to })

test('Events on the same days get separate lanes, and a free lane is used again', () => {
  const bars = layOutWeek([span('a', 0, 2), span('b', 1, 3), span('c', 3, 4), span('d', 10, 11)], 0)
  expect(bars.map(({ post, lane }) => [post.id, lane])).toEqual([
    ['a', 0],
    ['b', 1],
    ['c', 0],
  ])
})

test('An event continues over the edges of the week', () => {
  const [bar] = layOutWeek([span('a', -3, 12)], 0)
  expect(bar).toMatchObject({ column: 0, columns: 7, before: true, after: true })
  expect(layOutWeek([span('a', -3, 12)], 7)[0]).toMatchObject({ column: 0, columns: 6, before: true, after: false })
})

test('Two bars never overlap in a lane', () => {
  const spans = fc.array(fc.tuple(fc.integer({ min: -10, max: 10 }), fc.integer({ min: 0, max: 12 })), { maxLength: 30 })
  fc.assert(
    fc.property(spans, (all) => {
      const taken = new Set<string>()
      for (const { lane, column, columns } of layOutWeek(
        all.map(([from, length], n) => span(`s${n}`, from, from + length)),
        0,
      )) {
        for (let day = column; day < column + columns; day++) {
          expect(taken.has(`${lane}:${day}`)).toBe(false)
          taken.add(`${lane}:${day}`)
        }
      }
    }),
  )
})

test('A full day counts the items left out', () => {
  expect(fitDay([0, 1], 1, 3)).toEqual({ height: 2, notes: 1, more: 0 })
  expect(fitDay([0, 1, 2, 3], 2, 3)).toEqual({ height: 3, notes: 0, more: 3 })
  expect(fitDay([2], 2, 3)).toEqual({ height: 3, notes: 0, more: 2 })
  expect(fitDay([], 5, 3)).toEqual({ height: 0, notes: 3, more: 2 })
})

const timed = (id: string, begin: string, end: string | null): Post =>
  ({ id, date: `2024-05-03T${begin}:00Z`, ends_at: end && `2024-05-03T${end}:00Z`, date_zone: 'UTC' }) as Post

test('Overlapping posts are side by side, all others have the full width', () => {
  const blocks = layOutHours([
    timed('a', '09:00', '11:00'),
    timed('b', '10:00', '12:00'),
    timed('c', '11:00', '11:30'),
    timed('d', '14:00', null),
  ])
  expect(blocks.map(({ post, column, columns }) => [post.id, column, columns])).toEqual([
    ['a', 0, 2],
    ['b', 1, 2],
    ['c', 0, 2],
    ['d', 0, 1],
  ])
  expect(blocks.at(-1)).toMatchObject({ begin: 840, end: 870 })
})

test('Times are local to the zone of the post, also on the day of a clock change', () => {
  const [block] = layOutHours([{ id: 'x', date: '2024-03-31T01:30:00Z', ends_at: null, date_zone: 'Europe/Vienna' } as Post])
  expect(block?.begin).toBe(3 * 60 + 30)
  const [back] = layOutHours([
    { id: 'y', date: '2024-10-27T00:45:00Z', ends_at: '2024-10-27T01:15:00Z', date_zone: 'Europe/Vienna' } as Post,
  ])
  expect(back).toMatchObject({ begin: 165, end: 195 })
})
