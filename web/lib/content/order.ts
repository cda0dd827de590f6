import { dayOf } from '../../../contract/dates.ts'
import { offsetAt } from '../dates/zones.ts'

/** What posts and assets have in common for putting them in order. */
export interface Dated {
  id: string
  date: string | null
  date_zone: string | null
  version: number
}

/** What is computed of a row once. */
interface Facts {
  moment: number
  day: string | null
  /** What a search looks at (filter-text.ts); null until somebody searches. */
  text: string | null
}

/**
 * Rows never change once received, so this stays with them: a WeakMap of 100,000 rows is slow to ask, and slow for the garbage
 * collector. Not enumerable, so that a changed copy, JSON and the device's database have nothing of it.
 */
const FACTS = Symbol('facts')

export function factsOf(item: Dated & { [FACTS]?: Facts }): Facts {
  const known = item[FACTS]
  if (known) return known
  const moment = item.date === null ? Number.NEGATIVE_INFINITY : Date.parse(item.date)
  const facts: Facts = { moment, day: quickDayOf(moment, item.date_zone) ?? dayOf(item.date, item.date_zone), text: null }
  Object.defineProperty(item, FACTS, { value: facts })
  return facts
}

/** Milliseconds since 1970; unknown dates are before everything. */
export function momentOf(item: Dated): number {
  return factsOf(item).moment
}

/** The calendar day where it happened, or null. */
export function dayKeyOf(item: Dated): string | null {
  return factsOf(item).day
}

const DAY = 86_400_000
/** From 1970 to the year 9000 clocks are ahead of UTC by whole minutes, and days are written with ten characters. */
const [EARLIEST, LATEST] = [0, Date.UTC(9000, 0)]

/** The same as `dayOf` without asking Intl for every item, or undefined where only it knows. */
function quickDayOf(moment: number, zone: string | null): string | undefined {
  if (!(moment >= EARLIEST + DAY && moment < LATEST)) return undefined
  const offset = zone === null || zone === 'UTC' ? 0 : offsetOn(Math.floor(moment / DAY), zone)
  return Number.isNaN(offset) ? undefined : nameOf(Math.floor((moment + offset) / DAY))
}

const names = new Map<number, string>()

/** One string for each day, however many items it has. */
function nameOf(day: number): string {
  let name = names.get(day)
  if (name === undefined) {
    name = new Date(day * DAY).toISOString().slice(0, 10)
    names.set(day, name)
  }
  return name
}

const offsets = new Map<string, Map<number, number>>()

/** Milliseconds that the clocks of a zone are ahead all through a day of UTC, or NaN when they change in it. */
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
  const [x, y] = [factsOf(a).moment, factsOf(b).moment]
  return x === y ? (a.id < b.id ? 1 : a.id > b.id ? -1 : 0) : y - x
}

/** Two lists in order as one, in a single walk. */
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
