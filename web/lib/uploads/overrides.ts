import type { Overrides, PreparedMeta } from './types.ts'

/** Zones are at most so far apart, in ms: the same clock without its zone. */
const ZONES_APART = 26 * 3_600_000

type When = Pick<Overrides, 'date' | 'dateZone' | 'datePrecision'>

function whenOf(own: When, given: Overrides): When {
  const { date, dateZone, datePrecision } = given
  if (given.exactly) return { date, dateZone, datePrecision }
  if (date === null || (own.date !== null && Math.abs(Date.parse(own.date) - Date.parse(date)) <= ZONES_APART)) return own
  return { date, dateZone, datePrecision }
}

/** What an asset is created with: what was measured, under what was given. */
export function withOverrides(meta: PreparedMeta, given: Overrides | undefined) {
  const { date, dateZone, datePrecision, location, ...measured } = meta
  if (!given) return meta
  return {
    ...measured,
    ...whenOf({ date, dateZone, datePrecision }, given),
    width: measured.width ?? given.width ?? null,
    height: measured.height ?? given.height ?? null,
    duration: measured.duration ?? given.duration ?? null,
    thumbhash: measured.thumbhash ?? given.thumbhash ?? null,
    location: given.location ?? (given.exactly ? null : location),
    alt: given.alt,
    peopleIds: given.peopleIds,
  }
}
