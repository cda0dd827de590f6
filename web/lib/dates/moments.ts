import { isoOf, localZone, offsetAt, offsetOfWall } from './zones.ts'

/** A day and an optional time of day as typed into inputs, as the API wants it: in the zone of this browser, as precise as it was given. */
export function momentAt(day: string, time: string, zone = localZone()) {
  const [year = 1, month = 1, date = 1] = day.split('-').map(Number)
  // Noon stands for the whole day, so that no zone pushes it to a neighbouring one.
  const [hour = 12, minute = 0] = time ? time.split(':').map(Number) : []
  const wall = { year, month, day: date, hour, minute, second: 0 }
  return { date: isoOf(wall, offsetOfWall(wall, zone)), dateZone: zone, datePrecision: time ? ('minute' as const) : ('day' as const) }
}

/** Today where this browser is, as `YYYY-MM-DD`. */
export function today(now = new Date()): string {
  return new Intl.DateTimeFormat('en-CA', { year: 'numeric', month: '2-digit', day: '2-digit' }).format(now)
}

/** The time of day where it happened, as an input takes it: `HH:MM`. */
export function timeAt(date: string, zone: string | null): string {
  const moment = Date.parse(date)
  return new Date(moment + offsetAt(moment, zone ?? 'UTC') * 60_000).toISOString().slice(11, 16)
}
