import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newestFirst } from '../content/order.ts'
import { type Chunk, rechunk } from './chunks.ts'

const row = (n: number, version = 1) => {
  const id = `id-${String(n).padStart(4, '0')}`
  return { id, date: `2025-01-01T00:00:${String(n % 60).padStart(2, '0')}Z`, date_zone: 'UTC', version }
}
type Row = ReturnType<typeof row>
const rows = (count: number) => Array.from({ length: count }, (_, n) => row(n)).sort(newestFirst)
const all = (chunks: readonly Chunk<Row>[]) => chunks.flatMap((chunk) => chunk.rows)

test('A changed, an added and a removed row each cost one record', () => {
  const list = rows(50)
  const stored = rechunk<Row>([], list, 10).chunks
  expect(stored).toHaveLength(5)
  const changed = list.with(23, { ...(list[23] as Row), version: 2 })
  expect(rechunk(stored, changed, 10)).toMatchObject({ put: [{ key: 2, rows: { length: 10 } }], gone: [] })
  expect(rechunk(stored, list.toSpliced(23, 1), 10).put.map(({ key }) => key)).toEqual([2])
  expect(rechunk(stored, [{ ...row(1), id: 'newest', date: '2026-01-01T00:00:00Z' }, ...list], 10).put.map(({ key }) => key)).toEqual([0])
  expect(rechunk(stored, list, 10).put).toEqual([])
})

test('The chunks contain exactly the list after any change', () => {
  const list = fc.uniqueArray(fc.tuple(fc.nat(90), fc.integer({ min: 1, max: 3 })), { selector: ([n]) => n, maxLength: 80 })
  fc.assert(
    fc.property(fc.array(list, { minLength: 1, maxLength: 6 }), (lists) => {
      let stored: Chunk<Row>[] = []
      const disk = new Map<number, readonly Row[]>()
      const known = new Map<string, Row>()
      for (const next of lists) {
        const same = (item: Row) => known.get(`${item.id} ${item.version}`) ?? item
        const items = next.map(([n, version]) => same(row(n, version))).sort(newestFirst)
        for (const item of items) known.set(`${item.id} ${item.version}`, item)
        const { chunks, put, gone } = rechunk(stored, items, 4)
        for (const key of gone) disk.delete(key)
        for (const { key, rows: kept } of put) disk.set(key, kept)
        expect(all(chunks)).toEqual(items)
        expect(chunks.flatMap(({ key }) => disk.get(key) ?? [])).toEqual(items)
        expect(disk.size).toBe(chunks.length)
        stored = chunks
      }
    }),
  )
})
