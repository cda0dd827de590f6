import type { Asset } from '../../../contract/assets.ts'
import type { Post } from '../../../contract/posts.ts'
import { numberOf } from '../calendar/days.ts'
import type { Test } from '../filters/incremental-filter.ts'
import { firstIndexWhere } from '../first-index-where.ts'
import { diffRows } from './diff.ts'
import { type Dated, dayKeyOf, mergeSorted } from './order.ts'

/** Content of one day, newest first. The same object as long as nothing in it changes. */
export interface DayItems {
  /** `YYYY-MM-DD`, or null for items without a date. */
  day: string | null
  /** Days since 1970; NaN for no date. */
  number: number
  posts: readonly Post[]
  assets: readonly Asset[]
  /** Assets that no post of the day shows. */
  unattached: readonly Asset[]
}

/** A collection by days, newest first, unknown dates last. A day is the local day at the item's location. */
export interface ContentDays {
  posts: readonly Post[]
  assets: readonly Asset[]
  days: readonly DayItems[]
}

export const NO_DAYS: ContentDays = { posts: [], assets: [], days: [] }

/** Rows removed from a day and added to it. There may be thousands of days, so each has only the fields it needs. */
interface Touch<T> {
  gone?: Set<T>
  came?: T[]
}
type Touched = { posts: Touch<Post>; assets: Touch<Asset> }

/** Updates the days that differ from `before`; all other days stay the same objects. Lists are in the order of `newestFirst`. */
export function contentDays(posts: readonly Post[], assets: readonly Asset[], before: ContentDays = NO_DAYS): ContentDays {
  if (posts === before.posts && assets === before.assets) return before
  const touched = new Map<string | null, Touched>()
  touch(touched, 'posts', before.posts, posts)
  touch(touched, 'assets', before.assets, assets)
  if (touched.size === 0) return { posts, assets, days: before.days }
  const days: DayItems[] = []
  let at = 0
  for (const day of [...touched.keys()].sort(newestDayFirst)) {
    for (let existing = before.days[at]; existing && newestDayFirst(existing.day, day) < 0; existing = before.days[at]) {
      days.push(existing)
      at++
    }
    const existing = before.days[at]?.day === day ? before.days[at++] : undefined
    const items = dayWith(day, existing, touched.get(day) as Touched)
    if (items.posts.length + items.assets.length > 0) days.push(items)
  }
  for (; at < before.days.length; at++) days.push(before.days[at] as DayItems)
  return { posts, assets, days }
}

/**
 * The month (`2025-05`) or year (`2025`) that a day stands for, if nothing on it is known more precisely; null otherwise. Items of a month or a
 * year are dated to its first day.
 */
export function vaguePeriod(day: string | null, ...lists: readonly (readonly Pick<Asset, 'date_precision'>[])[]): string | null {
  if (day === null) return null
  let period = day
  for (const list of lists) {
    for (const { date_precision: precision } of list) {
      if (precision !== 'month' && precision !== 'year') return null
      period = period.slice(0, precision === 'month' ? 7 : 4)
    }
  }
  return period === day ? null : period
}

/** Days after filters and search. */
export interface NarrowedDays extends ContentDays {
  /** All days before filtering, and for each the filtered day, which may be empty. */
  from: readonly DayItems[]
  filteredDays: readonly DayItems[]
  tests: Tests
}
interface Tests {
  posts: Test<Post>
  assets: Test<Asset>
}

/** Filters all days, given the filtered lists. A day that loses nothing stays the same object, and so does an unchanged filtered day. */
export function narrowedDays(
  all: ContentDays,
  { posts, assets }: Pick<ContentDays, 'posts' | 'assets'>,
  tests: Tests,
  before: NarrowedDays | null,
): NarrowedDays {
  const known = before?.tests === tests ? before : null
  if (known?.posts === posts && known.assets === assets) return known
  const [postsOf, assetsOf] = [partFilter(all.posts, posts, tests.posts), partFilter(all.assets, assets, tests.assets)]
  let at = 0
  const filteredDays = all.days.map((items) => {
    for (let existing = known?.from[at]; existing && newestDayFirst(existing.day, items.day) < 0; existing = known?.from[at]) at++
    return (known?.from[at] === items ? known.filteredDays[at] : null) ?? filteredDay(items, postsOf(items.posts), assetsOf(items.assets))
  })
  return {
    posts,
    assets,
    days: filteredDays.filter((left) => left.posts.length + left.assets.length > 0),
    from: all.days,
    filteredDays,
    tests,
  }
}

function filteredDay(items: DayItems, posts: readonly Post[], assets: readonly Asset[]): DayItems {
  if (posts === items.posts && assets === items.assets) return items
  return { day: items.day, number: items.number, posts, assets, unattached: unattachedOf(posts, assets) }
}

/** Returns a filter for parts of a list. It tests single rows only if the whole list has been filtered in part. */
function partFilter<T>(all: readonly T[], left: readonly T[], test: Test<T>): (rows: readonly T[]) => readonly T[] {
  if (test === null || left.length === all.length) return (rows) => rows
  if (left.length === 0) return (rows) => (rows.length === 0 ? rows : EMPTY)
  // For the few results of a search, a look-up is quicker than a repeated search.
  const few = left.length < all.length / 4 ? new Set(left) : null
  return (rows) => {
    const kept = rows.filter(few ? (row) => few.has(row) : test)
    return kept.length === rows.length ? rows : kept
  }
}

const EMPTY: never[] = []

/** Index of a day, or the index where it would be inserted. */
export function dayIndex(days: readonly { day: string | null }[], day: string | null): number {
  return firstIndexWhere(days.length, (index) => newestDayFirst(days[index]?.day ?? null, day) >= 0)
}

export function newestDayFirst(a: string | null, b: string | null): number {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? 1 : -1
  return a < b ? 1 : -1
}

function touch<K extends 'posts' | 'assets'>(
  touched: Map<string | null, Touched>,
  kind: K,
  before: ContentDays[K],
  after: ContentDays[K],
): void {
  const { gone, came } = diffRows<Post | Asset>(before, after)
  const of = (row: Dated) => {
    const day = dayKeyOf(row)
    let found = touched.get(day)
    if (!found) {
      found = { posts: {}, assets: {} }
      touched.set(day, found)
    }
    return found[kind] as Touch<Post | Asset>
  }
  for (const row of gone) {
    const day = of(row)
    day.gone ??= new Set()
    day.gone.add(row)
  }
  for (const row of came) {
    const day = of(row)
    day.came ??= []
    day.came.push(row)
  }
}

function dayWith(day: string | null, existing: DayItems | undefined, touched: Touched): DayItems {
  const posts = rowsWith(existing?.posts ?? [], touched.posts)
  const assets = rowsWith(existing?.assets ?? [], touched.assets)
  return { day, number: day === null ? Number.NaN : numberOf(day), posts, assets, unattached: unattachedOf(posts, assets) }
}

function rowsWith<T extends Dated>(existing: readonly T[], { gone, came }: Touch<T>): readonly T[] {
  const kept = gone ? existing.filter((row) => !gone.has(row)) : existing
  if (!came) return kept
  return kept.length === 0 ? came : mergeSorted(kept, came)
}

function unattachedOf(posts: readonly Post[], assets: readonly Asset[]): readonly Asset[] {
  if (assets.length === 0 || posts.every((post) => post.assets.length === 0)) return assets
  const shown = new Set(posts.flatMap((post) => post.assets.map(({ id }) => id)))
  return assets.filter(({ id }) => !shown.has(id))
}
