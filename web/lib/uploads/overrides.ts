import { dayOf } from '../../../contract/dates.ts'
import { momentOfWall } from '../../../contract/photos/fit.ts'
import { isZoneOffset } from '../../../contract/photos/written-dates.ts'
import { formatOffset, offsetAt } from '../../../contract/zones.ts'
import { named } from '../map/location-at.ts'
import type { Overrides, PreparedMeta } from './types.ts'

const MINUTE = 60_000
/** Zones differ by multiples of so many minutes. */
const QUARTER = 15

type When = Pick<Overrides, 'date' | 'dateZone' | 'datePrecision'>
type OwnWhen = When & Pick<PreparedMeta, 'dateFrom' | 'isMoment'>

/**
 * A file with an offset tells a moment: it is kept if it is the same. One without tells a wall clock: it is kept, with the offset that makes it
 * the moment known elsewhere, if a zone has such an offset. Where only a wall clock is known elsewhere, that is read in the zone of the file. Anything
 * else was corrected by its owner. What only the file's name says is less than what is known elsewhere.
 */
function whenOf({ dateFrom, isMoment, ...own }: OwnWhen, overrides: Overrides): When {
  const { date, dateZone, datePrecision } = overrides
  const given = { date, dateZone, datePrecision }
  const byName = dateFrom === 'name'
  if (overrides.exactly) return given
  if (date === null || (overrides.onlyMissing && own.date !== null && !byName) || isWithin(own, given)) return own
  if (own.date === null || byName || own.datePrecision !== 'minute') return given
  const [mine, theirs] = [Date.parse(own.date), Date.parse(date)]
  if (overrides.wallClock) return withClock(own, mine, { ...given, wall: wallOf(given, theirs) })
  if (Math.abs(mine - theirs) < MINUTE) return own
  const offset = isMoment || hasOffset(own) ? null : offsetBetween(wallOf(own, mine), theirs)
  if (offset === null) return given
  const zone = formatOffset(offset)
  return { date: textOf(wallOf(own, mine)) + zone, dateZone: zone, datePrecision: own.datePrecision }
}

/** The same, or another clock in the same zone. */
function withClock(own: When, mine: number, { wall, ...given }: When & { wall: number }): When {
  if (Math.abs(wall - wallOf(own, mine)) < MINUTE) return own
  const date = momentOfWall(textOf(wall), own.dateZone ?? 'UTC')
  return date === null ? given : { date, dateZone: own.dateZone, datePrecision: given.datePrecision }
}

/** Characters of `YYYY-MM-DD` that are known. */
const KNOWN = { day: 10, month: 7, year: 4, minute: 0, unknown: 0 }

/** Whether the file's own date says more exactly what the other one says. */
function isWithin(own: When, { date, dateZone, datePrecision }: When): boolean {
  const length = KNOWN[datePrecision]
  return length > 0 && dayOf(own.date, own.dateZone)?.slice(0, length) === dayOf(date, dateZone)?.slice(0, length)
}

const hasOffset = ({ dateZone }: When) => /^[+-]\d\d:\d\d$/.test(dateZone ?? '')

/** The wall clock of a moment in its own zone, read as if it were UTC. In ms. */
const wallOf = ({ dateZone }: When, moment: number) => moment + offsetAt(moment, dateZone ?? 'UTC') * MINUTE

const textOf = (wall: number) => new Date(wall).toISOString().replace(/(\.000)?Z$/, '')

/** Minutes; null if no zone has them. */
function offsetBetween(wall: number, moment: number): number | null {
  const offset = Math.round((wall - moment) / MINUTE / QUARTER) * QUARTER
  return isZoneOffset(offset) && Math.abs(wall - moment - offset * MINUTE) < MINUTE ? offset : null
}

/** The fields to create an asset with. A place has the name of the nearest town; that of an archive stays as it was. */
export async function assetFields(meta: PreparedMeta, overrides: Overrides | undefined) {
  const fields = withOverrides(meta, overrides)
  return { ...fields, location: overrides?.exactly ? fields.location : await named(fields.location) }
}

/** Measured values, unless an override replaces them. */
export function withOverrides(meta: PreparedMeta, overrides: Overrides | undefined) {
  const { dateFrom, isMoment, plays: _, alt = null, ...own } = meta
  if (!overrides) return { ...own, alt }
  const { date, dateZone, datePrecision, location, ...measured } = own
  return {
    ...measured,
    ...whenOf({ date, dateZone, datePrecision, dateFrom, isMoment }, overrides),
    width: measured.width ?? overrides.width ?? null,
    height: measured.height ?? overrides.height ?? null,
    duration: measured.duration ?? overrides.duration ?? null,
    thumbhash: measured.thumbhash ?? overrides.thumbhash ?? null,
    location: (overrides.onlyMissing && location) || (overrides.location ?? (overrides.exactly ? null : location)),
    alt: overrides.alt ?? (overrides.exactly ? null : alt),
    ...(overrides.placeHidden && { placeHidden: true }),
    ...(overrides.originalAuthor && { originalAuthor: overrides.originalAuthor }),
    peopleIds: overrides.peopleIds,
  }
}

/**
 * Joins what two sources know about the same bytes: each field comes from the first source that has it. An exact source gains only from another
 * exact one. The place is hidden if either source hides it.
 */
export function joinOverrides<T extends Omit<Overrides, 'peopleIds'>>(first: T, second: T): T {
  if (first.exactly && !second.exactly) return first
  const { date, dateZone, datePrecision, wallClock } = first.date === null ? second : first
  const [location, alt] = [first.location ?? second.location, first.alt ?? second.alt]
  const placeHidden = first.placeHidden || second.placeHidden
  return { ...second, ...first, placeHidden, date, dateZone, datePrecision, wallClock, location, alt }
}
