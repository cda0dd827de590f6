import type { z } from '../../contract/zod.ts'

/** Rows of one kind by column: what all of them share stands once, which makes 100,000 rows small and quick to read. */
export interface PackedRows {
  count: number
  same: Record<string, unknown>
  each: Record<string, unknown[]>
}

export function packRows(rows: readonly object[]): PackedRows {
  const packed: PackedRows = { count: rows.length, same: {}, each: {} }
  for (const key of Object.keys(rows[0] ?? {})) {
    const column = rows.map((row) => (row as Record<string, unknown>)[key])
    if (column.every((value) => alike(value, column[0]))) packed.same[key] = column[0]
    else packed.each[key] = column
  }
  return packed
}

function alike(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  return JSON.stringify(a) === JSON.stringify(b)
}

/**
 * The rows of a record, or null where it does not hold them: damaged, or written by another version of the app. Columns are looked at
 * for all rows, values by the schema for the first one only: the schema takes too long for every row of a large collection.
 */
export function unpackRows<S extends z.ZodObject>(stored: unknown, schema: S): z.output<S>[] | null {
  if (!isPacked(stored)) return null
  const { count, same, each } = stored
  const columns = Object.keys(schema.shape).map((key) => ({ key, values: each[key], value: same[key] }))
  if (columns.some(({ key, values }) => (values ? !Array.isArray(values) || values.length !== count : !(key in same)))) return null
  // Copies of one object: made key by key, rows take more than twice the memory on the way, and may end up as dictionaries.
  const shared = Object.fromEntries(columns.map(({ key, value }) => [key, value]))
  const own = columns.flatMap(({ key, values }) => (values ? { key, values } : []))
  const rows: Record<string, unknown>[] = []
  for (let i = 0; i < count; i++) {
    const row = { ...shared }
    for (const { key, values } of own) row[key] = values[i]
    rows.push(row)
  }
  // Of the schema's shape, as far as was looked.
  return count === 0 || schema.safeParse(rows[0]).success ? (rows as z.output<S>[]) : null
}

function isPacked(stored: unknown): stored is PackedRows {
  if (typeof stored !== 'object' || stored === null) return false
  const { count, same, each } = stored as Partial<PackedRows>
  return Number.isInteger(count) && typeof same === 'object' && same !== null && typeof each === 'object' && each !== null
}
