import { type DayItems, newestDayFirst } from '../content/days.ts'
import { formatGap } from '../dates/text.ts'
import { dayEntries, dayKey } from './entries.ts'
import type { TimelineEntry, TimelineSection } from './types.ts'

/** Nearer days have nothing between them (date-text.ts). */
const NEAR = 45

/** Days newest first, no date last; between far days stands how much later the upper one is. What `before` has of a day is kept. */
export function timelineSections(days: readonly DayItems[], before: readonly TimelineSection[] = []): TimelineSection[] {
  let later: DayItems | undefined
  let at = 0
  return days.map((items) => {
    const gap = gapBetween(items, later)
    later = items
    for (let existing = before[at]; existing && newestDayFirst(existing.day, items.day) < 0; existing = before[at]) at++
    const existing = before[at]
    return existing instanceof DaySection && existing.shows(items, gap) ? existing : new DaySection(items, gap)
  })
}

function gapBetween({ day, number }: DayItems, later: DayItems | undefined): string | null {
  if (!later || day === null || later.day === null || later.number - number < NEAR) return null
  return formatGap(day, later.day)
}

/** A class, as there are thousands: functions of its own would cost each of them more than it does itself. */
class DaySection implements TimelineSection {
  readonly day: string | null
  readonly key: string
  readonly count: number
  readonly size: number
  readonly gap: string | null
  readonly #items: DayItems
  #rows: readonly TimelineEntry[] | undefined

  constructor(items: DayItems, gap: string | null) {
    this.day = items.day
    this.key = dayKey(items.day)
    this.count = items.posts.length + items.unattached.length
    this.size = this.count
    this.gap = gap
    this.#items = items
  }

  shows(items: DayItems, gap: string | null): boolean {
    return this.#items === items && this.gap === gap
  }

  entries(): readonly TimelineEntry[] {
    this.#rows ??= dayEntries(this.#items)
    return this.#rows
  }

  guess(width: number): number {
    const [posts, pictures] = [this.#items.posts.length, this.#items.unattached.length]
    return 60 + posts * POST + runsAmong(posts, pictures) * (width * SHAPE + 16)
  }
}

/** Pixels of a post without pictures, and height of a run of pictures by its width, on the whole. */
const POST = 170
const SHAPE = 0.65

/** How many runs pictures make between posts, when both come by chance. */
function runsAmong(posts: number, pictures: number): number {
  return pictures === 0 ? 0 : Math.max(pictures / 60, (pictures * (posts + 1)) / (pictures + posts))
}

export interface Month {
  /** `YYYY-MM`, a year where that is all that is shown, or null for no date. */
  month: string | null
  count: number
  /** Index of its first section. */
  first: number
}

/** Months of the timeline with how much each holds. */
export function monthsIn(sections: readonly TimelineSection[]): Month[] {
  const months: Month[] = []
  for (const [first, { day, count }] of sections.entries()) {
    const month = day?.slice(0, 7) ?? null
    const last = months.at(-1)
    if (last?.month === month) last.count += count
    else months.push({ month, count, first })
  }
  return months
}
