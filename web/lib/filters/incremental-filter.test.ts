import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newestFirst } from '../content/order.ts'
import { createFilter } from './incremental-filter.ts'

const rows = Array.from({ length: 40 }, (_, i) => ({
  id: `id-${i}`,
  date: i % 7 === 0 ? null : `2025-0${1 + (i % 9)}-01T00:00:00Z`,
  date_zone: 'UTC',
  version: 1,
  kind: i % 3,
}))
const list = fc.subarray(rows).map((some) => some.toSorted(newestFirst))

test('A filter updated from the previous list equals filtering from scratch', () => {
  fc.assert(
    fc.property(fc.array(list, { minLength: 1, maxLength: 6 }), (lists) => {
      const filter = createFilter<(typeof rows)[number]>()
      const some = ({ kind }: { kind: number }) => kind !== 1
      for (const items of lists) expect(filter(items, some)).toEqual(items.filter(some))
    }),
  )
})

test('Without a test, or without a difference in matching rows, the array stays the same', () => {
  const filter = createFilter<(typeof rows)[number]>()
  const all = rows.toSorted(newestFirst)
  const first = ({ kind }: { kind: number }) => kind === 0
  expect(filter(all, null)).toBe(all)
  const before = filter(all, first)
  expect(
    filter(
      all.filter(({ kind }) => kind !== 2),
      first,
    ),
  ).toBe(before)
})
