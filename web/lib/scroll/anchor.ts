/** Things one below the other (or side by side) in their order, of which only those on the screen exist. Pixels from the top of the content. */
export interface Placed {
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
  holds?: (place: Place) => boolean
}

/** What is at the top of the screen, by name: pixels mean nothing once something above has changed. */
export interface Place {
  key: string
  /** Pixels from the top of the screen down to its top; negative for what is partly out of sight. */
  below: number
  /** Where to look when the thing itself is gone. */
  day: string | null
}

/** Null at the very top: whoever is there wants to see what comes. */
export function placeAt(placed: Placed, top: number): Place | null {
  const index = top > 0 ? placed.firstBelow(top) : placed.count
  if (index >= placed.count) return null
  return { key: placed.keyAt(index), below: placed.topAt(index) - top, day: placed.dayAt(index) }
}

/**
 * The scroll position in `after` that leaves what is on the screen where it was in `before` at `top`: the thing named
 * `key`, or the first one in sight, or when that is gone the next one that is still there. Null when there is nothing to hold on to.
 */
export function keptTop(before: Placed, top: number, after: Placed, key?: string): number | null {
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

function indexNear(placed: Placed, key: string, index: number): number {
  for (let away = 0; away <= NEAR; away++) {
    if (placed.keyAt(index + away) === key) return index + away
    if (placed.keyAt(index - away) === key) return index - away
  }
  return placed.indexOf(key)
}

/** Looked for in vain this often, everything has changed. */
const MOST_TRIES = 500

/** From an index on, and then back from it. */
function* outward(from: number, count: number): Generator<number> {
  const end = Math.min(count, from + MOST_TRIES)
  for (let index = from; index < end; index++) yield index
  for (let index = Math.min(from, count) - 1; index >= Math.max(0, from - MOST_TRIES); index--) yield index
}

/** The scroll position that brings a place back: the thing itself, or the day it was on. Null while neither is there. */
export function topOf(placed: Placed, { key, below, day }: Place): number | null {
  const index = indexIn(placed, key, day)
  if (index >= 0) return placed.topAt(index) - below
  if (day === null) return null
  const near = indexOfDay(placed, day)
  return near < placed.count ? placed.topAt(near) : null
}

/** Where a thing is, looked for on its day first: there it nearly always is. */
export function indexIn(placed: Placed, key: string, day: string | null): number {
  if (key !== '' && day !== null)
    for (let index = indexOfDay(placed, day); index < placed.count && placed.dayAt(index) === day; index++)
      if (placed.keyAt(index) === key) return index
  return placed.indexOf(key)
}

/** First index of a day or of one before it; days fall from one index to the next, and no date comes last. */
export function indexOfDay({ count, dayAt }: Placed, day: string): number {
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
