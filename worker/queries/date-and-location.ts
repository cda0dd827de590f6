import { type SQL, sql } from 'drizzle-orm'
import type { DatePrecision } from '../../contract/dates.ts'
import type { Location } from '../../contract/locations.ts'
import { inZone } from './places.ts'

export interface DateAndLocation {
  date?: string | null | undefined
  dateZone?: string | null | undefined
  datePrecision?: DatePrecision | undefined
  location?: Location | null | undefined
}

/** Columns of an item, in the order of `dateAndLocationValues`. */
export const DATE_AND_LOCATION = sql.raw('date, date_zone, date_precision, lat, lon, place_name')

/** For a new item. */
export function dateAndLocationValues(fields: DateAndLocation): SQL {
  return sql`${dateValues(fields)}, ${locationValues(fields.location)}`
}

/** For `date`, `date_zone` and `date_precision`. The date is null if it or its precision is unknown. A date without a precision is known to the minute. */
export function dateValues({ date, dateZone, datePrecision }: Omit<DateAndLocation, 'location'>): SQL {
  const known = datePrecision === 'unknown' ? null : (date ?? null)
  const precision = known === null ? 'unknown' : (datePrecision ?? 'minute')
  return sql`${known}::timestamptz, ${dateZone ?? null}::text, ${precision}::text`
}

const locationValues = (location: Location | null | undefined) =>
  sql`${location?.lat ?? null}::float8, ${location?.lon ?? null}::float8, ${location?.name || null}::text`

/**
 * Assigns a new location to item `a`, `i` or `p`. The middle of its town, without a name, is what is shown to those who do not see the exact place: an
 * editor that sends it back changes nothing. The author's home zones do not apply to a place that somebody else gives, or
 * others would find the zones by trying; they still apply within the zone in which the item was before.
 */
export function assignLocation(alias: 'a' | 'i' | 'p', location: Location | null | undefined, userId: string): SQL {
  const item = sql.raw(alias)
  const values = locationValues(location)
  const byOther = (lat: SQL, lon: SQL) => sql`case when ${item}.user_id = ${userId} or ${lat} is null then false
    when (${lat}, ${lon}) is not distinct from (${item}.lat, ${item}.lon) then ${item}.placed_by_other
    else not exists (select from home_zones z where ${inZone(item)} and within_metres(${lat}, ${lon}, z.lat, z.lon, z.radius)) end`
  if (!location || location.name)
    return sql`(lat, lon, place_name, placed_by_other) = (select x.*, ${byOther(sql`x.lat`, sql`x.lon`)} from (select ${values}) x (lat, lon, place_name))`
  const isTown = (of: SQL) =>
    sql`town_degree(${of}.lat, 90) = ${location.lat}::float8 and town_degree(${of}.lon, 180) = ${location.lon}::float8`
  return sql`(lat, lon, place_name, placed_by_other) = (select case when kept then ${item}.lat else ${location.lat}::float8 end,
      case when kept then ${item}.lon else ${location.lon}::float8 end, case when kept then ${item}.place_name end,
      case when kept then ${item}.placed_by_other else ${byOther(sql`${location.lat}::float8`, sql`${location.lon}::float8`)} end
    from (select coalesce(${isTown(item)}, false) or exists (select from home_zones z where ${inZone(item)} and ${isTown(sql`z`)}) as kept offset 0) town)`
}
