import { diffRows } from './diff.ts'
import type { Dated } from './order.ts'

export interface Arrival extends Dated {
  user_id: string
}

interface Lists<T> {
  /** Both in the order of the content. */
  before: readonly T[]
  now: readonly T[]
}

/** Arrivals so far in their current version, and items added since by users other than `me`. */
export function arrivedSince<T extends Arrival>(existing: readonly T[], { before, now }: Lists<T>, me: string | null): T[] {
  const { gone, came } = diffRows(before, now)
  const newest = new Map(came.map((item) => [item.id, item]))
  // A new version of a row is not a new row.
  const known = new Set(gone.map(({ id }) => id))
  return [...existing.map((item) => newest.get(item.id) ?? item), ...came.filter(({ id, user_id }) => user_id !== me && !known.has(id))]
}

/** Items still above `first`, the index of the topmost item on the screen. The others have been scrolled to or removed. */
export function itemsAbove<T>(items: readonly T[], first: number, indexOf: (item: T) => number): T[] {
  return items.filter((item) => {
    const index = indexOf(item)
    return index >= 0 && index < first
  })
}
