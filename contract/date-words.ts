interface DayParts {
  weekday?: 'long' | 'short'
  month?: 'long' | 'short'
  /** False leaves out the year. */
  year?: boolean
}

/** Dates and times as one language and region write them. Days are `YYYY-MM-DD`. */
export interface DateWords {
  /** `3 May 2025` or `May 3, 2025`; with the weekday before it. */
  day: (day: string, parts?: DayParts) => string
  /** `13–19 May 2024` or `May 13–19, 2024`. */
  days: (first: string, last: string) => string
  /** `May 2025` for `2025-05` or a day in it. */
  month: (day: string) => string
  /** The name of a month on its own, from 1 for January. */
  monthName: (month: number) => string
  /** From 1 for Monday. */
  weekday: (weekday: number, length?: 'long' | 'short' | 'narrow') => string
  /** `2025`, without leading zeros. */
  year: (day: string) => string
  /** A time of day from the minutes since midnight: `14:20` or `2:20 PM`. */
  clock: (minutes: number) => string
  /** A whole hour: `14:00` or `2 PM`. */
  hour: (hour: number) => string
  /** `3 May 2025, 14:20`. */
  moment: (day: string, minutes: number) => string
}

// In English, names of months and the marks between the parts are ours: those of Intl differ between versions of browsers. What differs between
// readers comes from Intl: order and the `pm` of hours.
const MONTHS = 'January February March April May June July August September October November December'.split(' ')
/** From Monday. */
const WEEKDAYS = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ')

/** `locale` is the English of a region. */
export function englishDates(locale: string, twelve: boolean): DateWords {
  const monthFirst = isMonthFirst(locale)
  const [am, pm] = twelve ? periodsOf(locale) : [null, null]

  const weekday: DateWords['weekday'] = (number, length = 'long') =>
    WEEKDAYS[number - 1]?.slice(0, length === 'short' ? 3 : length === 'narrow' ? 1 : undefined) ?? ''
  const day: DateWords['day'] = (iso, { weekday: withWeekday, month: length = 'long', year: withYear = true } = {}) => {
    const { year, month, date } = partsOf(iso)
    const name = length === 'long' ? month : month.slice(0, 3)
    const text = monthFirst ? `${name} ${date}${withYear ? `, ${year}` : ''}` : `${date} ${name}${withYear ? ` ${year}` : ''}`
    return withWeekday ? `${weekday(weekdayOf(iso), withWeekday)}, ${text}` : text
  }
  const days: DateWords['days'] = (first, last) => {
    const [from, to] = [partsOf(first), partsOf(last)]
    if (from.year !== to.year) return `${day(first, { month: 'short' })} – ${day(last, { month: 'short' })}`
    if (from.month !== to.month)
      return monthFirst
        ? `${day(first, { month: 'short', year: false })} – ${day(last, { month: 'short' })}`
        : `${from.date} ${from.month.slice(0, 3)} – ${day(last, { month: 'short' })}`
    const month = to.month.slice(0, 3)
    return monthFirst ? `${month} ${from.date}–${to.date}, ${to.year}` : `${from.date}–${to.date} ${month} ${to.year}`
  }
  const clock: DateWords['clock'] = (minutes) => {
    const [hour, rest] = [Math.floor(minutes / 60), two(minutes % 60)]
    return am === null ? `${two(hour)}:${rest}` : `${hour % 12 || 12}:${rest} ${hour % 24 < 12 ? am : pm}`
  }
  return {
    ...{ day, days, weekday, clock },
    month: (iso) => {
      const { year, month } = partsOf(`${iso.slice(0, 7)}-01`)
      return `${month} ${year}`
    },
    monthName: (month) => MONTHS[month - 1] ?? '',
    year: (iso) => String(partsOf(iso).year),
    hour: (hour) => (am === null ? `${two(hour)}:00` : `${hour % 12 || 12} ${hour % 24 < 12 ? am : pm}`),
    moment: (iso, minutes) => `${day(iso)}, ${clock(minutes)}`,
  }
}

