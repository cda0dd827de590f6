import type { DateSettings } from './date-settings.ts'
import { type DatePrecision, dayOf } from './dates.ts'

// Names of months and the marks between the parts are ours: those of Intl differ between versions of browsers. What differs between readers
// comes from Intl: order, hours, their `pm`, and the first day of the week.
const MONTHS = 'January February March April May June July August September October November December'.split(' ')
/** From Monday. */
export const WEEKDAYS = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ')

export interface Dates {
  date: string | null
  date_zone: string | null
  date_precision: DatePrecision
}

interface DayParts {
  weekday?: 'long' | 'short'
  month?: 'long' | 'short'
  /** False leaves out the year. */
  year?: boolean
}

/** Dates and times in English, in the order and on the clock of one reader. Days are `YYYY-MM-DD`. */
export interface DateFormat {
  /** Weekday on which weeks begin, 1 for Monday to 7 for Sunday. */
  firstDay: number
  /** The reader's own time zone. */
  timeZone: string
  /** `3 May 2025` or `May 3, 2025`; with the weekday before it. */
  day: (day: string, parts?: DayParts) => string
  /** `13–19 May 2024` or `May 13–19, 2024`. */
  days: (first: string, last: string) => string
  /** A time of day from the minutes since midnight: `14:20` or `2:20 PM`. */
  clock: (minutes: number) => string
  /** A whole hour: `14:00` or `2 PM`. */
  hour: (hour: number) => string
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

export function dateFormat(settings: Omit<DateSettings, 'language'>, defaults: Defaults): DateFormat {
  const { language, region } = readerOf(settings.region, defaults.language)
  const english = englishOf(region)
  const monthFirst = isMonthFirst(english)
  const [am, pm] = (settings.hours ?? hoursOf(language, region)) === 12 ? periodsOf(english) : [null, null]

  const day: DateFormat['day'] = (iso, { weekday, month: length = 'long', year: withYear = true } = {}) => {
    const { year, month, date } = partsOf(iso)
    const name = length === 'long' ? month : month.slice(0, 3)
    const text = monthFirst ? `${name} ${date}${withYear ? `, ${year}` : ''}` : `${date} ${name}${withYear ? ` ${year}` : ''}`
    return weekday ? `${weekdayName(iso, weekday)}, ${text}` : text
  }
  const days: DateFormat['days'] = (first, last) => {
    const [from, to] = [partsOf(first), partsOf(last)]
    if (from.year !== to.year) return `${day(first, { month: 'short' })} – ${day(last, { month: 'short' })}`
    if (from.month !== to.month)
      return monthFirst
        ? `${day(first, { month: 'short', year: false })} – ${day(last, { month: 'short' })}`
        : `${from.date} ${from.month.slice(0, 3)} – ${day(last, { month: 'short' })}`
    const month = to.month.slice(0, 3)
    return monthFirst ? `${month} ${from.date}–${to.date}, ${to.year}` : `${from.date}–${to.date} ${month} ${to.year}`
  }
  const clock: DateFormat['clock'] = (minutes) => {
    const [hour, rest] = [Math.floor(minutes / 60), two(minutes % 60)]
    return am === null ? `${two(hour)}:${rest}` : `${hour % 12 || 12}:${rest} ${hour % 24 < 12 ? am : pm}`
  }
  const time: DateFormat['time'] = (date, zone) => clock(minutesAt(date, zone))
  return {
    ...{ firstDay: settings.firstDay ?? firstDayOf(region), timeZone: settings.timeZone ?? defaults.timeZone, day, days, clock, time },
    hour: (hour) => (am === null ? `${two(hour)}:00` : `${hour % 12 || 12} ${hour % 24 < 12 ? am : pm}`),
    when: ({ date, date_zone, date_precision }) => {
      const known = dayOf(date, date_zone)
      if (date === null || known === null || date_precision === 'unknown') return null
      if (date_precision === 'year') return String(partsOf(known).year)
      if (date_precision === 'month') return monthOf(known)
      return date_precision === 'day' ? day(known) : `${day(known)}, ${time(date, date_zone)}`
    },
  }
}

/** `May 2025` for `2025-05` or a day in it. */
export function monthOf(day: string): string {
  const { year, month } = partsOf(`${day.slice(0, 7)}-01`)
  return `${month} ${year}`
}

export function weekdayName(day: string, length: 'long' | 'short' = 'long'): string {
  const name = WEEKDAYS[(new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7] ?? ''
  return length === 'long' ? name : name.slice(0, 3)
}

function partsOf(day: string) {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return { year, month: MONTHS[month - 1] ?? '', date }
}

const clocks = new Map<string, Intl.DateTimeFormat>()

/** Minutes since midnight of a moment in a time zone. */
export function minutesAt(date: string, zone: string | null): number {
  const timeZone = zone ?? 'UTC'
  let format = clocks.get(timeZone)
  if (!format) {
    // Creating a format takes longer than all work done with it.
    format = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone })
    clocks.set(timeZone, format)
  }
  const [hour = 0, minute = 0] = format.format(new Date(date)).split(':').map(Number)
  return hour * 60 + minute
}

/** The region whose habits count for a language. */
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

function isMonthFirst(locale: string): boolean {
  const types = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' })
    .formatToParts(0)
    .map(({ type }) => type)
  return types.indexOf('month') < types.indexOf('day')
}

/** By the reader's language in the region, or the one that most people there speak: French Canadians have 24 hours, other Canadians 12. */
function hoursOf(language: string, region: string): 12 | 24 {
  if (region === WORLD) return 24
  const main = new Intl.Locale(`und-${region}`).maximize().language
  const tag = [language, main].map((one) => `${one}-${region}`).find(supports)
  const cycle = tag && new Intl.DateTimeFormat(tag, { hour: 'numeric' }).resolvedOptions().hourCycle
  return cycle?.startsWith('h1') ? 12 : 24
}

/** The suffixes of times before and after noon: `AM` and `PM`, `am` and `pm`, `a.m.` and `p.m.` */
function periodsOf(locale: string): [string, string] {
  const format = new Intl.DateTimeFormat(locale, { hour: 'numeric', hour12: true, timeZone: 'UTC' })
  const periodAt = (hour: number, standard: string) =>
    format.formatToParts(hour * 3_600_000).find(({ type }) => type === 'dayPeriod')?.value ?? standard
  return [periodAt(9, 'AM'), periodAt(15, 'PM')]
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

const two = (n: number) => String(n).padStart(2, '0')
