import { type DatePrecision, dayOf } from '../../../contract/dates.ts'

// Formatted by hand: the separators of 'en-GB' differ between browser versions, and creating the first format takes longer than all other
// work in this file.
const MONTHS = 'January February March April May June July August September October November December'.split(' ')
const WEEKDAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')

export interface Dates {
  date: string | null
  date_zone: string | null
  date_precision: DatePrecision
}

function partsOf(day: string) {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const weekday = WEEKDAYS[new Date(`${day}T00:00:00Z`).getUTCDay()] ?? ''
  return { year, month: MONTHS[month - 1] ?? '', date, weekday }
}

/** `Saturday, 3 May 2025`, or short: `Sat, 3 May 2025`. `No date` for null. */
export function formatDay(day: string | null, length: 'long' | 'short' = 'long'): string {
  if (day === null) return 'No date'
  const { year, month, date, weekday } = partsOf(day)
  return length === 'long' ? `${weekday}, ${date} ${month} ${year}` : `${weekday.slice(0, 3)}, ${date} ${month.slice(0, 3)} ${year}`
}

/** `May 2025` for `2025-05` or a day in it. */
export function formatMonth(day: string): string {
  const { year, month } = partsOf(`${day.slice(0, 7)}-01`)
  return `${month} ${year}`
}

/** A date as precisely as it is known: `3 May 2025, 14:20`, `3 May 2025`, `May 2025`, `2025` or `No date`. */
export function formatWhen({ date, date_zone, date_precision }: Dates): string {
  const day = dayOf(date, date_zone)
  if (date === null || day === null || date_precision === 'unknown') return 'No date'
  const { year, month, date: number } = partsOf(day)
  if (date_precision === 'year') return String(year)
  if (date_precision === 'month') return `${month} ${year}`
  const text = `${number} ${month} ${year}`
  return date_precision === 'day' ? text : `${text}, ${formatTime(date, date_zone)}`
}

/** `14:20` in the zone. */
export function formatTime(date: string, zone: string | null): string {
  return timeFormat(zone ?? 'UTC').format(new Date(date))
}

const formats = new Map<string, Intl.DateTimeFormat>()
/** Creating a format takes longer than all work done with it. */
function timeFormat(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone })
    formats.set(timeZone, format)
  }
  return format
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
