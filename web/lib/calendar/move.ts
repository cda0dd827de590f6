import { minutesAt } from '../../../contract/date-format.ts'
import type { Post } from '../../../contract/posts.ts'
import { dayKeyOf } from '../content/order.ts'
import { inputTime, momentAt } from '../dates/moments.ts'
import { shiftMoment } from '../dates/shift.ts'
import type { Item } from './day-index.ts'
import { numberOf } from './days.ts'
import { DAY_MINUTES } from './hours.ts'

/** A day, and minutes since midnight in the zone of the item. */
export interface Slot {
  day: string
  minutes: number
}

/** Minutes between two offered times. */
export const QUARTER = 15

/** Day and time of an item; null unless its date is known to the minute. */
export function slotOf(item: Item): Slot | null {
  const day = dayKeyOf(item)
  if (day === null || item.date === null || item.date_precision !== 'minute') return null
  return { day, minutes: minutesAt(item.date, item.date_zone) }
}

/** Time of a post after a drag by `by` minutes, rounded to a quarter of an hour; unchanged for a drag of less than half of that. */
export function draggedTime(post: Post, minutes: number, by: number): number {
  if (Math.abs(by) < QUARTER / 2) return minutes
  return within(post, minutes, Math.round((minutes + by) / QUARTER) * QUARTER)
}

/** The next quarter of an hour, or with -1 the previous one. */
export function stepped(post: Post, minutes: number, by: -1 | 1): number {
  const next = by > 0 ? Math.floor(minutes / QUARTER) + 1 : Math.ceil(minutes / QUARTER) - 1
  return within(post, minutes, next * QUARTER)
}

/** Keeps the post within its day and its hours; a post that is already later may stay there. */
function within(post: Post, from: number, to: number): number {
  const latest = Math.floor((DAY_MINUTES - Math.max(durationOf(post) / 60_000, QUARTER)) / QUARTER) * QUARTER
  return Math.max(0, Math.min(to, Math.max(latest, from)))
}

/** Milliseconds. */
function durationOf({ date, ends_at }: Post): number {
  return date !== null && ends_at !== null ? Date.parse(ends_at) - Date.parse(date) : 0
}

/**
 * Moment of a slot in the item's own zone: nine o'clock stays nine o'clock across a clock change. A time skipped by that change moves
 * later by the skipped interval. Null for an item without a time of day.
 */
export function dateAt(item: Item, { day, minutes }: Slot): string | null {
  const from = slotOf(item)
  if (from === null || item.date === null) return null
  // Keeps the seconds.
  if (from.minutes === minutes) return shiftMoment(item.date, item.date_zone, numberOf(day) - numberOf(from.day))
  return momentAt(day, inputTime(minutes), item.date_zone ?? 'UTC').date
}

export function rowAt(post: Post, slot: Slot): Post {
  const date = dateAt(post, slot)
  if (date === null || post.ends_at === null) return { ...post, date }
  return { ...post, date, ends_at: new Date(Date.parse(date) + durationOf(post)).toISOString() }
}
