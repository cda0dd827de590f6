import type { Post } from '../../../contract/posts.ts'
import { dayKeyOf } from '../content/order.ts'
import { formatTime } from '../dates/text.ts'
import { spanOf } from './index.ts'

/** A post among the hours of one day, by the clock of the place where it happened. */
export interface HourBlock {
  post: Post
  /** Minutes since midnight. */
  begin: number
  end: number
  /** Which of the columns side by side, and how many there are. */
  column: number
  columns: number
}

export interface HourColumn {
  day: string
  blocks: readonly HourBlock[]
}

export const DAY_MINUTES = 24 * 60
/** What is shorter, or has no end, is drawn as long as this. */
const SHORTEST = 30

/** Minutes since midnight of `HH:MM`. */
export function minutesOf(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return hour * 60 + minute
}

/** Minutes since midnight on the clock of the place. */
export function clockOf(date: string, zone: string | null): number {
  return minutesOf(formatTime(date, zone))
}

/** `09:05` for 545. */
export function clockText(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}

/** Whether a post belongs among the hours: known to the minute, and over on the day on which it began. */
export function isTimed(post: Post): boolean {
  const day = dayKeyOf(post)
  if (day === null || post.date_precision !== 'minute') return false
  const { from, to } = spanOf(post, day)
  return from === to
}

/** Posts of one day side by side where they overlap, and as wide as they can be where they do not. */
export function layOutHours(posts: readonly Post[]): HourBlock[] {
  const blocks = posts.map(blockOf).toSorted((a, b) => a.begin - b.begin || b.end - a.end)
  let group: HourBlock[] = []
  let until = -1
  const close = () => {
    const columns = Math.max(0, ...group.map(({ column }) => column + 1))
    for (const block of group) block.columns = columns
    group = []
  }
  for (const block of blocks) {
    if (block.begin >= until) close()
    const taken = new Set(group.filter(({ end }) => end > block.begin).map(({ column }) => column))
    while (taken.has(block.column)) block.column++
    group.push(block)
    until = Math.max(until, block.end)
  }
  close()
  return blocks
}

function blockOf(post: Post): HourBlock {
  const begin = clockOf(post.date ?? '', post.date_zone)
  const closing = post.ends_at ? clockOf(post.ends_at, post.date_zone) : begin
  // Midnight at the end is the end of the day; and where clocks went back, an end may read earlier than its beginning.
  const end = closing === 0 && post.ends_at !== post.date ? DAY_MINUTES : closing
  const from = Math.min(begin, DAY_MINUTES - SHORTEST)
  return { post, begin: from, end: Math.max(end, from + SHORTEST), column: 0, columns: 1 }
}
