import type { Post } from '../../../contract/posts.ts'
import type { Span } from './day-index.ts'
import type { DayNumber } from './days.ts'

export interface Bar {
  post: Post
  /** From the top, beginning with 0. */
  lane: number
  /** Column 0 to 6, and the number of days from there. */
  column: number
  columns: number
  /** Whether it began before this week, or continues after it. */
  before: boolean
  after: boolean
}

/** Assigns the events of a week to lanes so that none overlaps another: earlier ones first, the longer of two with the same start above. */
export function layOutWeek(spans: readonly Span[], week: DayNumber): Bar[] {
  const here = spans.filter(({ from, to }) => from <= week + 6 && to >= week)
  const ordered = here.toSorted((a, b) => a.from - b.from || b.to - a.to || compare(a.post, b.post))
  const free: DayNumber[] = []
  return ordered.map(({ post, from, to }) => {
    const [first, last] = [Math.max(from, week), Math.min(to, week + 6)]
    let lane = free.findIndex((day) => day <= first)
    if (lane < 0) lane = free.length
    free[lane] = last + 1
    return { post, lane, column: first - week, columns: last - first + 1, before: from < week, after: to > week + 6 }
  })
}

const compare = (a: Post, b: Post) => (a.date ?? '').localeCompare(b.date ?? '') || (a.id < b.id ? -1 : 1)

/** The part of a day that fits its cell, so that all cells have the same height. */
export interface Fitting {
  /** Lines taken by its bars, down to the lowest. */
  height: number
  notes: number
  /** Number of events and notes left out. */
  more: number
}

/** Divides the lines of a cell: bars in their lanes first, notes below them. `used` are the lanes of the bars on this day. */
export function fitDay(used: readonly number[], notes: number, lines: number): Fitting {
  const shown = used.filter((lane) => lane < lines)
  const height = shown.length === 0 ? 0 : Math.max(...shown) + 1
  const fitting = Math.min(notes, lines - height)
  return { height, notes: fitting, more: used.length - shown.length + notes - fitting }
}
