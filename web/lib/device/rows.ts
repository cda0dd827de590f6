import type { z } from '../../../contract/zod.ts'

/**
 * Rows of one kind by column: what all of them share stands once, which makes 100,000 rows small and quick to read. What is read shares
 * it, too: rows never change once received, and each object less is one less to look at when garbage is collected.
 */
export interface PackedRows {
  count: number
  same: Record<string, unknown>
  each: Record<string, unknown[]>
  /** Columns of few values: which one each row has. */
  few: Record<string, { values: unknown[]; which: number[] }>
  /** Columns of lists of objects: the objects as rows of their own, and how many of them each row has. */
  lists: Record<string, { counts: number[]; rows: PackedRows }>
}

/** So many values are few. */
const FEW = 16

export function packRows(rows: readonly object[]): PackedRows {
  const packed: PackedRows = { count: rows.length, same: {}, each: {}, few: {}, lists: {} }
  for (const key of Object.keys(rows[0] ?? {})) {
    const column = rows.map((row) => (row as Record<string, unknown>)[key])
    const few = fewOf(column)
    if (few?.values.length === 1) packed.same[key] = column[0]
    else if (few) packed.few[key] = few
    else if (areLists(column)) packed.lists[key] = { counts: column.map(({ length }) => length), rows: packRows(column.flat()) }
    else packed.each[key] = column
  }
  return packed
}

/** The values of a column, or null where they are many. */
function fewOf(column: readonly unknown[]): PackedRows['few'][string] | null {
  const known = new Map<unknown, number>()
  const values: unknown[] = []
  const which: number[] = []
  for (const value of column) {
    // No JSON of an object begins as a text does here.
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

/** Whether all that stands in them are objects with the same keys in the same order. */
function areLists(column: readonly unknown[]): column is object[][] {
  if (!column.every(Array.isArray)) return false
  const items: unknown[] = column.flat()
  const keys = keysOf(items[0])
  return keys !== null && items.every((item) => keysOf(item) === keys)
}

const keysOf = (value: unknown) => (typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value).join() : null)

/**
 * The rows of a record, or null where it does not hold them: damaged, or written by another version of the app. Columns are looked at
 * for all rows, values by the schema for the first one only: the schema takes too long for every row of a large collection.
 */
export function unpackRows<S extends z.ZodObject>(stored: unknown, schema: S): z.output<S>[] | null {
  const rows = rowsOf(stored, Object.keys(schema.shape))
  // Of the schema's shape, as far as was looked.
  return rows && (rows.length === 0 || schema.safeParse(rows[0]).success) ? (rows as z.output<S>[]) : null
}

/** Null where it is no packed rows, or where one of the columns is missing. Without `keys`, all that there are. */
function rowsOf(stored: unknown, keys?: readonly string[]): Record<string, unknown>[] | null {
  if (!isPacked(stored)) return null
  const { count, same } = stored
  const columns = columnsOf(stored).filter(({ key }) => keys?.includes(key) ?? true)
  if (columns.some(({ values }) => values?.length !== count)) return null
  const names = [...Object.keys(same), ...columns.map(({ key }) => key)]
  if (keys?.some((key) => !names.includes(key))) return null
  // Copies of one object: made key by key, rows take more than twice the memory on the way, and may end up as dictionaries.
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
  /** Null where they cannot be read. */
  values: readonly unknown[] | null
}

/** Those that differ from row to row. */
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
