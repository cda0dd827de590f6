import fc from 'fast-check'
import { expect, test } from 'vitest'
import { timelineRows } from '../../lib/timeline/rows.ts'
import type { TimelineEntry, TimelineSection } from '../../lib/timeline/types.ts'
import { guessHeight } from './row-guess.ts'
import { heightsOf, measuredOf, storeHeights } from './row-heights.ts'

const WIDTH = 600

function sectionOf(index: number, { rows, gap }: { rows: number; gap: boolean }): TimelineSection {
  const day = `day ${index}`
  const entries = Array.from(
    { length: rows },
    (_, row): TimelineEntry => ({ kind: 'day', key: `${day}, row ${row}`, day }) as TimelineEntry,
  )
  const gapText = gap ? 'A year later' : null
  return {
    day,
    vague: null,
    key: day,
    count: rows,
    size: rows,
    gap: gapText,
    entries: () => entries,
    guess: (width) => 60 * rows + width / 2,
  }
}

const plan = fc.record({
  sections: fc.array(fc.record({ rows: fc.integer({ min: 1, max: 4 }), gap: fc.boolean() }), { maxLength: 12 }),
  // Which part of all sections or, with a filter, of some is opened, which of its rows are measured, and their heights.
  steps: fc.array(
    fc.record({
      filtered: fc.boolean(),
      from: fc.nat({ max: 12 }),
      to: fc.nat({ max: 12 }),
      measured: fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 900 }))),
    }),
    { maxLength: 8 },
  ),
})

let lists = 0

test('every timeline row has its measured height or the estimate, whatever is opened and measured', () => {
  fc.assert(
    fc.property(plan, ({ sections: inputs, steps }) => {
      const all = inputs.map((each, index) => sectionOf(index, each))
      const some = all.filter((_, index) => index % 3 !== 1)
      const known = measuredOf(`list ${lists++}`, WIDTH)
      const found = new Map<string, number>()
      const whole = new Map<TimelineSection, number>()
      for (const { filtered, from, to, measured } of steps) {
        const sections = filtered ? some : all
        const range = [from, to].map((end) => Math.min(end, sections.length)).toSorted((a, b) => a - b) as [number, number]
        const rows = timelineRows(sections, range)
        const heights = heightsOf(rows, known)
        const expected = rows.entries.map((entry) =>
          entry.kind === 'closed'
            ? (whole.get(entry.section) ?? entry.section.guess(WIDTH))
            : (found.get(entry.key) ?? guessHeight(entry, WIDTH)),
        )
        expect([...heights]).toEqual(expected)
        for (const [nth, height] of measured) {
          const index = nth % Math.max(1, rows.entries.length)
          const entry = rows.entries[index]
          if (!entry || entry.kind === 'closed') continue
          known.rowHeights.set(entry.key, height)
          found.set(entry.key, height)
          heights[index] = height
        }
        for (const section of sections.slice(...range)) {
          whole.set(
            section,
            section.entries().reduce((sum, entry) => sum + (found.get(entry.key) ?? guessHeight(entry, WIDTH)), 0),
          )
        }
        storeHeights({ rows, heights, known })
      }
    }),
  )
})

test('a timeline reopened at the same width keeps its measured heights, at another width none', () => {
  const section = sectionOf(0, { rows: 2, gap: false })
  const rows = timelineRows([section], [0, 1])
  measuredOf('a list', WIDTH).rowHeights.set('day 0, row 1', 321)
  expect([...heightsOf(rows, measuredOf('a list', WIDTH))]).toEqual([60, 321])
  expect([...heightsOf(rows, measuredOf('a list', WIDTH + 1))]).toEqual([60, 60])
})