/** The first of a month by language, where it alone has an ordinal number, which Intl does not know. */
const FIRST: Record<string, string> = { fr: '1er', pt: '1º' }
/** Between two days, where Intl writes ranges in digits alone. */
const UNTIL: Record<string, string> = { ja: '～', zh: '至' }

/** Dates as Intl writes them in any other language. */
export function datesOf(locale: string, twelve: boolean): DateWords {
  const made = new Map<string, Intl.DateTimeFormat>()
  const formatOf = (options: Intl.DateTimeFormatOptions) => {
    const key = JSON.stringify(options)
    const format = made.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
    made.set(key, format)
    return format
  }
  const full = { day: 'numeric', month: 'long', year: 'numeric' } as const
  const short = { ...full, month: 'short' } as const
  const time = { hour: twelve ? 'numeric' : '2-digit', minute: '2-digit', hourCycle: twelve ? 'h12' : 'h23' } as const
  const at = (minutes: number) => minutes * 60_000
  const [first = '1', until] = [FIRST[locale.slice(0, 2)], UNTIL[locale.slice(0, 2)]]
  const written = (parts: { type: string; value: string }[]) =>
    parts.map(({ type, value }) => (type === 'day' && value === '1' ? first : value)).join('')
  return {
    day: (day, { weekday, month = 'long', year = true } = {}) => {
      const parts: Intl.DateTimeFormatOptions = { day: 'numeric', month }
      if (year) parts.year = 'numeric'
      if (weekday) parts.weekday = weekday
      return written(formatOf(parts).formatToParts(utc(day)))
    },
    days: (first, last) => {
      if (until === undefined) return written(formatOf(short).formatRangeToParts(utc(first), utc(last)))
      const { year: _, ...withoutYear } = full
      const end = first.slice(0, 4) === last.slice(0, 4) ? withoutYear : full
      return formatOf(full).format(utc(first)) + until + formatOf(end).format(utc(last))
    },
    month: (day) => formatOf({ month: 'long', year: 'numeric' }).format(utc(`${day.slice(0, 7)}-01`)),
    monthName: (month) => formatOf({ month: 'long' }).format(Date.UTC(2024, month - 1, 1)),
    year: (day) => formatOf({ year: 'numeric' }).format(utc(`${day.slice(0, 4)}-01-01`)),
    // The first of January 2024 is a Monday.
    weekday: (weekday, length = 'long') => formatOf({ weekday: length }).format(Date.UTC(2024, 0, weekday)),
    clock: (minutes) => formatOf(time).format(at(minutes)),
    hour: (hour) => (twelve ? formatOf({ hour: 'numeric', hourCycle: 'h12' }) : formatOf(time)).format(at(hour * 60)),
    moment: (day, minutes) => written(formatOf({ ...full, ...time }).formatToParts(utc(day).getTime() + at(minutes))),
  }
}

/** 1 for Monday to 7 for Sunday. */
export const weekdayOf = (day: string) => utc(day).getUTCDay() || 7

const utc = (day: string) => new Date(`${day}T00:00:00Z`)

function partsOf(day: string) {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return { year, month: MONTHS[month - 1] ?? '', date }
}

function isMonthFirst(locale: string): boolean {
  const types = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' })
    .formatToParts(0)
    .map(({ type }) => type)
  return types.indexOf('month') < types.indexOf('day')
}

/** The suffixes of times before and after noon: `AM` and `PM`, `am` and `pm`, `a.m.` and `p.m.` */
function periodsOf(locale: string): [string, string] {
  const format = new Intl.DateTimeFormat(locale, { hour: 'numeric', hour12: true, timeZone: 'UTC' })
  const periodAt = (hour: number, standard: string) =>
    format.formatToParts(hour * 3_600_000).find(({ type }) => type === 'dayPeriod')?.value ?? standard
  return [periodAt(9, 'AM'), periodAt(15, 'PM')]
}

const two = (n: number) => String(n).padStart(2, '0')
