import { plural, t } from '#say'
import type { DayItems } from '../content/days.ts'
import { isAsset, isPost } from '../content/is-post.ts'
import { formatGap, gapText } from '../dates/text.ts'
import { imageSources } from '../media.ts'
import { shownOf } from './entries.ts'
import type { Digest, TimelineSection } from './types.ts'

export const ZOOMS = ['day', 'month', 'year'] as const
export type Zoom = (typeof ZOOMS)[number]

const MAX_COVERS = { month: 5, year: 10 } as const
const LENGTH = { day: 10, month: 7, year: 4 } as const

/** The day, month or year that contains a day. */
export function periodOf(day: string | null, zoom: Zoom): string | null {
  return zoom === 'day' || day === null ? day : day.slice(0, LENGTH[zoom])
}

/** By zoom and first day: a period is rebuilt when one of its days is. */
const made = { month: new WeakMap<DayItems, Made>(), year: new WeakMap<DayItems, Made>() }
interface Made {
  days: readonly DayItems[]
  section: TimelineSection
}

/** One row for each month or year with content, newest first, with the gaps between periods that are not adjacent. */
export function digestSections(days: readonly DayItems[], zoom: 'month' | 'year'): TimelineSection[] {
  const periods: { period: string | null; days: [DayItems, ...DayItems[]] }[] = []
  for (const items of days) {
    const period = periodOf(items.day, zoom)
    const last = periods.at(-1)
    if (last && last.period === period) last.days.push(items)
    else periods.push({ period, days: [items] })
  }
  let later: string | null = null
  return periods.map(({ period, days: existing }) => {
    const gap = gapBetween(period, later)
    later = period
    const known = made[zoom].get(existing[0])
    if (
      known &&
      known.section.gap === gap &&
      known.days.length === existing.length &&
      existing.every((items, i) => items === known.days[i])
    ) {
      return known.section
    }
    const section = sectionOf(period, existing, { gap, zoom })
    made[zoom].set(existing[0], { days: existing, section })
    return section
  })
}

/** Rendering a card costs as much as this many posts and photos. */
const SIZE = 40

function sectionOf(
  period: string | null,
  days: readonly DayItems[],
  { gap, zoom }: { gap: string | null; zoom: 'month' | 'year' },
): TimelineSection {
  const key = `digest-${period}`
  return {
    day: period,
    vague: null,
    key,
    count: days.reduce((sum, { posts, unattached }) => sum + posts.length + unattached.length, 0),
    size: SIZE,
    gap,
    entries: once(() => [{ kind: 'digest', key, day: period, ...digestOf(days, MAX_COVERS[zoom]) }]),
    guess: (width) => (width * 9) / 16 + 200,
  }
}

function digestOf(days: readonly DayItems[], most: number): Digest {
  const items = days.flatMap(shownOf)
  const posts = items.filter(isPost)
  const assets = items.filter(isAsset)
  // With those that a post of their day shows.
  const pictures = days.flatMap((day) => day.assets).filter((asset) => imageSources(asset, 'preview').length > 0)
  return { ids: items.map(({ id }) => id), posts, assets, covers: spread(pictures, most) }
}

/** At most `most` items, spread evenly over the list, in order. */
export function spread<T>(list: readonly T[], most: number): T[] {
  if (list.length <= most) return [...list]
  return Array.from({ length: most }, (_, i) => list[Math.floor((i * list.length) / most)]).filter((item) => item !== undefined)
}

function gapBetween(earlier: string | null, later: string | null): string | null {
  if (earlier === null || later === null) return null
  if (later.length > 4) return formatGap(`${earlier}-01`, `${later}-01`)
  const years = Number(later) - Number(earlier)
  return years > 1 ? gapText(t`${plural(years, { one: '# year', other: '# years' })}`) : null
}

function once<T>(make: () => T): () => T {
  let value: { made: T } | undefined
  return () => {
    value ??= { made: make() }
    return value.made
  }
}
