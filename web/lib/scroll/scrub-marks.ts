import { numberText } from '#language'
import { t } from '#say'
import { formatMonth, formatYear } from '../dates/text.ts'
import { firstIndexWhere } from '../first-index-where.ts'
import type { ImageFields } from '../media.ts'

export interface Mark {
  /** `YYYY-MM`, a year alone, or null for no date. */
  month: string | null
  count: number
  /** 0 to 1 along the content. */
  at: number
  /** Its first photo, for a picture beside the name. */
  photo?: ImageFields
}

/** Minimum distance between year labels, as a fraction of the track. */
const APART = 0.045

export function markText({ month, count }: Mark): string {
  return `${monthText(month)} · ${numberText(count)}`
}

export function monthText(month: string | null): string {
  if (month === null) return t`No date`
  return month.length > 4 ? formatMonth(month) : formatYear(month)
}

export function markAt(marks: readonly Mark[], share: number): number {
  return Math.max(0, firstIndexWhere(marks.length, (i) => (marks[i]?.at ?? 0) > share) - 1)
}

/** Labels for the track: the years, as far as there is room. */
export function yearLabels(marks: readonly Mark[]): { year: string; at: number }[] {
  const years: { year: string; at: number }[] = []
  for (const { month, at } of marks) {
    const year = month?.slice(0, 4) ?? ''
    const last = years.at(-1)
    if (year && year !== last?.year && (!last || at - last.at >= APART)) years.push({ year, at })
  }
  return years
}

/** Mark that a key of the slider moves to: arrows by month, Page Up and Down by year. Null for other keys. */
export function markByKey(key: string, current: number, marks: readonly Mark[]): number | null {
  const year = marks[current]?.month?.slice(0, 4)
  const otherYear = ({ month }: Mark) => month?.slice(0, 4) !== year
  switch (key) {
    case 'ArrowUp':
    case 'ArrowLeft':
      return Math.max(0, current - 1)
    case 'ArrowDown':
    case 'ArrowRight':
      return Math.min(marks.length - 1, current + 1)
    case 'PageDown': {
      const next = marks.findIndex((mark, i) => i > current && otherYear(mark))
      return next < 0 ? marks.length - 1 : next
    }
    case 'PageUp': {
      const before = marks.findLastIndex((mark, i) => i < current && otherYear(mark))
      return Math.max(0, before)
    }
    case 'Home':
      return 0
    case 'End':
      return marks.length - 1
    default:
      return null
  }
}
