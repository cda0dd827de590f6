import { t } from '#say'
import { Zone } from './dates.ts'
import { z } from './zod.ts'

/** The two-letter code of a country or territory that this runtime knows. */
export function isRegion(code: string): boolean {
  if (!/^[A-Z]{2}$/.test(code) || code === UNKNOWN) return false
  return new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }).of(code) !== undefined
}

/** CLDR's code of no region. */
const UNKNOWN = 'ZZ'

/** Characters of a language tag. Browsers send none longer. */
export const MAX_LANGUAGE = 35

/** A language as browsers name it, in its canonical form; null if it is not a language tag. */
export function canonicalLanguage(tag: string): string | null {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null
  } catch {
    return null
  }
}

const Hours = z.literal([12, 24])
const NO_WEEKDAY = { error: () => t`Use 1 for Monday to 7 for Sunday` }
/** 1 for Monday to 7 for Sunday. */
const Weekday = z.int().min(1, NO_WEEKDAY).max(7, NO_WEEKDAY)

/** How a person writes dates and times. Null: as in the region of their browser's language, and in its time zone. */
export const DateSettings = z.object({
  /** Of the browser with which the person signed in first, such as `de-AT`; it and its region count where no browser is asked, as in mails. */
  language: z.string().nullable(),
  region: z.string().nullable(),
  hours: Hours.nullable(),
  firstDay: Weekday.nullable(),
  timeZone: z.string().nullable(),
})
export type DateSettings = z.infer<typeof DateSettings>

/** The same fields in an edit. */
export const DateSettingsEdit = {
  language: z
    .string()
    .max(MAX_LANGUAGE)
    .refine((tag) => canonicalLanguage(tag) !== null, { error: () => t`Use a language tag such as de-AT` })
    .transform((tag) => canonicalLanguage(tag) ?? tag)
    .nullable()
    .optional(),
  region: z
    .string()
    .refine(isRegion, { error: () => t`Use the two-letter code of a country or territory, such as AT` })
    .nullable()
    .optional(),
  hours: Hours.nullable().optional(),
  firstDay: Weekday.nullable().optional(),
  timeZone: Zone.nullable().optional(),
}
