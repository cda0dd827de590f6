import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Asset } from '../../../contract/assets.ts'
import type { Post } from '../../../contract/posts.ts'
import { contentDays } from '../content/days.ts'
import { newestFirst } from '../content/order.ts'
import { topsOf } from '../scroll/row-tops.ts'
import { digestSections } from './digest.ts'
import { itemsIn } from './entries.ts'
import { openAround, rowLayout, rowOfKey, rowOfSection, sectionAt, timelineRows } from './rows.ts'
import { monthsIn, timelineSections } from './sections.ts'
import type { TimelineEntry, TimelineSection } from './types.ts'

const dated = (id: string, date: string | null) => ({ id, date, date_zone: 'UTC', version: 1 })
// Only the fields that the timeline reads.
const asset = (id: string, date: string | null) => ({ ...dated(id, date), type: 'image/webp', renditions: ['thumb'] }) as unknown as Asset
const post = (id: string, date: string | null, assets: string[] = []) =>
  ({ ...dated(id, date), title: id, assets: assets.map((a) => ({ id: a })) }) as unknown as Post
const daysOf = (posts: Post[], assets: Asset[]) => contentDays(posts.toSorted(newestFirst), assets.toSorted(newestFirst)).days
const sectionsOf = (posts: Post[], assets: Asset[]) => timelineSections(daysOf(posts, assets))
const allRows = (sections: TimelineSection[]) => timelineRows(sections, [0, sections.length])
const timelineEntries = (posts: Post[], assets: Asset[]) => allRows(sectionsOf(posts, assets)).entries
const shape = (entries: readonly TimelineEntry[]) =>
  entries.map((entry) =>
    entry.kind === 'assets' ? entry.assets.map(({ id }) => id).join('+') : entry.kind === 'gap' ? `(${entry.text})` : entry.key,
  )

test('Posts and runs of photos are sorted by time, days newest first, unknown dates last', () => {
  const entries = timelineEntries(
    [post('noon', '2025-05-03T12:00:00Z'), post('undated', null)],
    [
      asset('a', '2025-05-03T15:00:00Z'),
      asset('b', '2025-05-03T14:00:00Z'),
      asset('c', '2025-05-03T09:00:00Z'),
      asset('d', '2025-05-01T09:00:00Z'),
    ],
  )
  expect(shape(entries)).toEqual(['day-2025-05-03', 'a+b', 'noon', 'c', 'day-2025-05-01', 'd', 'day-null', 'undated'])
})

test('Distant days have a gap between them', () => {
  const entries = timelineEntries([], [asset('a', '2025-08-03T15:00:00Z'), asset('b', '2025-01-01T14:00:00Z')])
  expect(shape(entries)).toEqual(['day-2025-08-03', 'a', '(7 months later)', 'day-2025-01-01', 'b'])
})

test('A day on which all is known only to its month or year is named after that, and one with anything more precise after the day', () => {
  const known = (to: 'day' | 'month' | 'year', item: Post | Asset) => ({ ...item, date_precision: to }) as unknown as Post & Asset
  const vagueOn = (posts: Post[], assets: Asset[]) => sectionsOf(posts, assets).map(({ vague }) => vague)
  const [picture, text] = [asset('a', '2025-01-01T12:00:00Z'), post('p', '2025-01-01T12:00:00Z')]
  expect(vagueOn([], [known('month', picture)])).toEqual(['2025-01'])
  expect(vagueOn([known('year', text)], [known('month', picture)])).toEqual(['2025'])
  expect(vagueOn([known('day', text)], [known('month', picture)])).toEqual([null])
  expect(vagueOn([], [{ ...asset('b', null), date_precision: 'unknown' }])).toEqual([null])
  const [heading] = timelineEntries([], [known('month', picture)])
  expect(heading).toMatchObject({ kind: 'day', vague: '2025-01' })
})

test('A photo of a post is not repeated on the same day', () => {
  const entries = timelineEntries(
    [post('p', '2025-05-03T12:00:00Z', ['a', 'b'])],
    [asset('a', '2025-05-03T12:00:00Z'), asset('b', '2025-05-02T12:00:00Z')],
  )
  expect(shape(entries)).toEqual(['day-2025-05-03', 'p', 'day-2025-05-02', 'b'])
})

test('Months have their counts and first sections', () => {
  const sections = sectionsOf(
    [post('p', '2025-08-03T12:00:00Z')],
    [asset('a', '2025-08-03T15:00:00Z'), asset('b', '2025-08-01T15:00:00Z'), asset('c', '2024-01-01T14:00:00Z'), asset('d', null)],
  )
  expect(monthsIn(sections)).toEqual([
    { month: '2025-08', count: 3, first: 0 },
    { month: '2024-01', count: 1, first: 2 },
    { month: null, count: 1, first: 3 },
  ])
})

test('A photo added to a day extends its run and keeps its key', () => {
  const run = (...ids: string[]) =>
    timelineEntries(
      [],
      ids.map((id, i) => asset(id, `2025-08-03T1${i}:00:00Z`)),
    )[1]
  expect(run('a', 'b')?.key).toBe(run('a', 'b', 'c')?.key)
})

