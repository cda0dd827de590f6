import { isoOf, offsetAt, offsetOfWall } from '../../../contract/zones.ts'

/** Shifts a moment by days on the calendar of its zone, at the same time of day: nine o'clock stays nine o'clock across a clock change. */
export function shiftMoment(date: string, zone: string | null, days: number): string {
  const zoneName = zone ?? 'UTC'
  const moment = Date.parse(date)
  const local = new Date(moment + offsetAt(moment, zoneName) * 60_000 + days * 86_400_000)
  const wall = {
    year: local.getUTCFullYear(),
    month: local.getUTCMonth() + 1,
    day: local.getUTCDate(),
    hour: local.getUTCHours(),
    minute: local.getUTCMinutes(),
    second: local.getUTCSeconds(),
  }
  return isoOf(wall, offsetOfWall(wall, zoneName))
}
