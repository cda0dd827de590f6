import { dayOf } from '../../../contract/dates.ts'
import { offsetAt } from '../../../contract/zones.ts'

export interface Dated {
  id: string
  date: string | null
  date_zone: string | null
  version: number
}

interface Derived {
  moment: number
  day: string | null
  /** Text to search (filters/text.ts); null until the first search. */
  text: string | null
}

/**
 * Rows never change once received, so the values are stored on them: a WeakMap of 100,000 rows is slow to read and slow to
 * garbage-collect. Not enumerable, so that changed copies, JSON and the device's database do not include it.
 */
const DERIVED = Symbol('derived')

export function derivedOf(item: Dated & { [DERIVED]?: Derived }): Derived {
  const known = item[DERIVED]
  if (known) return known
  const moment = item.date === null ? Number.NEGATIVE_INFINITY : Date.parse(item.date)
  const derived: Derived = { moment, day: quickDayOf(moment, item.date_zone) ?? dayOf(item.date, item.date_zone), text: null }
  Object.defineProperty(item, DERIVED, { value: derived })
  return derived
}

/** Milliseconds since 1970; unknown dates come before all others. */
export function momentOf(item: Dated): number {
  return derivedOf(item).moment
}

/** The local calendar day of the item, or null. */
export function dayKeyOf(item: Dated): string | null {
  return derivedOf(item).day
}

const DAY = 86_400_000
/** From 1970 to the year 9000 clocks are ahead of UTC by whole minutes, and days are written with ten characters. */
const [EARLIEST, LATEST] = [0, Date.UTC(9000, 0)]

/** The same as `dayOf` without calling Intl for every item; undefined where Intl is needed. */
function quickDayOf(moment: number, zone: string | null): string | undefined {
  if (!(moment >= EARLIEST + DAY && moment < LATEST)) return undefined
  const offset = zone === null || zone === 'UTC' ? 0 : offsetOn(Math.floor(moment / DAY), zone)
  return Number.isNaN(offset) ? undefined : nameOf(Math.floor((moment + offset) / DAY))
}

const names = new Map<number, string>()

/** One shared string per day, however many items it has. */
function nameOf(day: number): string {
  let name = names.get(day)
  if (name === undefined) {
    name = new Date(day * DAY).toISOString().slice(0, 10)
    names.set(day, name)
  }
  return name
}

const offsets = new Map<string, Map<number, number>>()

/** Milliseconds that a zone is ahead of UTC throughout a UTC day, or NaN if its clocks change on that day. */
function offsetOn(day: number, zone: string): number {
  let ofZone = offsets.get(zone)
  if (!ofZone) {
    ofZone = new Map()
    offsets.set(zone, ofZone)
  }
  let offset = ofZone.get(day)
  if (offset === undefined) {
    const [begin, end] = [offsetAt(day * DAY, zone), offsetAt((day + 1) * DAY, zone)]
    offset = begin === end ? begin * 60_000 : Number.NaN
    ofZone.set(day, offset)
  }
  return offset
}

export function newestFirst(a: Dated, b: Dated): number {
  const [x, y] = [derivedOf(a).moment, derivedOf(b).moment]
  return x === y ? (a.id < b.id ? 1 : a.id > b.id ? -1 : 0) : y - x
}

export function mergeSorted<A extends Dated, B extends Dated>(a: readonly A[], b: readonly B[]): (A | B)[] {
  const merged: (A | B)[] = []
  let at = 0
  let other = b[0]
  // Looked up once for each item, as that is most of the work.
  let later = other ? momentOf(other) : 0
  for (const item of a) {
    const moment = momentOf(item)
    while (other && (later > moment || (later === moment && newestFirst(other, item) < 0))) {
      merged.push(other)
      other = b[++at]
      if (other) later = momentOf(other)
    }
    merged.push(item)
  }
  for (; at < b.length; at++) merged.push(b[at] as B)
  return merged
}
