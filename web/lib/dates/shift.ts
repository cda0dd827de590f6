import { isoOf, offsetAt, offsetOfWall } from '../../../contract/zones.ts'
import { addDays } from '../calendar/days.ts'

/** Shifts a moment by days on the calendar of its zone, at the same time of day: nine o'clock stays nine o'clock across a clock change. */
export function shiftMoment(date: string, zone: string | null, days: number): string {
  const zoneName = zone ?? 'UTC'
  const moment = Date.parse(date)
  const local = new Date(moment + offsetAt(moment, zoneName) * 60_000).toISOString()
  const [year = 1, month = 1, day = 1] = addDays(local.slice(0, 10), days).split('-').map(Number)
  const [hour = 0, minute = 0, second = 0] = local.slice(11, 19).split(':').map(Number)
  const wall = { year, month, day, hour, minute, second }
  return isoOf(wall, offsetOfWall(wall, zoneName))
}
