import { joined } from '#language'
import { plural, t } from '#say'
import { dayHere } from './moments.ts'
import { formatDate, formatDay, formatTime, formatWeekday } from './text.ts'
import { localZone } from './zones.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const WEEK_DAYS = 7

const isoOf = (moment: number) => new Date(moment).toISOString()

const dayAt = (moment: number) => dayHere(isoOf(moment))
const timeHere = (moment: number) => formatTime(isoOf(moment), localZone())

/** Calendar days between two moments, whatever their times. */
function daysBetween(earlier: number, later: number): number {
  return Math.round((Date.parse(dayAt(later)) - Date.parse(dayAt(earlier))) / (24 * HOUR))
}

/** `3 May`, with the year if it is not the current one. */
function dateOf(moment: number, now: number): string {
  return formatDate(dayAt(moment), dayAt(now).slice(0, 4))
}

/** Time since a moment: `just now`, `5 minutes ago`, `3 hours ago`, `yesterday, 14:20`, `Monday, 14:20`, `3 May`. Both in milliseconds. */
export function formatAgo(moment: number, now: number): string {
  const past = Math.max(0, now - moment)
  if (past < MINUTE) return t`just now`
  if (past < HOUR) return t`${plural(Math.floor(past / MINUTE), { one: '# minute ago', other: '# minutes ago' })}`
  const days = daysBetween(moment, now)
  if (days === 0 || past < 6 * HOUR) return t`${plural(Math.floor(past / HOUR), { one: '# hour ago', other: '# hours ago' })}`
  if (days === 1) return t`yesterday, ${timeHere(moment)}`
  if (days < WEEK_DAYS) return joined([formatWeekday(dayAt(moment)), timeHere(moment)])
  return dateOf(moment, now)
}

/** Continues “new since”: `14:20`, `yesterday at 14:20`, `Monday`, `3 May`. */
export function formatSince(moment: number, now: number): string {
  const days = daysBetween(moment, now)
  if (days <= 0) return timeHere(moment)
  if (days === 1) return t`yesterday at ${timeHere(moment)}`
  return days < WEEK_DAYS ? formatWeekday(dayAt(moment)) : dateOf(moment, now)
}

/** Time until a moment: `30 days`, `1 day`, `5 hours`, `1 minute`. Days are rounded, smaller units begun ones left out. Both in milliseconds. */
export function formatTimeLeft(moment: number, now: number): string {
  const left = moment - now
  if (left >= 24 * HOUR) return t`${plural(Math.round(left / (24 * HOUR)), { one: '# day', other: '# days' })}`
  if (left >= HOUR) return t`${plural(Math.floor(left / HOUR), { one: '# hour', other: '# hours' })}`
  return t`${plural(Math.max(1, Math.floor(left / MINUTE)), { one: '# minute', other: '# minutes' })}`
}

/** `Saturday, 3 May 2025, 14:20` in the reader's zone. */
export function formatExactly(moment: number): string {
  return joined([formatDay(dayAt(moment)), timeHere(moment)])
}
