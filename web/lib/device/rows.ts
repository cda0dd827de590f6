import type { z } from '../../../contract/zod.ts'

/**
 * Rows of one kind in columns. A value shared by all rows is stored once, which makes 100,000 rows small and quick to read. Unpacked rows
 * share objects too: rows never change once received, and fewer objects mean less work for the garbage collector.
 */
export interface PackedRows {
  count: number
  same: Record<string, unknown>
  each: Record<string, unknown[]>
  /** Columns with few distinct values: the values, and the index for each row. */
  few: Record<string, { values: unknown[]; which: number[] }>
  /** Columns of lists of objects: the objects as packed rows, and the number of objects in each row. */
  lists: Record<string, { counts: number[]; rows: PackedRows }>
}

/** Maximum number of distinct values in a `few` column. */
const FEW = 16

export function packRows(rows: readonly object[]): PackedRows {
  const packed: PackedRows = { count: rows.length, same: {}, each: {}, few: {}, lists: {} }
  const keys = new Set(rows.flatMap(Object.keys))
  for (const key of keys) {
    const column = rows.map((row) => (row as Record<string, unknown>)[key])
    const few = fewOf(column)
    if (few?.values.length === 1) packed.same[key] = column[0]
    else if (few) packed.few[key] = few
    else if (areLists(column)) packed.lists[key] = { counts: column.map(({ length }) => length), rows: packRows(column.flat()) }
    else packed.each[key] = column
  }
  return packed
}

/** The distinct values of a column, or null if there are too many. */
function fewOf(column: readonly unknown[]): PackedRows['few'][string] | null {
  const known = new Map<unknown, number>()
  const values: unknown[] = []
  const which: number[] = []
  for (const value of column) {
    // No JSON of an object begins with the prefix of a string.
    const name = typeof value === 'string' ? `"${value}` : typeof value === 'object' && value !== null ? JSON.stringify(value) : value
    const at = known.get(name) ?? values.length
    if (at === FEW) return null
    if (at === values.length) {
      known.set(name, at)
      values.push(value)
    }
    which.push(at)
  }
  return { values, which }
}

/** Whether all cells are lists of objects with the same keys in the same order. */
function areLists(column: readonly unknown[]): column is object[][] {
  if (!column.every(Array.isArray)) return false
  const items: unknown[] = column.flat()
  const keys = keysOf(items[0])
  return keys !== null && items.every((item) => keysOf(item) === keys)
}

const keysOf = (value: unknown) => (typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value).join() : null)

/**
 * Rows of a record, or null if it is damaged or written by another version of the app. Columns are checked for all rows, values against
 * the schema for the first row only: that check takes too long for every row of a large collection. `later` are the columns that rows stored by an
 * earlier version lack, with the value that they all had.
 */
export function unpackRows<S extends z.ZodObject>(stored: unknown, schema: S, later: Record<string, unknown> = {}): z.output<S>[] | null {
  const full = isPacked(stored) ? { ...stored, same: { ...without(later, stored), ...stored.same } } : stored
  const rows = rowsOf(full, Object.keys(schema.shape))
  // Matches the schema as far as checked.
  return rows && (rows.length === 0 || schema.safeParse(rows[0]).success) ? (rows as z.output<S>[]) : null
}

function without(later: Record<string, unknown>, { each, few, lists }: PackedRows): Record<string, unknown> {
  return Object.fromEntries(Object.entries(later).filter(([key]) => !(key in each || key in few || key in lists)))
}

/** Null if it is no packed rows, or if a column is missing. Without `keys`, returns all columns. */
function rowsOf(stored: unknown, keys?: readonly string[]): Record<string, unknown>[] | null {
  if (!isPacked(stored)) return null
  const { count, same } = stored
  const columns = columnsOf(stored).filter(({ key }) => keys?.includes(key) ?? true)
  if (columns.some(({ values }) => values?.length !== count)) return null
  const names = [...Object.keys(same), ...columns.map(({ key }) => key)]
  if (keys?.some((key) => !names.includes(key))) return null
  // Copies of one object: built key by key, rows take more than twice the memory during unpacking, and may end up in dictionary mode.
  const shared = Object.fromEntries((keys ?? names).map((key) => [key, same[key]]))
  const rows: Record<string, unknown>[] = []
  for (let i = 0; i < count; i++) {
    const row = { ...shared }
    for (const { key, values } of columns) row[key] = values?.[i]
    rows.push(row)
  }
  return rows
}

interface Column {
  key: string
  /** Null if the values cannot be read. */
  values: readonly unknown[] | null
}

/** Columns whose values differ between rows. */
function columnsOf({ each, few, lists }: PackedRows): Column[] {
  return [
    ...Object.entries(each).map(([key, values]) => ({ key, values: Array.isArray(values) ? values : null })),
    ...Object.entries(few).map(([key, { values, which }]) => ({
      key,
      values: which.every((at) => at in values) ? which.map((at) => values[at]) : null,
    })),
    ...Object.entries(lists).map(([key, list]) => ({ key, values: listsOf(list) })),
  ]
}

function listsOf({ counts, rows }: PackedRows['lists'][string]): unknown[][] | null {
  const items = rowsOf(rows)
  if (items?.length !== counts.reduce((sum, count) => sum + count, 0)) return null
  let end = 0
  return counts.map((count) => {
    end += count
    return items.slice(end - count, end)
  })
}

function isPacked(stored: unknown): stored is PackedRows {
  if (typeof stored !== 'object' || stored === null) return false
  const { count, same, each, few, lists } = stored as Partial<PackedRows>
  return (
    Number.isInteger(count) &&
    [same, each, few, lists].every((part) => typeof part === 'object' && part !== null) &&
    Object.values(few ?? {}).every((column) => Array.isArray(column?.values) && Array.isArray(column.which)) &&
    Object.values(lists ?? {}).every((column) => Array.isArray(column?.counts))
  )
}
