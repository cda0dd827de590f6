import { type Dates, monthOf, weekdayName } from '../../../contract/date-format.ts'
import { reader } from './reader.ts'

export { monthOf as formatMonth }

/** `Saturday, 3 May 2025`, or short: `Sat, 3 May 2025`; in the order of the reader. `No date` for null. */
export function formatDay(day: string | null, length: 'long' | 'short' = 'long'): string {
  return day === null ? 'No date' : reader().day(day, { weekday: length, month: length })
}

/** `3 May`, with the year if it is not the given one. */
export function formatDate(day: string, exceptYear: string): string {
  return reader().day(day, { month: 'short', year: day.slice(0, 4) !== exceptYear })
}

/** `13–19 May 2024`. */
export function formatDays(first: string, last: string): string {
  return reader().days(first, last)
}

/** `Saturday`. */
export function formatWeekday(day: string): string {
  return weekdayName(day)
}

/** A date as precisely as it is known: `3 May 2025, 14:20`, `3 May 2025`, `May 2025`, `2025` or `No date`. */
export function formatWhen(dates: Dates): string {
  return reader().when(dates) ?? 'No date'
}

/** `14:20` or `2:20 PM` in the zone. */
export function formatTime(date: string, zone: string | null): string {
  return reader().time(date, zone)
}

/** `14:20` or `2:20 PM` from the minutes since midnight. */
export function formatClock(minutes: number): string {
  return reader().clock(minutes)
}

/** A whole hour: `14:00` or `2 PM`. */
export function formatHour(hour: number): string {
  return reader().hour(hour)
}

/** The usual name of a zone: `Vienna time`, `UTC+9`. */
export function formatZone(zone: string | null): string {
  if (zone === null || zone === 'UTC') return 'UTC'
  const offset = /^([+-])(\d{2}):(\d{2})$/.exec(zone)
  if (offset) return `UTC${offset[1] === '-' ? '−' : '+'}${Number(offset[2])}${offset[3] === '00' ? '' : `:${offset[3]}`}`
  return `${zone.split('/').pop()?.replaceAll('_', ' ')} time`
}

/** `7 months later` between two days far apart, from the earlier to the later; null when they are near. */
export function formatGap(earlier: string, later: string): string | null {
  const days = Math.round((Date.parse(later) - Date.parse(earlier)) / 86_400_000)
  if (days < 45) return null
  const months = Math.round(days / 30.44)
  if (months < 12) return months === 1 ? '1 month later' : `${months} months later`
  const years = Math.floor(months / 12)
  const rest = months % 12
  const text = years === 1 ? '1 year' : `${years} years`
  return rest === 0 || years >= 3 ? `${text} later` : `${text} and ${rest === 1 ? '1 month' : `${rest} months`} later`
}
