import { dayOf } from '../../../contract/dates.ts'
import type { Overrides, PreparedMeta } from './types.ts'

/** Maximum difference between zones, in ms: within it, two dates may be the same wall clock without a zone. */
const ZONES_APART = 26 * 3_600_000

type When = Pick<Overrides, 'date' | 'dateZone' | 'datePrecision'>

/** A date that only the file's name says is less than what a sidecar knows. */
function whenOf(own: When, overrides: Overrides, byName: boolean): When {
  const { date, dateZone, datePrecision } = overrides
  if (overrides.exactly) return { date, dateZone, datePrecision }
  if (overrides.onlyMissing && own.date !== null && !byName) return own
  if (date === null) return own
  if (own.date !== null && !byName && Math.abs(Date.parse(own.date) - Date.parse(date)) <= ZONES_APART) return own
  return isWithin(own, overrides) ? own : { date, dateZone, datePrecision }
}

/** Characters of `YYYY-MM-DD` that are known. */
const KNOWN = { day: 10, month: 7, year: 4, minute: 0, unknown: 0 }

/** Whether the file's own date says more exactly what the other one says. */
function isWithin(own: When, { date, dateZone, datePrecision }: When): boolean {
  const length = KNOWN[datePrecision]
  return length > 0 && dayOf(own.date, own.dateZone)?.slice(0, length) === dayOf(date, dateZone)?.slice(0, length)
}

/** The fields to create an asset with: measured values, unless an override replaces them. */
export function withOverrides(meta: PreparedMeta, overrides: Overrides | undefined) {
  const { dateFrom, ...own } = meta
  if (!overrides) return own
  const { date, dateZone, datePrecision, location, alt = null, ...measured } = own
  return {
    ...measured,
    ...whenOf({ date, dateZone, datePrecision }, overrides, dateFrom === 'name'),
    width: measured.width ?? overrides.width ?? null,
    height: measured.height ?? overrides.height ?? null,
    duration: measured.duration ?? overrides.duration ?? null,
    thumbhash: measured.thumbhash ?? overrides.thumbhash ?? null,
    location: (overrides.onlyMissing && location) || (overrides.location ?? (overrides.exactly ? null : location)),
    alt: overrides.alt ?? (overrides.exactly ? null : alt),
    ...(overrides.originalAuthor && { originalAuthor: overrides.originalAuthor }),
    peopleIds: overrides.peopleIds,
  }
}
