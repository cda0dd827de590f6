import { listText, shownLanguage } from '#language'
import { plural, t } from '#say'
import type { Dates } from '../../../contract/date-format.ts'
import { weekdayOf } from '../../../contract/date-words.ts'
import { isZone } from '../../../contract/dates.ts'
import { reader } from './reader.ts'

/** `May 2025` for `2025-05` or a day in it. */
export function formatMonth(day: string): string {
  return reader().month(day)
}

/** `2025`, of a day or a year. */
export function formatYear(day: string): string {
  return reader().year(day)
}

/** `May`, from 1 for January. */
export function formatMonthName(month: number): string {
  return reader().monthName(month)
}

/** `Saturday, 3 May 2025`, or short: `Sat, 3 May 2025`; in the order of the reader. `No date` for null. */
export function formatDay(day: string | null, length: 'long' | 'short' = 'long'): string {
  return day === null ? t`No date` : reader().day(day, { weekday: length, month: length })
}

/** `May 2025` for `2025-05`, `2025` for `2025`. */
export function formatPeriod(period: string): string {
  return period.length === 7 ? formatMonth(period) : formatYear(period)
}

/** `Sometime in May 2025` for `2025-05`, `Sometime in 2025` for `2025`. */
export function formatSometime(period: string): string {
  return t`Sometime in ${formatPeriod(period)}`
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
  return reader().weekday(weekdayOf(day))
}

/** A date as precisely as it is known: `3 May 2025, 14:20`, `3 May 2025`, `May 2025`, `2025` or `No date`. */
export function formatWhen(dates: Dates): string {
  return reader().when(dates) ?? t`No date`
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

/** The usual name of a zone: `Vienna time`, `UTC+9`; places have English names only, so other languages say `Mitteleuropäische Zeit`. */
export function formatZone(zone: string | null): string {
  if (zone === null || zone === 'UTC') return 'UTC'
  const offset = /^([+-])(\d{2}):(\d{2})$/.exec(zone)
  if (offset) return `UTC${offset[1] === '-' ? '−' : '+'}${Number(offset[2])}${offset[3] === '00' ? '' : `:${offset[3]}`}`
  // Its times are then in UTC.
  if (!isZone(zone)) return 'UTC'
  const named = shownLanguage().startsWith('en') ? null : zoneName(zone)
  if (named) return named
  const place = zone.split('/').pop()?.replaceAll('_', ' ') ?? zone
  return t({ message: `${place} time`, comment: 'A time zone, named after a place: Vienna time' })
}

function zoneName(timeZone: string): string | undefined {
  const format = new Intl.DateTimeFormat(shownLanguage(), { timeZone, timeZoneName: 'longGeneric' })
  return format.formatToParts().find(({ type }) => type === 'timeZoneName')?.value
}

/** `7 months later` between two days far apart, from the earlier to the later; null when they are near. */
export function formatGap(earlier: string, later: string): string | null {
  const days = Math.round((Date.parse(later) - Date.parse(earlier)) / 86_400_000)
  if (days < 45) return null
  const months = Math.round(days / 30.44)
  const years = Math.floor(months / 12)
  const rest = years < 3 ? months % 12 : 0
  const time = listText([
    ...(years > 0 ? [t`${plural(years, { one: '# year', other: '# years' })}`] : []),
    ...(rest > 0 ? [t`${plural(rest, { one: '# month', other: '# months' })}`] : []),
  ])
  return gapText(time)
}

/** `7 months later`, beside the earlier of two days that stand below each other, the later one first. */
export const gapText = (time: string) => t({ message: `${time} later`, context: 'gap' })
