import type { Post } from '../../../contract/posts.ts'
import { dayKeyOf } from '../content/order.ts'
import { momentAt } from '../dates/moments.ts'
import { shiftMoment } from '../dates/shift.ts'
import { numberOf } from './days.ts'
import { clockOf, clockText, DAY_MINUTES } from './hours.ts'
import type { Item } from './index.ts'

/** A day, and minutes since midnight on the clock of the place. */
export interface Slot {
  day: string
  minutes: number
}

/** Minutes from one time that is offered to the next. */
export const QUARTER = 15

/** Where something stands; null for what is not known to the minute. */
export function slotOf(item: Item): Slot | null {
  const day = dayKeyOf(item)
  if (day === null || item.date === null || item.date_precision !== 'minute') return null
  return { day, minutes: clockOf(item.date, item.date_zone) }
}

/** The time of a post after it was pulled by so many minutes: a quarter of an hour, or its own where that is nearer. */
export function pulled(post: Post, minutes: number, by: number): number {
  if (Math.abs(by) < QUARTER / 2) return minutes
  return within(post, minutes, Math.round((minutes + by) / QUARTER) * QUARTER)
}

/** The next quarter of an hour, or with -1 the one before. */
export function stepped(post: Post, minutes: number, by: -1 | 1): number {
  const next = by > 0 ? Math.floor(minutes / QUARTER) + 1 : Math.ceil(minutes / QUARTER) - 1
  return within(post, minutes, next * QUARTER)
}

/** Over before its day is, or it would leave the hours; what is later than that already may stay there. */
function within(post: Post, from: number, to: number): number {
  const latest = Math.floor((DAY_MINUTES - Math.max(lastingOf(post) / 60_000, QUARTER)) / QUARTER) * QUARTER
  return Math.max(0, Math.min(to, Math.max(latest, from)))
}

/** Milliseconds. */
function lastingOf({ date, ends_at }: Post): number {
  return date !== null && ends_at !== null ? Date.parse(ends_at) - Date.parse(date) : 0
}

/**
 * The moment at which an item stands there, by the clock of its own zone: nine o'clock is nine o'clock on whichever side of a change of
 * the clocks. A time that is left out on that day is as much later as is left out. Null for what has no time of day.
 */
export function dateAt(item: Item, { day, minutes }: Slot): string | null {
  const from = slotOf(item)
  if (from === null || item.date === null) return null
  // With its seconds.
  if (from.minutes === minutes) return shiftMoment(item.date, item.date_zone, numberOf(day) - numberOf(from.day))
  return momentAt(day, clockText(minutes), item.date_zone ?? 'UTC').date
}

/** A post as it will be there; it lasts as long as before. */
export function rowAt(post: Post, slot: Slot): Post {
  const date = dateAt(post, slot)
  if (date === null || post.ends_at === null) return { ...post, date }
  return { ...post, date, ends_at: new Date(Date.parse(date) + lastingOf(post)).toISOString() }
}
