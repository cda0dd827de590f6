import { t } from '#say'
import { momentAt } from '../dates/moments.ts'
import type { DateChange } from './plan.ts'

export interface DateForm {
  mode: 'set' | 'shift'
  exact: 'minute' | 'day' | 'month' | 'year' | 'unknown'
  /** `YYYY-MM-DD` or empty. */
  day: string
  time: string
  /** From 1. Month and year are used where the date is no more precise than that. */
  month: string
  year: string
  zone: string
  direction: 'later' | 'earlier'
  days: string
  hours: string
  minutes: string
}

/** Limits of the contract; longer shifts have to be given in days. */
const MAX_SHIFT = { days: 3_652_059, minutes: 5_256_000 }

/** The change that a form asks for, or a message if it asks for none. */
export function dateChangeOf(form: DateForm): DateChange | string {
  return form.mode === 'shift' ? shiftOf(form) : dateOf(form)
}

function shiftOf({ direction, days, hours, minutes }: DateForm): DateChange | string {
  const [d, h, m] = [days, hours, minutes].map((text) => (text.trim() === '' ? 0 : Number(text))) as [number, number, number]
  if (![d, h, m].every((n) => Number.isInteger(n) && n >= 0)) return t`Use whole numbers`
  if (d + h + m === 0) return t`Say by how much`
  if (d > MAX_SHIFT.days || h * 60 + m > MAX_SHIFT.minutes) return t`That is further than the calendar reaches`
  const sign = direction === 'later' ? 1 : -1
  return { shift: { ...(d > 0 ? { days: sign * d } : {}), ...(h + m > 0 ? { minutes: sign * (h * 60 + m) } : {}) } }
}

function dateOf({ exact, day, time, month, year, zone }: DateForm): DateChange | string {
  if (exact === 'unknown') return { date: null, datePrecision: 'unknown' }
  if (exact === 'minute' || exact === 'day') {
    if (!/^\d{4}-\d\d-\d\d$/.test(day) || day < '0001') return t`Choose a day`
    if (exact === 'minute' && !time) return t`Choose a time`
    return momentAt(day, exact === 'minute' ? time : '', zone)
  }
  const y = Number(year)
  if (!Number.isInteger(y) || y < 1 || y > 9999) return t`Choose a year between 1 and 9999`
  const first = `${year.trim().padStart(4, '0')}-${exact === 'month' ? month.padStart(2, '0') : '01'}-01`
  return { ...momentAt(first, '', zone), datePrecision: exact }
}
