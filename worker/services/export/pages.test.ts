import { expect, test } from 'vitest'
import { whenWords } from './page.ts'
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

test('whenWords formats dates by precision and time zone, also from the cache', () => {
  const written = (date_zone: string | null, date_precision: 'minute' | 'year') =>
    whenWords({ date: '2026-12-31T23:30:00Z', date_zone, date_precision })
  for (let again = 0; again < 2; again++) {
    expect(written('Asia/Tokyo', 'minute')).toBe('1 January 2027 at 08:30')
    expect(written(null, 'minute')).toBe('31 December 2026 at 23:30')
    expect(written('Asia/Tokyo', 'year')).toBe('2027')
  }
})
