import { isoOf, localZone, offsetAt, offsetOfWall } from './zones.ts'

/**
 * A day and an optional time from inputs, as the API expects them: in the zone of this browser unless given, with the precision of the
 * input.
 */
export function momentAt(day: string, time: string, zone = localZone()) {
  const [year = 1, month = 1, date = 1] = day.split('-').map(Number)
  // Noon stands for the whole day, so that no zone shifts it to a neighbouring one.
  const [hour = 12, minute = 0] = time ? time.split(':').map(Number) : []
  const wall = { year, month, day: date, hour, minute, second: 0 }
  return { date: isoOf(wall, offsetOfWall(wall, zone)), dateZone: zone, datePrecision: time ? ('minute' as const) : ('day' as const) }
}

/** Today in the zone of this browser, as `YYYY-MM-DD`. */
export function today(now = new Date()): string {
  return new Intl.DateTimeFormat('en-CA', { year: 'numeric', month: '2-digit', day: '2-digit' }).format(now)
}

/** The local time of day, as an input expects it: `HH:MM`. */
export function timeAt(date: string, zone: string | null): string {
  const moment = Date.parse(date)
  return new Date(moment + offsetAt(moment, zone ?? 'UTC') * 60_000).toISOString().slice(11, 16)
}
