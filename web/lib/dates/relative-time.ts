import { formatDay, formatTime } from './text.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const WEEK_DAYS = 7

/** The calendar day of a moment in the user's zone, as `2026-05-01`. */
function dayHere(moment: number): string {
  const date = new Date(moment)
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
}

const zoneHere = () => new Intl.DateTimeFormat().resolvedOptions().timeZone
const timeHere = (moment: number) => formatTime(new Date(moment).toISOString(), zoneHere())

/** Calendar days between two moments, whatever their times. */
function daysBetween(earlier: number, later: number): number {
  return Math.round((Date.parse(dayHere(later)) - Date.parse(dayHere(earlier))) / (24 * HOUR))
}

/** `3 May`, with the year if it is not the current one. */
function dateOf(moment: number, now: number): string {
  const [, text = ''] = formatDay(dayHere(moment), 'short').split(', ')
  return dayHere(moment).slice(0, 4) === dayHere(now).slice(0, 4) ? text.replace(/ \d{4}$/, '') : text
}

const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'} ago`

/** Time since a moment: `just now`, `5 minutes ago`, `3 hours ago`, `yesterday, 14:20`, `Monday, 14:20`, `3 May`. Both in milliseconds. */
export function formatAgo(moment: number, now: number): string {
  const past = Math.max(0, now - moment)
  if (past < MINUTE) return 'just now'
  if (past < HOUR) return counted(Math.floor(past / MINUTE), 'minute')
  const days = daysBetween(moment, now)
  if (days === 0 || past < 6 * HOUR) return counted(Math.floor(past / HOUR), 'hour')
  if (days === 1) return `yesterday, ${timeHere(moment)}`
  if (days < WEEK_DAYS) return `${formatDay(dayHere(moment)).split(',')[0]}, ${timeHere(moment)}`
  return dateOf(moment, now)
}

/** Continues “new since”: `14:20`, `yesterday at 14:20`, `Monday`, `3 May`. */
export function formatSince(moment: number, now: number): string {
  const days = daysBetween(moment, now)
  if (days <= 0) return timeHere(moment)
  if (days === 1) return `yesterday at ${timeHere(moment)}`
  return days < WEEK_DAYS ? (formatDay(dayHere(moment)).split(',')[0] ?? '') : dateOf(moment, now)
}

const unit = (count: number, name: 'day' | 'hour' | 'minute') =>
  new Intl.NumberFormat('en', { style: 'unit', unit: name, unitDisplay: 'long' }).format(count)

/** Time until a moment, in the largest full unit: `30 days`, `1 day`, `5 hours`, `1 minute`. Both in milliseconds. */
export function formatTimeLeft(moment: number, now: number): string {
  const left = moment - now
  if (left >= 24 * HOUR) return unit(Math.floor(left / (24 * HOUR)), 'day')
  if (left >= HOUR) return unit(Math.floor(left / HOUR), 'hour')
  return unit(Math.max(1, Math.floor(left / MINUTE)), 'minute')
}

/** `Saturday, 3 May 2025, 14:20` in the user's zone. */
export function formatExactly(moment: number): string {
  return `${formatDay(dayHere(moment))}, ${timeHere(moment)}`
}
