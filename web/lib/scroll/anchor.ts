/** Things one below the other (or side by side) in their order, of which only those on the screen exist. Pixels from the top of the content. */
export interface ListLayout {
  count: number
  keyAt: (index: number) => string
  topAt: (index: number) => number
  /** First index that reaches below `top`; `count` when none does. */
  firstBelow: (top: number) => number
  /** -1 for what is not there. */
  indexOf: (key: string) => number
  /** The day that an index belongs to, or null for no date. */
  dayAt: (index: number) => string | null
  /** Whether the thing is there, where not everything that is there has an index. */
  holds?: (position: ScrollPosition) => boolean
}

/** What is at the top of the screen, by name: pixels mean nothing once something above has changed. */
export interface ScrollPosition {
  key: string
  /** Pixels from the top of the screen down to its top; negative for what is partly out of sight. */
  below: number
  /** Where to look when the thing itself is gone. */
  day: string | null
}

/** Null at the very top: whoever is there wants to see what comes. */
export function scrollPositionAt(listLayout: ListLayout, top: number): ScrollPosition | null {
  const index = top > 0 ? listLayout.firstBelow(top) : listLayout.count
  if (index >= listLayout.count) return null
  return { key: listLayout.keyAt(index), below: listLayout.topAt(index) - top, day: listLayout.dayAt(index) }
}

/**
 * The scroll position in `after` that leaves what is on the screen where it was in `before` at `top`: the thing named
 * `key`, or the first one in sight, or when that is gone the next one that is still there. Null when there is nothing to hold on to.
 */
export function keptTop(before: ListLayout, top: number, after: ListLayout, key?: string): number | null {
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

/** What moved by no more than this is found without an index of the whole list, which takes long to make. */
const NEAR = 100

function indexNear(listLayout: ListLayout, key: string, index: number): number {
  for (let away = 0; away <= NEAR; away++) {
    if (listLayout.keyAt(index + away) === key) return index + away
    if (listLayout.keyAt(index - away) === key) return index - away
  }
  return listLayout.indexOf(key)
}

/** Looked for in vain this often, everything has changed. */
const MAX_TRIES = 500

/** From an index on, and then back from it. */
function* outward(from: number, count: number): Generator<number> {
  const end = Math.min(count, from + MAX_TRIES)
  for (let index = from; index < end; index++) yield index
  for (let index = Math.min(from, count) - 1; index >= Math.max(0, from - MAX_TRIES); index--) yield index
}

/** Pixels from the top at which a scroll position lies: by its key, or by its day. Null while neither is there. */
export function topOf(listLayout: ListLayout, { key, below, day }: ScrollPosition): number | null {
  const index = indexIn(listLayout, key, day)
  if (index >= 0) return listLayout.topAt(index) - below
  if (day === null) return null
  const near = indexOfDay(listLayout, day)
  return near < listLayout.count ? listLayout.topAt(near) : null
}

/** Where a thing is, looked for on its day first: there it nearly always is. */
export function indexIn(listLayout: ListLayout, key: string, day: string | null): number {
  if (key !== '' && day !== null)
    for (let index = indexOfDay(listLayout, day); index < listLayout.count && listLayout.dayAt(index) === day; index++)
      if (listLayout.keyAt(index) === key) return index
  return listLayout.indexOf(key)
}

/** First index of a day or of one before it; days fall from one index to the next, and no date comes last. */
export function indexOfDay({ count, dayAt }: ListLayout, day: string): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    const there = dayAt(middle)
    if (there === null || there.slice(0, day.length) <= day) high = middle
    else low = middle + 1
  }
  return low
}