test('A month or a year is one row, with its gaps, posts and photos', () => {
  const days = daysOf(
    [post('p', '2025-08-03T12:00:00Z'), post('q', '2021-02-01T12:00:00Z')],
    [asset('a', '2025-08-01T15:00:00Z'), asset('b', '2025-07-09T15:00:00Z'), asset('c', '2024-12-24T15:00:00Z'), asset('d', null)],
  )
  const rows = (zoom: 'month' | 'year') =>
    allRows(digestSections(days, zoom)).entries.map((entry) =>
      entry.kind === 'digest' ? `${entry.day}: ${entry.ids.join('')}` : entry.kind === 'gap' ? `(${entry.text})` : entry.kind,
    )
  expect(rows('month')).toEqual(['2025-08: pa', '2025-07: b', '(7 months later)', '2024-12: c', '(3 years later)', '2021-02: q', 'null: d'])
  expect(rows('year')).toEqual(['2025: pab', '2024: c', '(3 years later)', '2021: q', 'null: d'])
  expect(digestSections(days, 'month')).toEqual(digestSections(days, 'month'))
  expect(digestSections(days, 'month')[0]).toBe(digestSections(days, 'month')[0])
})

test('The card of a month shows photos that are in its posts', () => {
  const days = daysOf([post('p', '2025-08-03T12:00:00Z', ['a'])], [asset('a', '2025-08-03T15:00:00Z'), asset('b', '2025-08-01T15:00:00Z')])
  const [digest] = allRows(digestSections(days, 'month')).entries
  expect(digest?.kind === 'digest' && digest.covers.map(({ id }) => id)).toEqual(['a', 'b'])
  // Counted with their post.
  expect(digest).toMatchObject({ ids: ['p', 'b'] })
})

/** Eight photos on each of 200 distant days. */
const many = () =>
  sectionsOf(
    [],
    Array.from({ length: 200 }, (_, i) => {
      const day = new Date(Date.UTC(2024, -2 * i, 1, 12)).toISOString()
      return [...'abcdefgh'].map((letter) => asset(`${letter}${i}`, day))
    }).flat(),
  )

test('Distant days are one row each, and all their rows once they are open', () => {
  const sections = many()
  const [first, last] = openAround(sections, 100)
  expect(first).toBeGreaterThan(0)
  expect(first).toBeLessThan(89)
  expect(last).toBeGreaterThan(112)
  expect(last).toBeLessThan(200)
  const [rows, all] = [timelineRows(sections, [90, 110]), allRows(sections)]
  for (const [index, section] of sections.entries()) {
    const row = rows.starts[index] ?? -1
    expect(rows.entries[row]).toMatchObject({ key: section.key, day: section.day, kind: index < 90 || index >= 110 ? 'closed' : 'day' })
    expect(sectionAt(rows, row)).toBe(index)
    if (section.gap) expect(sectionAt(rows, row - 1)).toBe(index)
  }
  expect(rows.entries.length).toBe(all.entries.length - 180)
  expect(all.entries.flatMap(itemsIn)).toHaveLength(1600)
})

test('Open days have all their rows and every other day one, below its gap', () => {
  const sections = many().filter((_, index) => index % 40 < 3)
  const end = fc.nat({ max: sections.length })
  fc.assert(
    fc.property(fc.tuple(end, end), (ends) => {
      const open = ends.toSorted((a, b) => a - b) as [number, number]
      const rows = timelineRows(sections, open)
      const expected = sections.map(({ key, day, gap }, index) => {
        const own = index >= open[0] && index < open[1] ? sections[index]?.entries().map((entry) => entry.key) : [`closed ${key}`]
        return { gap: gap === null ? [] : [`gap-${day}`], own: own ?? [] }
      })
      expect(rows.entries.map(({ kind, key }) => (kind === 'closed' ? `closed ${key}` : key))).toEqual(
        expected.flatMap(({ gap, own }) => [...gap, ...own]),
      )
      let at = 0
      for (const [index, { gap, own }] of expected.entries()) {
        expect(rowOfSection(rows, index)).toBe(at)
        expect(rows.starts[index]).toBe(at + gap.length)
        at += gap.length + own.length
      }
      expect(rowOfSection(rows, sections.length)).toBe(at)
    }),
  )
})

test('Rows are found by key in open sections, and by day everywhere', () => {
  const sections = many()
  const rows = timelineRows(sections, [90, 110])
  for (const [index, { key }] of rows.entries.entries()) expect(rowOfKey(rows, key)).toBe(index)
  const far = sections[10]?.entries()[1]
  const listLayout = rowLayout(rows, topsOf(rows.entries.map(() => 100)))
  expect(listLayout.indexOf(far?.key ?? '')).toBe(-1)
  expect(listLayout.holds?.({ key: far?.key ?? '', below: 0, day: far?.day ?? null })).toBe(true)
  expect(listLayout.holds?.({ key: 'gone', below: 0, day: far?.day ?? null })).toBe(false)
  expect(listLayout.indexOf('day-2030-01-01')).toBe(-1)
})

test('Updated sections equal sections built from scratch, and unchanged days keep their objects', () => {
  const days = daysOf(
    [],
    Array.from({ length: 30 }, (_, i) => asset(`a${i}`, i === 0 ? null : new Date(Date.UTC(2024, -2 * i, 1)).toISOString())),
  )
  const lists = fc.array(fc.subarray([...days]), { minLength: 2, maxLength: 5 })
  fc.assert(
    fc.property(lists, (all) => {
      let before: TimelineSection[] = []
      for (const some of all) {
        const [sections, fresh] = [timelineSections(some, before), timelineSections(some)]
        const facts = (section: TimelineSection) => [section.key, section.gap, section.entries()]
        expect(sections.map(facts)).toEqual(fresh.map(facts))
        const unchanged = before.filter(({ key, gap }) => fresh.some((section) => section.key === key && section.gap === gap))
        expect(unchanged.every((section) => sections.includes(section))).toBe(true)
        before = sections
      }
    }),
  )
})
