import { closedRows, rowOfSection, type TimelineRows } from '../../lib/timeline/rows.ts'
import type { TimelineEntry, TimelineSection } from '../../lib/timeline/types.ts'
import { guessHeight } from './row-guess.ts'

/** Height of every row, in pixels, before the width is known. It keeps the page tall, so that it does not jump to its top. */
const PLACEHOLDER_HEIGHT = 60

/** Heights of a list at one width; they are invalid at any other. */
export interface Measured {
  list: string
  width: number
  /** In pixels, by row key. */
  rowHeights: Map<string, number>
  /** Heights of sections that were opened before. */
  sections: WeakMap<TimelineSection, number>
  /** Heights of every row with all sections closed, for the sections shown last. */
  closed: { starts: Int32Array; heights: Float64Array } | null
}

/** The list that was measured last. */
let last: Measured | null = null

export function measuredOf(list: string, width: number): Measured {
  if (last?.list === list && last.width === width) return last
  const fresh: Measured = { list, width, rowHeights: new Map(), sections: new WeakMap(), closed: null }
  // Before layout there is nothing to measure.
  if (width > 0) last = fresh
  return fresh
}

/** Rows with their current heights. */
export interface Heights {
  rows: TimelineRows
  heights: Float64Array
  known: Measured
}

/** Heights of all rows, in pixels. */
export function heightsOf(rows: TimelineRows, known: Measured): Float64Array {
  const { sections, open, entries } = rows
  const heights = new Float64Array(entries.length)
  if (known.width === 0) return heights.fill(PLACEHOLDER_HEIGHT)
  const closed = closedHeights(sections, known)
  const [first, end] = [rowOfSection(rows, open[0]), rowOfSection(rows, open[1])]
  heights.set(closed.subarray(0, first))
  heights.set(closed.subarray(closed.length - (entries.length - end)), end)
  for (const [index, entry] of entries.slice(first, end).entries()) heights[first + index] = heightOf(entry, known)
  return heights
}

function closedHeights(sections: readonly TimelineSection[], known: Measured): Float64Array {
  const { entries, starts } = closedRows(sections)
  // Keyed by `starts`, not by the sections, whose content would stay in memory after sign-out.
  if (known.closed?.starts !== starts) known.closed = { starts, heights: Float64Array.from(entries, (entry) => heightOf(entry, known)) }
  return known.closed.heights
}

function heightOf(entry: TimelineEntry, { width, rowHeights, sections }: Measured): number {
  const known = entry.kind === 'closed' ? sections.get(entry.section) : rowHeights.get(entry.key)
  return known ?? guessHeight(entry, width)
}

/** Stores the measured heights for when other sections are open. Each section that is open now is stored as one sum. */
export function storeHeights({ rows, heights, known }: Heights): void {
  if (known.width === 0) return
  const { sections, open, starts } = rows
  const closedStarts = closedRows(sections).starts
  // A filter or a change may have replaced the list.
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
