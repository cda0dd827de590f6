import { firstIndexWhere } from '../first-index-where.ts'
import type { RowDiff } from './diff.ts'
import { type Dated, newestFirst } from './order.ts'

/**
 * The one way into a list, for pages, changes since a revision and own writes alike. Order and repetition do not matter; an older version
 * never replaces a newer one. Returns the same array when nothing changed.
 */
export function mergeDelta<T extends Dated>(items: T[], changed: readonly T[], deleted: readonly string[] = []): T[] {
  const change = changeOf(items, changed, deleted)
  return change ? spliced(items, change) : items
}

/** The same for a list that its successor replaces: the index by id moves to the new list. */
export function advance<T extends Dated>(items: T[], changed: readonly T[], deleted: readonly string[] = []): T[] {
  const longer = deleted.length === 0 && appended(items, changed)
  if (longer) return longer
  const change = changeOf(items, changed, deleted)
  if (!change) return items
  return followed(items, change)
}

/** A list after a diff that replaces it: the index by id moves to the new list. */
export function followed<T extends Dated>(items: readonly T[], change: RowDiff<T>): T[] {
  const next = spliced(items, change)
  const index = indexes.get(items) as RowsById<T> | undefined
  if (!index) return next
  for (const { id } of change.gone) index.delete(id)
  for (const row of change.came) index.set(row.id, row)
  indexes.delete(items)
  indexes.set(next, index)
  return next
}

/** Fast path for pages, which only append rows: each row is examined once. Null if the rows do not all follow. */
function appended<T extends Dated>(items: readonly T[], rows: readonly T[]): T[] | null {
  if (rows.length === 0) return null
  let last = items.at(-1)
  for (const row of rows) {
    if (last && newestFirst(last, row) >= 0) return null
    last = row
  }
  const index = rowIndexOf(items)
  const size = index.size
  for (const row of rows) index.set(row.id, row)
  indexes.delete(items)
  // A row was there before, or occurs twice.
  if (index.size !== size + rows.length) return null
  const next = items.concat(rows)
  indexes.set(next, index)
  return next
}

type RowsById<T> = Map<string, T>

/** The index of a list contains that list's own rows. */
const indexes = new WeakMap<readonly Dated[], unknown>()

/** Rows of a list by id. Indexing 100,000 rows takes long, so it is done once for a list and all its successors. */
export function rowsById<T extends Dated>(items: readonly T[]): ReadonlyMap<string, T> {
  return rowIndexOf(items)
}

function rowIndexOf<T extends Dated>(items: readonly T[]): RowsById<T> {
  const known = indexes.get(items) as RowsById<T> | undefined
  if (known) return known
  const index = new Map(items.map((item) => [item.id, item]))
  indexes.set(items, index)
  return index
}

/** Null if nothing changes. */
function changeOf<T extends Dated>(items: readonly T[], changed: readonly T[], deleted: readonly string[]): RowDiff<T> | null {
  if (changed.length === 0 && deleted.length === 0) return null
  const existing = rowsById(items)
  const incoming = newestById(changed)
  const gone: T[] = []
  for (const id of new Set(deleted)) {
    incoming.delete(id)
    const item = existing.get(id)
    if (item) gone.push(item)
  }
  for (const [id, next] of incoming) {
    const item = existing.get(id)
    if (!item) continue
    if (next.version > item.version || differs(item, next)) gone.push(item)
    else incoming.delete(id)
  }
  return gone.length + incoming.size === 0 ? null : { gone, came: [...incoming.values()].sort(newestFirst) }
}

function newestById<T extends Dated>(items: readonly T[]): Map<string, T> {
  const newest = new Map<string, T>()
  for (const item of items) {
    const other = newest.get(item.id)
    if (!other || other.version <= item.version) newest.set(item.id, item)
  }
  return newest
}

/** Links and renditions may change without a new version of the row itself. */
function differs<T extends Dated>(existing: T, next: T): boolean {
  return next.version === existing.version && existing !== next && JSON.stringify(existing) !== JSON.stringify(next)
}

/** A copy without the removed rows and with the added ones, in order. */
function spliced<T extends Dated>(items: readonly T[], { gone, came }: RowDiff<T>): T[] {
  const out = gone.map((item) => indexIn(items, item)).sort((a, b) => a - b)
  const result: T[] = []
  let from = 0
  let next = 0
  const copy = (to: number) => {
    for (; from < to; from++) {
      if (out[next] === from) next++
      else result.push(items[from] as T)
    }
  }
  for (const item of came) {
    copy(insertionIndex(items, item))
    result.push(item)
  }
  copy(items.length)
  return result
}

/** Index of a row. The server's clock is finer than ours, so neighbouring rows may be in either order. */
function indexIn<T extends Dated>(items: readonly T[], item: T): number {
  const after = insertionIndex(items, item)
  return items[after - 1] === item ? after - 1 : items.indexOf(item)
}

/** The first index whose item comes after this one. */
function insertionIndex<T extends Dated>(items: readonly T[], item: T): number {
  const last = items.at(-1)
  if (!last || newestFirst(last, item) < 0) return items.length
  return firstIndexWhere(items.length, (index) => newestFirst(items[index] as T, item) > 0)
}
