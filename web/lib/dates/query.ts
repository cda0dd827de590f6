import { shownLanguage } from '#language'
import { daysIn } from '../calendar/days.ts'
import { fold } from '../fold.ts'

const MONTHS = 'january february march april may june july august september october november december'.split(' ')

/** A period as the prefix of its days: `2024`, `2024-03` or `2024-03-15`; a month of any year is `--03`. */
export type When = string

/** Names of the months as the app shows them, alone and beside a day (Polish has `marzec` and `15 marca`), and in English. */
function monthNames(): readonly string[][] {
  const language = shownLanguage()
  const [alone, dated] = [{ month: 'long' } as const, { day: 'numeric', month: 'long' } as const].map(
    (fields) => new Intl.DateTimeFormat(language, { ...fields, timeZone: 'UTC' }),
  )
  const nameOf = (format: Intl.DateTimeFormat | undefined, month: number) =>
    format?.formatToParts(Date.UTC(2024, month, 15)).find(({ type }) => type === 'month')?.value ?? ''
  return MONTHS.map((english, month) => [english, fold(nameOf(alone, month)), fold(nameOf(dated, month))])
}

/** Words between the parts of a date: `15 de marzo de 2024`. */
const BETWEEN = new Set(['de', 'del', 'd'])

/**
 * Parses a date as users type it: `2024`, `march 2024`, `15 Mar 2024`, `2024-03-15`, `15.3.2024`, `3/2024`, `march`, `2024年3月15日`, with months also in the language of
 * the app. Null when it is none.
 */
export function parseWhen(query: string): When | null {
  const text = fold(query).trim()
  const iso = /^(\d{4})-(\d{1,2})(?:-(\d{1,2}))?$/.exec(text)
  if (iso) return join(iso[1], Number(iso[2]), iso[3])
  const slashed = /^(\d{1,2})[/.](\d{4})$/.exec(text)
  if (slashed) return join(slashed[2], Number(slashed[1]))
  const dotted = /^(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})$/.exec(text)
  if (dotted) return join(dotted[3], Number(dotted[2]), dotted[1])
  const [, year, month, day] = /^(?:(\d{4})年)?(?:(\d{1,2})月)?(?:(\d{1,2})日)?$/.exec(text) ?? []
  if (year || month) return inCharacters(year, month, day)
  const words = text.split(/[\s,.]+/).filter((word) => word && !BETWEEN.has(word))
  if (words.length > 3) return null
  const years = words.filter((word) => /^\d{4}$/.test(word))
  const days = words.filter((word) => /^\d{1,2}(st|nd|rd|th)?$/.test(word))
  const names = words.filter((word) => /^\p{L}{3,}$/u.test(word))
  if (years.length + days.length + names.length !== words.length || years.length > 1 || days.length > 1 || names.length > 1) return null
  const [name] = names
  const number = name === undefined ? 0 : monthNames().findIndex((months) => months.some((one) => one.startsWith(name))) + 1
  if (name !== undefined && number === 0) return null
  if (number === 0) return days.length === 0 && years[0] ? years[0] : null
  return years[0] ? join(years[0], number, days[0]) : days.length === 0 ? `--${two(number)}` : null
}

/** As Japanese and Chinese write it. */
function inCharacters(year?: string, month?: string, day?: string): When | null {
  if (!year) return month && !day && Number(month) >= 1 && Number(month) <= 12 ? `--${two(Number(month))}` : null
  return month ? join(year, Number(month), day) : day ? null : year
}

function join(year = '', month: number, day?: string): When | null {
  if (month < 1 || month > 12) return null
  if (day === undefined) return `${year}-${two(month)}`
  const number = Number.parseInt(day, 10)
  return number >= 1 && number <= daysIn(`${year}-${two(month)}`) ? `${year}-${two(month)}-${two(number)}` : null
}

const two = (n: number) => String(n).padStart(2, '0')

/** Number of days in the period, and the newest of them. `days` are newest first; null stands for no date. */
export function daysWithin(when: When, days: Iterable<string | null>): { count: number; newest: string | null } {
  const fits = when.startsWith('--') ? (day: string) => day.slice(5, 7) === when.slice(2) : (day: string) => day.startsWith(when)
  let count = 0
  let newest: string | null = null
  for (const day of days) {
    if (day === null || !fits(day)) continue
    count++
    if (newest === null || day > newest) newest = day
  }
  return { count, newest }
}
