import { daysIn } from './days.ts'

const CALENDAR_VIEWS = ['month', 'week', 'year'] as const
export type CalendarViewName = (typeof CALENDAR_VIEWS)[number]

/** Content of the panel beside the calendar: a day, a month or year for items without a closer date, or `none` for items without a date. */
export type PanelKey = string
export const UNDATED: PanelKey = 'none'

export interface Position {
  view: CalendarViewName
  /** The day that has the focus, `YYYY-MM-DD`. */
  on: string
  open: PanelKey | null
}

const DAY = /^(\d{4})-(\d\d)-(\d\d)$/
const MONTH = /^(\d{4})-(\d\d)$/
const YEAR = /^\d{4}$/

export function isDay(text: string): boolean {
  const [, year = '', month = '', date = ''] = DAY.exec(text) ?? []
  return isMonth(`${year}-${month}`) && Number(date) >= 1 && Number(date) <= daysIn(`${year}-${month}`)
}

export function isMonth(text: string): boolean {
  const [, year = '', month = ''] = MONTH.exec(text) ?? []
  return isYear(year) && Number(month) >= 1 && Number(month) <= 12
}

function isYear(text: string): boolean {
  return YEAR.test(text) && text !== '0000'
}

/** Reads `?view=month&on=2024-05&day=2024-05-03`. Ignores invalid values. `opening` is the day for a URL that names none. */
export function positionOf(search: URLSearchParams, today: string, opening = today): Position {
  const view = CALENDAR_VIEWS.find((name) => name === search.get('view')) ?? 'month'
  const open = search.get('day') ?? ''
  return {
    view,
    on: dayIn(search.get('on') ?? '', today) ?? opening,
    open: open === UNDATED || isDay(open) || isMonth(open) || isYear(open) ? open : null,
  }
}

/** A day in the given month or year: today if it contains today, otherwise the first. Null if none is named. */
function dayIn(named: string, today: string): string | null {
  if (isDay(named)) return named
  if (!isMonth(named) && !isYear(named)) return null
  if (today.startsWith(named)) return today
  return isMonth(named) ? `${named}-01` : `${named}-01-01`
}

/** Date of a view in the URL, no more precise than the view needs. */
export function nameFor(view: CalendarViewName, day: string): string {
  return day.slice(0, { month: 7, week: 10, year: 4 }[view])
}
