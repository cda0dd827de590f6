import { closedRows, rowOfSection, type TimelineRows } from '../../lib/timeline/rows.ts'
import type { TimelineEntry, TimelineSection } from '../../lib/timeline/types.ts'
import { guessHeight } from './row-guess.ts'

/** Pixels of every row before the width is known: nothing is drawn yet, but the page stays tall, so that it does not jump to its top. */
const SOME = 60

/** What is known of the heights of a list at a width: at another one it is worth nothing. */
export interface Measured {
  list: string
  width: number
  /** In pixels, by the key of the row. */
  measured: Map<string, number>
  /** Of sections that were open once. */
  sections: WeakMap<TimelineSection, number>
  /** Of every row where no section is open, for the sections that were shown last. */
  closed: { starts: Int32Array; heights: Float64Array } | null
}

/** Of the list that was measured last. */
let last: Measured | null = null

export function measuredOf(list: string, width: number): Measured {
  if (last?.list === list && last.width === width) return last
  const fresh: Measured = { list, width, measured: new Map(), sections: new WeakMap(), closed: null }
  // Before it is laid out there is nothing to measure.
  if (width > 0) last = fresh
  return fresh
}

/** Rows with their heights as they turned out so far. */
export interface Heights {
  rows: TimelineRows
  heights: Float64Array
  known: Measured
}

/** Of all rows, in pixels. */
export function heightsOf(rows: TimelineRows, known: Measured): Float64Array {
  const { sections, open, entries } = rows
  const heights = new Float64Array(entries.length)
  if (known.width === 0) return heights.fill(SOME)
  const closed = closedHeights(sections, known)
  const [first, end] = [rowOfSection(rows, open[0]), rowOfSection(rows, open[1])]
  heights.set(closed.subarray(0, first))
  heights.set(closed.subarray(closed.length - (entries.length - end)), end)
  for (const [index, entry] of entries.slice(first, end).entries()) heights[first + index] = heightOf(entry, known)
  return heights
}

function closedHeights(sections: readonly TimelineSection[], known: Measured): Float64Array {
  const { entries, starts } = closedRows(sections)
  // By the list itself there would be more to let go of when somebody signs out.
  if (known.closed?.starts !== starts) known.closed = { starts, heights: Float64Array.from(entries, (entry) => heightOf(entry, known)) }
  return known.closed.heights
}

function heightOf(entry: TimelineEntry, { width, measured, sections }: Measured): number {
  const held = entry.kind === 'closed' ? sections.get(entry.section) : measured.get(entry.key)
  return held ?? guessHeight(entry, width)
}

/** Keeps what rows turned out to be, for when other sections are open: those that are open now count as a whole then. */
export function remember({ rows, heights, known }: Heights): void {
  if (known.width === 0) return
  const { sections, open, starts } = rows
  const closedStarts = closedRows(sections).starts
  // Another list has taken its place where it was filtered or has changed.
  const closed = known.closed?.starts === closedStarts ? known.closed.heights : null
  const [first, end] = [rowOfSection(rows, open[0]), rowOfSection(rows, open[1])]
  closed?.set(heights.subarray(0, first))
  closed?.set(heights.subarray(end), closed.length - (heights.length - end))
  for (let i = open[0]; i < open[1]; i++) {
    const [section, start, at] = [sections[i], starts[i] ?? 0, closedStarts[i] ?? 0]
    if (!section) continue
    const height = heights.subarray(start, rowOfSection(rows, i + 1)).reduce((sum, each) => sum + each, 0)
    known.sections.set(section, height)
    if (!closed) continue
    closed[at] = height
    if (section.gap !== null) closed[at - 1] = heights[start - 1] ?? 0
  }
}
