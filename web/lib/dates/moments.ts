import { minutesAt } from '../../../contract/date-format.ts'
import { dayOf } from '../../../contract/dates.ts'
import type { Post } from '../../../contract/posts.ts'
import { isoOf, offsetOfWall } from '../../../contract/zones.ts'
import { addDays } from '../calendar/days.ts'
import { localZone } from './zones.ts'

/**
 * A day and an optional time from inputs, as the API expects them: in the reader's zone unless given, with the precision of the input.
 */
export function momentAt(day: string, time: string, zone = localZone()) {
  const [year = 1, month = 1, date = 1] = day.split('-').map(Number)
  // Noon stands for the whole day, so that no zone shifts it to a neighbouring one.
  const [hour = 12, minute = 0] = time ? time.split(':').map(Number) : []
  const wall = { year, month, day: date, hour, minute, second: 0 }
  return { date: isoOf(wall, offsetOfWall(wall, zone)), dateZone: zone, datePrecision: time ? ('minute' as const) : ('day' as const) }
}

/** Last day of a post, and its time there; without one when it lasts to the end of a later day than its first. Null without an end. */
export function endOf(post: Pick<Post, 'date' | 'date_zone' | 'date_precision' | 'ends_at'>): { day: string; time: string | null } | null {
  const { date, date_zone: zone, date_precision, ends_at: end } = post
  const [first, day] = [dayOf(date, zone), dayOf(end, zone)]
  if (first === null || day === null || end === null) return null
  if (date_precision !== 'minute') return { day, time: null }
  // The end of a day is stored as the midnight after it.
  const time = timeAt(end, zone)
  const before = addDays(day, -1)
  return time === '00:00' && before > first ? { day: before, time: null } : { day, time }
}

/** The day of a moment in the reader's zone, as `YYYY-MM-DD`. */
export function dayHere(moment: string): string {
  return dayOf(moment, localZone()) ?? ''
}

/** Today in the reader's zone, as `YYYY-MM-DD`. */
export function today(now = new Date()): string {
  return dayHere(now.toISOString())
}

/** The local time of day, as an input expects it: `HH:MM`. */
export function timeAt(date: string, zone: string | null): string {
  return inputTime(minutesAt(date, zone))
}

/** Minutes since midnight as an input expects them: `09:05` for 545. */
export function inputTime(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}
