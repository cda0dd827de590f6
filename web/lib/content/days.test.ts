import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Asset } from '../../../contract/assets.ts'
import type { Post } from '../../../contract/posts.ts'
import { type ContentDays, contentDays, dayIndex, NO_DAYS } from './days.ts'
import { diffRows } from './diff.ts'
import { dayKeyOf, newestFirst } from './order.ts'

const DATES = [null, ...Array.from({ length: 12 }, (_, i) => `2025-0${1 + (i % 3)}-0${1 + (i % 2)}T${10 + i}:00:00Z`)]
const ZONES = ['UTC', 'Asia/Tokyo', '-07:00']

// Only the fields that days depend on. One row per number, date, zone and photo, so that unchanged rows are the same object.
const known = new Map<string, Post & Asset>()
function rowOf(kind: string, which: number, when: number, shows: number): Post & Asset {
  const key = [kind, which, when, shows].join()
  const dated = { date: DATES[when % DATES.length], date_zone: ZONES[when % ZONES.length], version: 1 }
  const row =
    known.get(key) ?? ({ id: `${kind}${which}`, ...dated, assets: shows > 9 ? [] : [{ id: `asset${shows}` }] } as unknown as Post & Asset)
  known.set(key, row)
  return row
}

const numbers = fc.tuple(fc.nat({ max: 14 }), fc.nat({ max: 35 }), fc.nat({ max: 14 }))
const list = (kind: string) =>
  fc
    .uniqueArray(numbers, { selector: ([which]) => which, maxLength: 15 })
    .map((rows) => rows.map(([which, when, shows]) => rowOf(kind, which, when, shows)).sort(newestFirst))
const states = fc.array(fc.record({ posts: list('post'), assets: list('asset') }), { minLength: 1, maxLength: 6 })

test('Days updated from a previous state equal days built from scratch', () => {
  fc.assert(
    fc.property(states, (all) => {
      let days: ContentDays = NO_DAYS
      for (const { posts, assets } of all) {
        days = contentDays(posts, assets, days)
        expect(days).toEqual(contentDays(posts, assets))
      }
    }),
  )
})

test('Days contain the items of both lists, without photos that their posts show', () => {
  fc.assert(
    fc.property(list('post'), list('asset'), (posts, assets) => {
      const { days } = contentDays(posts, assets)
      expect(days.flatMap((day) => day.posts)).toEqual(byDay(posts))
      expect(days.flatMap((day) => day.assets)).toEqual(byDay(assets))
      for (const day of days) {
        expect([...day.posts, ...day.assets].every((row) => dayKeyOf(row) === day.day)).toBe(true)
        const shown = day.posts.flatMap((post) => post.assets.map(({ id }) => id))
        expect(day.unattached).toEqual(day.assets.filter(({ id }) => !shown.includes(id)))
        expect(days[dayIndex(days, day.day)]).toBe(day)
      }
    }),
  )
})

/** Newest day first, no date last; within a day in the given order. */
const byDay = <T extends Post>(rows: T[]) => rows.toSorted((a, b) => (dayKeyOf(b) ?? '').localeCompare(dayKeyOf(a) ?? ''))

test('Days that do not change stay the same objects', () => {
  const [may, june, other] = [rowOf('post', 1, 1, 14), rowOf('post', 2, 2, 14), rowOf('asset', 3, 2, 14)]
  const before = contentDays([may, june].sort(newestFirst), [])
  const after = contentDays([may, june].sort(newestFirst), [other], before)
  const of = ({ days }: ContentDays, row: Post) => days.find(({ posts }) => posts.includes(row))
  expect(of(after, may)).toBe(of(before, may))
  expect(of(after, june)).not.toBe(of(before, june))
})

test('A diff applied to the first list gives the second', () => {
  fc.assert(
    fc.property(list('post'), list('post'), (before, after) => {
      const { gone, came } = diffRows(before, after)
      expect(gone).toEqual(before.filter((row) => !after.includes(row)))
      expect(came).toEqual(after.filter((row) => !before.includes(row)))
    }),
  )
})
