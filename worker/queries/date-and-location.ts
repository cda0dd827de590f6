import { type SQL, sql } from 'drizzle-orm'
import type { DatePrecision } from '../../contract/dates.ts'
import type { Location } from '../../contract/locations.ts'

export interface DateAndLocation {
  date?: string | null | undefined
  dateZone?: string | null | undefined
  datePrecision?: DatePrecision | undefined
  location?: Location | null | undefined
}

/** Columns of an item, in the order of `dateAndLocationValues`. */
export const DATE_AND_LOCATION = sql.raw('date, date_zone, date_precision, lat, lon, place_name')

/** The date is null if it or its precision is unknown. A date without a precision is known to the minute. */
export function dateAndLocationValues({ date, dateZone, datePrecision, location }: DateAndLocation): SQL {
  const known = datePrecision === 'unknown' ? null : (date ?? null)
  const precision = known === null ? 'unknown' : (datePrecision ?? 'minute')
  return sql`${known}::timestamptz, ${dateZone ?? null}::text, ${precision}::text,
    ${location?.lat ?? null}::float8, ${location?.lon ?? null}::float8, ${location?.name || null}::text`
}
