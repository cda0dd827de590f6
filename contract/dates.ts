import { t } from '#say'
import { z } from './zod.ts'
import { formatIn } from './zones.ts'

/** The known part of a date. `unknown` if and only if the date is null. */
export const DatePrecision = z.enum(['minute', 'day', 'month', 'year', 'unknown'])
export type DatePrecision = z.infer<typeof DatePrecision>

// Date.UTC would read the year 1 as 1901.
const FIRST = Date.parse('0001-01-01T00:00:00Z')
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

const FORMAT = { error: () => t`Use a date and time with an offset, such as 2026-05-01T10:30:00+02:00` }

/** A moment with an offset, years 0001 to 9999. Postgres reads offsets of less than 16 hours. */
export const Moment = z.iso
  .datetime({ offset: true, ...FORMAT })
  .refine((s) => !/[+-](?:1[6-9]|2\d):\d\d$/.test(s), FORMAT)
  .refine((s) => within(Date.parse(s)), { error: () => t`The year must be between 1 and 9999` })

/** An IANA time zone known to this runtime, or a fixed offset such as +02:00. */
export const Zone = z
  .string()
  .max(64)
  .refine(isZone, { error: () => t`This time zone is not known. Use a name such as Europe/Vienna` })

export function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch {
    return false
  }
}

function within(ms: number): boolean {
  return ms >= FIRST && ms <= LAST
}

/**
 * The calendar day (`YYYY-MM-DD`) of a moment in its time zone, or null for an unknown date. Clamped to the years 0001 to 9999.
 */
export function dayOf(date: string | null, zone: string | null): string | null {
  if (date === null) return null
  const moment = new Date(date)
  // Intl does not pad early years, and writes years before 1 without a sign.
  const day = dayFormat(zone ?? 'UTC')
    .format(moment)
    .padStart(10, '0')
  if (day.length > 10) return '9999-12-31'
  return day === '0001-12-31' && moment.getTime() < FIRST + 86_400_000 ? '0001-01-01' : day
}

const formats = new Map<string, Intl.DateTimeFormat>()
function dayFormat(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone)
  if (!format) {
    // en-CA formats days as YYYY-MM-DD.
    format = formatIn(zone, 'en-CA', { year: 'numeric', month: '2-digit', day: '2-digit' })
    formats.set(zone, format)
  }
  return format
}

/**
 * Date fields in requests. In an edit, each is optional. `date: null` means an unknown date, whatever precision comes with it, and so does the precision
 * `unknown`, whatever date.
 */
export const When = {
  date: Moment.nullable().optional(),
  dateZone: Zone.nullable().optional(),
  datePrecision: DatePrecision.optional(),
}
