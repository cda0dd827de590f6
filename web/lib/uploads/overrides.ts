import { DatePrecision } from '../../../contract/dates.ts'
import { Location } from '../../../contract/locations.ts'
import { z } from '../../../contract/zod.ts'
import type { PreparedMeta } from './types.ts'

/**
 * What somebody who brings a file knows of it beside its bytes. `exactly`: it holds whatever the file says, also that nothing is known;
 * otherwise a date of the file's own stays where it is the same but for its zone.
 */
export const Given = z.object({
  exactly: z.boolean(),
  date: z.string().nullable(),
  dateZone: z.string().nullable(),
  datePrecision: DatePrecision,
  location: Location.nullable(),
  alt: z.string().nullable(),
  peopleIds: z.array(z.string()),
  /** Where this browser cannot measure the file. */
  width: z.number().nullable().optional(),
  height: z.number().nullable().optional(),
  duration: z.number().nullable().optional(),
  thumbhash: z.string().nullable().optional(),
})
export type Given = z.infer<typeof Given>

/** Zones are at most so far apart, in ms: the same clock without its zone. */
const ZONES_APART = 26 * 3_600_000

type When = Pick<Given, 'date' | 'dateZone' | 'datePrecision'>

function whenOf(own: When, given: Given): When {
  const { date, dateZone, datePrecision } = given
  if (given.exactly) return { date, dateZone, datePrecision }
  if (date === null || (own.date !== null && Math.abs(Date.parse(own.date) - Date.parse(date)) <= ZONES_APART)) return own
  return { date, dateZone, datePrecision }
}

/** What an asset is created with: what was measured, under what was given. */
export function withGiven(meta: PreparedMeta, given: Given | undefined) {
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
