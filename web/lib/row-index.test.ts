import { expect, test } from 'vitest'
import { RowIndex } from './row-index.ts'

interface Row {
  id: string
  version: number
}
const indexOf = (rows: readonly Row[]) => new RowIndex(rows, ({ id }) => id)
const rowOf = (n: number, version = 1): Row => ({ id: `row-${n}`, version })

test('finds rows by their ids, and nothing for others', () => {
  const rows = Array.from({ length: 1000 }, (_, n) => rowOf(n))
  const index = indexOf(rows)
  expect(index.size).toBe(1000)
  expect(rows.every((row) => index.get(row.id) === row)).toBe(true)
  expect(index.get('row-1000')).toBeUndefined()
  expect(index.has('')).toBe(false)
})

test('a row takes the place of the one with the same id', () => {
  const index = indexOf([rowOf(1), rowOf(2), rowOf(1, 2)])
  expect(index.size).toBe(2)
  expect(index.get('row-1')).toEqual(rowOf(1, 2))
})

test('is the same as a Map after any adding and taking away', () => {
  const [index, map] = [indexOf([]), new Map<string, Row>()]
  let seed = 7
  const random = (below: number) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0
    return (seed >>> 8) % below
  }
  for (let step = 0; step < 20_000; step++) {
    // Fewer ids than steps, and more taken away in every other thousand, so that it grows and empties.
    const [n, leaves] = [random(700), random(10) < (step % 2000 < 1000 ? 3 : 7)]
    if (leaves) {
      index.delete(`row-${n}`)
      map.delete(`row-${n}`)
    } else {
      const row = rowOf(n, step)
      index.set(row)
      map.set(row.id, row)
    }
    if (step % 500 === 499) {
      expect(index.size).toBe(map.size)
      for (let each = 0; each < 700; each++) expect(index.get(`row-${each}`)).toBe(map.get(`row-${each}`))
    }
  }
})
