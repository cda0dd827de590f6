import { dayOf } from '../../../contract/dates.ts'
import type { Overrides, PreparedMeta } from './types.ts'

/** In ms. Zones are up to 26 hours apart, by multiples of a quarter of an hour. */
const ZONES_APART = 26 * 3_600_000
const QUARTER = 15 * 60_000
const MINUTE = 60_000

type When = Pick<Overrides, 'date' | 'dateZone' | 'datePrecision'>

/** A date that only the file's name says is less than what a sidecar knows. */
function whenOf(own: When, overrides: Overrides, byName: boolean): When {
  const { date, dateZone, datePrecision } = overrides
  if (overrides.exactly) return { date, dateZone, datePrecision }
  if (date === null || (overrides.onlyMissing && own.date !== null && !byName)) return own
  if (own.date !== null && !byName && agrees(own, own.date, date)) return own
  return isWithin(own, overrides) ? own : { date, dateZone, datePrecision }
}

/** Characters of `YYYY-MM-DD` that are known. */
const KNOWN = { day: 10, month: 7, year: 4, minute: 0, unknown: 0 }

/** Whether the file's own date says more exactly what the other one says. */
function isWithin(own: When, { date, dateZone, datePrecision }: When): boolean {
  const length = KNOWN[datePrecision]
  return length > 0 && dayOf(own.date, own.dateZone)?.slice(0, length) === dayOf(date, dateZone)?.slice(0, length)
}

/**
 * Whether a date of the file and one from elsewhere are the same, so that the file's is kept, with its zone. A file with an offset tells a
 * moment. One without tells a wall clock, which may be read in any zone. What differs by more was corrected by its owner.
 */
function agrees({ dateZone, datePrecision }: When, own: string, other: string): boolean {
  if (datePrecision !== 'minute') return false
  const apart = Math.abs(Date.parse(own) - Date.parse(other))
  if (/^[+-]\d\d:\d\d$/.test(dateZone ?? '')) return apart < MINUTE
  const beyond = apart % QUARTER
  return apart <= ZONES_APART && Math.min(beyond, QUARTER - beyond) < MINUTE
}

/** The fields to create an asset with: measured values, unless an override replaces them. */
export function withOverrides(meta: PreparedMeta, overrides: Overrides | undefined) {
  const { dateFrom, alt = null, ...own } = meta
  if (!overrides) return { ...own, alt }
  const { date, dateZone, datePrecision, location, ...measured } = own
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

/** What two sources know about the same bytes: each field from the first that has it. */
export function joinOverrides<T extends Omit<Overrides, 'peopleIds'>>(first: T, second: T): T {
  if (first.exactly) return first
  const { date, dateZone, datePrecision } = first.date === null ? second : first
  const [location, alt] = [first.location ?? second.location, first.alt ?? second.alt]
  return { ...second, ...first, date, dateZone, datePrecision, location, alt }
}
