import { dayIndex } from '../content/days.ts'
import { firstIndexWhere } from '../first-index-where.ts'
import { memoizeByObject } from '../memoize-by-object.ts'
import type { ListLayout } from '../scroll/anchor.ts'
import { rowsBetween } from '../scroll/row-tops.ts'
import type { TimelineEntry, TimelineSection } from './types.ts'

/** Sections as rows: sections near the screen with all their rows, every other one as a single placeholder row. */
export interface TimelineRows {
  sections: readonly TimelineSection[]
  /** Sections with all their rows, as [first, last). */
  open: readonly [number, number]
  entries: readonly TimelineEntry[]
  /** First row of each section, after its gap if it has one. */
  starts: Int32Array
}

export function timelineRows(sections: readonly TimelineSection[], open: readonly [number, number]): TimelineRows {
  const closed = closedRows(sections)
  const [first, last] = [rowOfSection(closed, open[0]), rowOfSection(closed, open[1])]
  const rows: TimelineEntry[] = []
  const starts = closed.starts.slice()
  for (let i = open[0]; i < open[1]; i++) {
    const section = sections[i] as TimelineSection
    if (section.gap !== null) rows.push(gapEntry(section.day, section.gap))
    starts[i] = first + rows.length
    for (const entry of section.entries()) rows.push(entry)
  }
  const further = first + rows.length - last
  for (let i = open[1]; i < starts.length; i++) starts[i] = (starts[i] ?? 0) + further
  return { sections, open, entries: [...closed.entries.slice(0, first), ...rows, ...closed.entries.slice(last)], starts }
}

/** The rows with no section open. Other states are derived from these, so that the cost of a jump depends only on the sections it opens. */
export const closedRows = memoizeByObject((sections: readonly TimelineSection[]): TimelineRows => {
  const entries: TimelineEntry[] = []
  const starts = new Int32Array(sections.length)
  for (const [i, section] of sections.entries()) {
    if (section.gap !== null) entries.push(gapEntry(section.day, section.gap))
    starts[i] = entries.length
    entries.push({ kind: 'closed', key: section.key, day: section.day, section })
  }
  return { sections, open: [0, 0], entries, starts }
})

/** First row of a section, including its gap. */
export function rowOfSection({ sections, entries, starts }: TimelineRows, index: number): number {
  const section = sections[index]
  return section ? (starts[index] ?? 0) - (section.gap === null ? 0 : 1) : entries.length
}

const gapEntry = (day: string | null, text: string): TimelineEntry => ({ kind: 'gap', key: `gap-${day}`, day, text })

/** Posts and photos on either side, and the minimum number of sections, that are rendered around the middle of the screen. */
const AROUND = { size: 400, sections: 12 }

export function openAround(sections: readonly TimelineSection[], middle: number): [number, number] {
  let [first, before] = [middle, 0]
  while (first > 0 && (before < AROUND.size || middle - first < AROUND.sections)) before += sections[--first]?.size ?? 0
  let [last, after] = [Math.min(middle + 1, sections.length), 0]
  while (last < sections.length && (after < AROUND.size || last - middle < AROUND.sections)) after += sections[last++]?.size ?? 0
  return [first, last]
}

/** The section of a row; a gap belongs to the section below it. */
export function sectionAt({ starts, entries }: TimelineRows, row: number): number {
  const of = entries[row]?.kind === 'gap' ? row + 1 : row
  return Math.max(0, firstIndexWhere(starts.length, (i) => (starts[i] ?? 0) > of) - 1)
}

/** The section of a day, or -1. */
export function sectionOfDay(sections: readonly TimelineSection[], day: string | null): number {
  const index = dayIndex(sections, day)
  return sections[index]?.day === day && index < sections.length ? index : -1
}

/** The row of a key; -1 also if its section is not open. */
export function rowOfKey({ sections, open, entries, starts }: TimelineRows, key: string): number {
  const day = dayIn(key)
  const section = day === undefined ? -1 : sectionOfDay(sections, day)
  // The key of a post does not contain its day.
  const [from, to] = section < 0 ? open : [section, section + 1]
  const first = (starts[from] ?? entries.length) - 1
  const last = starts[to] ?? entries.length
  for (let row = Math.max(0, first); row < last; row++) if (entries[row]?.key === key) return row
  return -1
}

function dayIn(key: string): string | null | undefined {
  const day = /^(?:day|gap|digest)-(.+)$|^assets-(.+)-\d+$/.exec(key)
  const found = day?.[1] ?? day?.[2]
  return found === 'null' ? null : found
}

/** Rows by key and top, for keeping one of them at the same position on the screen. */
export function rowLayout(rows: TimelineRows, tops: Float64Array): ListLayout {
  const { entries, sections } = rows
  return {
    count: entries.length,
    keyAt: (index) => entries[index]?.key ?? '',
    topAt: (index) => tops[index] ?? 0,
    firstBelow: (top) => rowsBetween(tops, top, top)[0],
    indexOf: (key) => rowOfKey(rows, key),
    dayAt: (index) => entries[index]?.day ?? null,
    holds: ({ key, day }) => sections[sectionOfDay(sections, day)]?.entries().some((entry) => entry.key === key) ?? false,
  }
}
