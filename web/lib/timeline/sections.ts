import { type DayItems, newestDayFirst } from '../content/days.ts'
import { formatGap } from '../dates/text.ts'
import { dayEntries, dayKey, vagueOf } from './entries.ts'
import type { TimelineEntry, TimelineSection } from './types.ts'

/** Days; closer sections have no gap between them (dates/text.ts). */
const NEAR = 45

/**
 * Days newest first, no date last; distant days are separated by a gap that states the interval. Unchanged sections of `before` are
 * reused.
 */
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

/** A class, as there are thousands: closures would cost each of them more memory than the section itself. */
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

  get vague(): string | null {
    return vagueOf(this.#items)
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

/** Average pixels of a post without photos, and average height of a run of photos relative to its width. */
const POST = 170
const SHAPE = 0.65

/** Expected number of runs of photos, if posts and photos are in random order. */
function runsAmong(posts: number, pictures: number): number {
  return pictures === 0 ? 0 : Math.max(pictures / 60, (pictures * (posts + 1)) / (pictures + posts))
}

export interface Month {
  /** `YYYY-MM`, a year if sections are years, or null for no date. */
  month: string | null
  count: number
  first: number
}

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
