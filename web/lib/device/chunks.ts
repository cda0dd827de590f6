import { type Dated, newestFirst } from '../content/order.ts'

/** Rows stored together on the device, in the order of display. */
export interface Chunk<T> {
  key: number
  rows: readonly T[]
}

/** Rows per chunk: few enough that storing one changed row is cheap, and that the first chunk is read at once. */
const CHUNK = 500

export interface Rechunked<T> {
  chunks: Chunk<T>[]
  put: Chunk<T>[]
  gone: number[]
}

/**
 * Spreads a list over its stored chunks so that unchanged chunks stay as they are. Rows are compared by identity: they never change once
 * received. Both lists are in the order of `newestFirst`.
 */
export function rechunk<T extends Dated>(stored: readonly Chunk<T>[], list: readonly T[], size = CHUNK): Rechunked<T> {
  const result: Rechunked<T> = { chunks: [], put: [], gone: [] }
  let free = stored.reduce((most, { key }) => Math.max(most, key + 1), 0)
  let at = 0
  for (const [index, chunk] of stored.entries()) {
    const from = at
    at = index === stored.length - 1 ? list.length : endOf(chunk, list, at)
    if (at - from === chunk.rows.length && chunk.rows.every((row, i) => row === list[from + i])) result.chunks.push(chunk)
    else free = write(result, chunk.key, { rows: list.slice(from, at), free, size })
  }
  if (stored.length === 0) write(result, null, { rows: list, free, size })
  return result
}

/** End of the rows that belong to this chunk: after its last row, or before the first row of a later chunk. */
function endOf<T extends Dated>({ rows }: Chunk<T>, list: readonly T[], from: number): number {
  let at = from
  for (const row of rows) {
    let next = list[at]
    while (next && next !== row && newestFirst(next, row) < 0) next = list[++at]
    // The row itself, or a newer version of it at the same position.
    if (next && (next === row || next.id === row.id)) at++
  }
  return at
}

interface Writing<T> {
  rows: readonly T[]
  free: number
  size: number
}

/** Writes rows under a key, and the excess over one chunk under new keys. Returns the next free key. */
function write<T>(result: Rechunked<T>, key: number | null, { rows, free, size }: Writing<T>): number {
  if (rows.length === 0) {
    if (key !== null) result.gone.push(key)
    return free
  }
  const each = rows.length > 2 * size || key === null ? size : rows.length
  let next = free
  for (let from = 0; from < rows.length; from += each) {
    const chunk = { key: from === 0 && key !== null ? key : next++, rows: rows.slice(from, from + each) }
    result.chunks.push(chunk)
    result.put.push(chunk)
  }
  return next
}
