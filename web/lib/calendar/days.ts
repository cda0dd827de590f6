/** A calendar day as a whole number: days since 1970-01-01. Independent of zones and clocks. */
export type DayNumber = number

const DAY = 86_400_000

/** Day number of `YYYY-MM-DD`. */
export function numberOf(day: string): DayNumber {
  return Date.parse(`${day}T00:00:00Z`) / DAY
}

/** The calendar of the contract: years 0001 to 9999. */
const FIRST_DAY = numberOf('0001-01-01')
const LAST_DAY = numberOf('9999-12-31')

export const inCalendar = (day: DayNumber) => day >= FIRST_DAY && day <= LAST_DAY
const clamped = (day: DayNumber) => Math.min(LAST_DAY, Math.max(FIRST_DAY, day))

/** `YYYY-MM-DD` of a day number; numbers outside the calendar become its first or last day. */
export function dayAt(day: DayNumber): string {
  return new Date(clamped(day) * DAY).toISOString().slice(0, 10)
}

export function addDays(day: string, days: number): string {
  return dayAt(numberOf(day) + days)
}

/** The same day of another month, or its last day if it is shorter. */
export function addMonths(day: string, months: number): string {
  const [year = 1, month = 1, date = 1] = day.split('-').map(Number)
  const index = year * 12 + month - 1 + months
  const [toYear, toMonth] = [Math.floor(index / 12), (index % 12) + 1]
  if (toYear < 1) return dayAt(FIRST_DAY)
  if (toYear > 9999) return dayAt(LAST_DAY)
  const target = `${String(toYear).padStart(4, '0')}-${String(toMonth).padStart(2, '0')}`
  return `${target}-${String(Math.min(date, daysIn(target))).padStart(2, '0')}`
}

/** Number of days in a month (`YYYY-MM`). */
export function daysIn(month: string): number {
  const [year = 1, number = 1] = month.split('-').map(Number)
  if (number === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return [4, 6, 9, 11].includes(number) ? 30 : 31
}

/** 1 for Monday to 7 for Sunday. */
export function weekdayOf(day: DayNumber): number {
  // 1970-01-01 was a Thursday.
  return ((((day + 3) % 7) + 7) % 7) + 1
}

/** First day of the week that contains a day. `first` is the weekday on which weeks begin, 1 for Monday to 7 for Sunday. */
export function weekStart(day: DayNumber, first: number): DayNumber {
  return day - ((weekdayOf(day) - first + 7) % 7)
}

/** First days of the weeks that a month (`YYYY-MM`) touches. */
export function weeksOf(month: string, first: number): DayNumber[] {
  const begin = numberOf(`${month}-01`)
  const end = begin + daysIn(month)
  const weeks: DayNumber[] = []
  for (let week = weekStart(begin, first); week < end; week += 7) weeks.push(week)
  return weeks
}
