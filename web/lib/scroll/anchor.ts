import { firstIndexWhere } from '../first-index-where.ts'

/** Items in order, one below the other or side by side; only those on the screen are rendered. Pixels from the top of the content. */
export interface ListLayout {
  count: number
  keyAt: (index: number) => string
  topAt: (index: number) => number
  /** First index that extends below `top`; `count` if none does. */
  firstBelow: (top: number) => number
  /** -1 for a missing key. */
  indexOf: (key: string) => number
  /** The day of an index, or null for no date. */
  dayAt: (index: number) => string | null
  /** Whether the item exists, for lists in which not every item has an index. */
  holds?: (position: ScrollPosition) => boolean
}

/** The item at the top of the screen, by key: pixels are meaningless once content above has changed. */
export interface ScrollPosition {
  key: string
  /** Pixels from the top of the screen to its top; negative if it is partly scrolled out. */
  below: number
  /** Fallback if the item no longer exists. */
  day: string | null
}

/** Null at the very top, where new items should be visible. */
export function scrollPositionAt(listLayout: ListLayout, top: number): ScrollPosition | null {
  const index = top > 0 ? listLayout.firstBelow(top) : listLayout.count
  if (index >= listLayout.count) return null
  return { key: listLayout.keyAt(index), below: listLayout.topAt(index) - top, day: listLayout.dayAt(index) }
}

/**
 * The scroll position in `after` that keeps the items on the screen where they were in `before` at `top`. Anchored to the item `key`, or
 * the first visible one, or if that is gone the next remaining one. Null without an anchor.
 */
export function anchoredTop(before: ListLayout, top: number, after: ListLayout, key?: string): number | null {
  if (top <= 0) return null
  const topmost = before.firstBelow(top)
  const named = key === undefined ? -1 : indexNear(before, key, topmost)
  const first = named < 0 ? topmost : named
  for (const index of outward(first, before.count)) {
    const now = indexNear(after, before.keyAt(index), index)
    if (now >= 0) return after.topAt(now) - (before.topAt(index) - top)
  }
  return null
}

/** Items that moved by at most this many indexes are found without an index of the whole list, which takes long to build. */
const NEAR = 100

function indexNear(listLayout: ListLayout, key: string, index: number): number {
  for (let away = 0; away <= NEAR; away++) {
    if (listLayout.keyAt(index + away) === key) return index + away
    if (listLayout.keyAt(index - away) === key) return index - away
  }
  return listLayout.indexOf(key)
}

/** After this many misses in each direction, the list is considered entirely different. */
const MAX_MISSES = 500

function* outward(from: number, count: number): Generator<number> {
  const end = Math.min(count, from + MAX_MISSES)
  for (let index = from; index < end; index++) yield index
  for (let index = Math.min(from, count) - 1; index >= Math.max(0, from - MAX_MISSES); index--) yield index
}

/** Pixels from the top of the content for a scroll position, by key or else by day. Null if neither is found. */
export function topOf(listLayout: ListLayout, { key, below, day }: ScrollPosition): number | null {
  const index = indexIn(listLayout, key, day)
  if (index >= 0) return listLayout.topAt(index) - below
  if (day === null) return null
  const near = indexOfDay(listLayout, day)
  return near < listLayout.count ? listLayout.topAt(near) : null
}

/** Index of a key. Searches its day first, where it nearly always is. */
export function indexIn(listLayout: ListLayout, key: string, day: string | null): number {
  if (key !== '' && day !== null)
    for (let index = indexOfDay(listLayout, day); index < listLayout.count && listLayout.dayAt(index) === day; index++)
      if (listLayout.keyAt(index) === key) return index
  return listLayout.indexOf(key)
}

/** First index of a day or an earlier one; days decrease with the index, and items without a date come last. */
export function indexOfDay({ count, dayAt }: ListLayout, day: string): number {
  return firstIndexWhere(count, (index) => {
    const there = dayAt(index)
    return there === null || there.slice(0, day.length) <= day
  })
}
