import { expect, test } from 'vitest'
import { pagesOf } from './pages.ts'

const max = { rows: 3, bytes: 100 }
const pages = (sizes: number[]) => [...pagesOf(sizes, max, (size) => size)]

test('pagesOf ends a page at the maximum of rows or bytes', () => {
  expect(pages([])).toEqual([])
  expect(pages([1, 1, 1, 1])).toEqual([[1, 1, 1], [1]])
  expect(pages([60, 40, 1])).toEqual([[60, 40], [1]])
})

test('pagesOf gives an item above the maximum a page of its own', () => {
  expect(pages([1, 500, 1])).toEqual([[1], [500], [1]])
  expect([...pagesOf(['a', 'b', 'c', 'd'], max)]).toEqual([['a', 'b', 'c'], ['d']])
})
