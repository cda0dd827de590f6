import { minutesAt } from '../../../contract/date-format.ts'
import type { Post } from '../../../contract/posts.ts'
import { dayKeyOf } from '../content/order.ts'
import { spanOf } from './day-index.ts'

/** A post among the hours of one day, in the time zone of its location. */
export interface HourBlock {
  post: Post
  /** Minutes since midnight. */
  begin: number
  end: number
  /** Index of its column side by side with others, and the number of columns. */
  column: number
  columns: number
}

export interface HourColumn {
  day: string
  blocks: readonly HourBlock[]
}

export const DAY_MINUTES = 24 * 60
/** Minutes; shorter posts, and those without an end, are drawn this tall. */
const MIN_MINUTES = 30

/** Minutes since midnight of `HH:MM`. */
export function minutesOf(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return hour * 60 + minute
}

/** Whether a post belongs among the hours: its time is known to the minute, and it ends on the day it begins. */
export function isTimed(post: Post): boolean {
  const day = dayKeyOf(post)
  if (day === null || post.date_precision !== 'minute') return false
  const { from, to } = spanOf(post, day)
  return from === to
}

/** Places posts of one day side by side where they overlap, and as wide as possible where they do not. */
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
  const begin = minutesAt(post.date ?? '', post.date_zone)
  const closing = post.ends_at ? minutesAt(post.ends_at, post.date_zone) : begin
  // An end at midnight is the end of the day. Where clocks went back, an end may read earlier than its beginning.
  const end = closing === 0 && post.ends_at !== post.date ? DAY_MINUTES : closing
  const from = Math.min(begin, DAY_MINUTES - MIN_MINUTES)
  return { post, begin: from, end: Math.max(end, from + MIN_MINUTES), column: 0, columns: 1 }
}
