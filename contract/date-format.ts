import type { DateSettings } from './date-settings.ts'
import { type DateWords, datesOf, englishDates } from './date-words.ts'
import { type DatePrecision, dayOf } from './dates.ts'
import { formatIn } from './zones.ts'

export interface Dates {
  date: string | null
  date_zone: string | null
  date_precision: DatePrecision
}

/** Dates and times in one language, in the order and on the clock of one reader. */
export interface DateFormat extends DateWords {
  /** Weekday on which weeks begin, 1 for Monday to 7 for Sunday. */
  firstDay: number
  /** The reader's own time zone. */
  timeZone: string
  /** The time of day of a moment in a time zone. */
  time: (date: string, zone: string | null) => string
  /** A date as precisely as it is known: `3 May 2025, 14:20`, `3 May 2025`, `May 2025`, `2025`; null if it is not. */
  when: (dates: Dates) => string | null
}

/** Defaults for settings that are null. */
interface Defaults {
  /** Such as `de-AT`. Null: a reader of whom nothing is known. */
  language: string | null
  timeZone: string
}

export const NO_DATE_SETTINGS: DateSettings = { language: null, region: null, hours: null, firstDay: null, timeZone: null }

/** `shown` is the language of the texts around. */
export function dateFormat(settings: Omit<DateSettings, 'language'>, defaults: Defaults, shown = 'en'): DateFormat {
  const { language, region } = readerOf(settings.region, defaults.language)
  const twelve = (settings.hours ?? hoursOf(language, region)) === 12
  const words = shown === 'en' ? englishDates(englishOf(region), twelve) : datesOf(localeOf(shown, region), twelve)
  return {
    ...words,
    ...{ firstDay: settings.firstDay ?? firstDayOf(region), timeZone: settings.timeZone ?? defaults.timeZone },
    time: (date, zone) => words.clock(minutesAt(date, zone)),
    when: ({ date, date_zone, date_precision }) => {
      const known = dayOf(date, date_zone)
      if (date === null || known === null || date_precision === 'unknown') return null
      if (date_precision === 'year') return words.year(known)
      if (date_precision === 'month') return words.month(known)
      return date_precision === 'day' ? words.day(known) : words.moment(known, minutesAt(date, date_zone))
    },
  }
}

const clocks = new Map<string, Intl.DateTimeFormat>()

/** Minutes since midnight of a moment in a time zone. */
export function minutesAt(date: string, zone: string | null): number {
  const timeZone = zone ?? 'UTC'
  let format = clocks.get(timeZone)
  if (!format) {
    // Creating a format takes longer than all work done with it.
    format = formatIn(timeZone, 'en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
    clocks.set(timeZone, format)
  }
  const [hour = 0, minute = 0] = format.format(new Date(date)).split(':').map(Number)
  return hour * 60 + minute
}

/** The region whose conventions apply to a language. */
export function regionOf(language: string): string {
  return readerOf(null, language).region
}

/** The region chosen, or that of the language; a language without one has its largest. */
function readerOf(region: string | null, language: string | null): { language: string; region: string } {
  if (language === null) return { language: 'en', region: region ?? WORLD }
  const known = new Intl.Locale(language).maximize()
  return { language: known.language, region: region ?? known.region ?? WORLD }
}

/** Day before month, 24 hours, weeks from Monday. */
const WORLD = '001'

/** The English of a region; international English where it has none. */
function englishOf(region: string): string {
  return supports(`en-${region}`) ? `en-${region}` : `en-${WORLD}`
}

/** Whether the runtime knows the region of a locale, and not only its language. */
function supports(tag: string): boolean {
  const { locale } = new Intl.DateTimeFormat(tag).resolvedOptions()
  return new Intl.Locale(locale).region === new Intl.Locale(tag).region
}

/** A language as it is written in a region, with Gregorian years. */
function localeOf(language: string, region: string): string {
  const { language: alone, script } = new Intl.Locale(language)
  const tag = [alone, script, region].filter(Boolean).join('-')
  return `${supports(tag) ? tag : language}-u-ca-gregory`
}

/** By the reader's language in the region, or the one that most people there speak: French Canadians have 24 hours, other Canadians 12. */
function hoursOf(language: string, region: string): 12 | 24 {
  if (region === WORLD) return 24
  const main = new Intl.Locale(`und-${region}`).maximize().language
  const tag = [language, main].map((one) => `${one}-${region}`).find(supports)
  const cycle = tag && new Intl.DateTimeFormat(tag, { hour: 'numeric' }).resolvedOptions().hourCycle
  return cycle?.startsWith('h1') ? 12 : 24
}

// For browsers whose Intl does not know weeks.
const FROM_SUNDAY =
  'AG AS BD BR BS BT BW BZ CA CO DM DO ET GT GU HK HN ID IL IN JM JP KE KH KR LA MH MM MO MT MX MZ NI NP PA PE PH PK PR PT PY SA SG SV TH TT TW UM US VE VI WS YE ZA ZW'
const FROM_SATURDAY = 'AF BH DJ DZ EG IQ IR JO KW LY OM QA SD SY'

interface WeekInfo {
  firstDay: number
}

/** Weekday on which weeks begin in a region. */
export function firstDayOf(region: string): number {
  if (region === WORLD) return 1
  // A method in newer browsers, a property in older ones, and missing from TypeScript's library.
  const known = new Intl.Locale(`und-${region}`) as Intl.Locale & { getWeekInfo?: () => WeekInfo; weekInfo?: WeekInfo }
  const info = known.getWeekInfo?.() ?? known.weekInfo
  if (info) return info.firstDay
  return FROM_SUNDAY.includes(region) ? 7 : FROM_SATURDAY.includes(region) ? 6 : 1
}
