import { expect, test } from 'vitest'
import { whenWords } from './page.ts'
import { pagesOf } from './pages.ts'

const most = { rows: 3, bytes: 100 }
const pages = (sizes: number[]) => [...pagesOf(sizes, most, (size) => size)]

test('a page ends where it has as many rows or bytes as it may', () => {
  expect(pages([])).toEqual([])
  expect(pages([1, 1, 1, 1])).toEqual([[1, 1, 1], [1]])
  expect(pages([60, 40, 1])).toEqual([[60, 40], [1]])
})

test('what is longer than a page has one for itself, and nothing is lost', () => {
  expect(pages([1, 500, 1])).toEqual([[1], [500], [1]])
  expect([...pagesOf(['a', 'b', 'c', 'd'], most)]).toEqual([['a', 'b', 'c'], ['d']])
})

test('dates of one kind and zone are written alike, and those of others as they are', () => {
  const written = (date_zone: string | null, date_precision: 'minute' | 'year') =>
    whenWords({ date: '2026-12-31T23:30:00Z', date_zone, date_precision })
  for (let again = 0; again < 2; again++) {
    expect(written('Asia/Tokyo', 'minute')).toBe('1 January 2027 at 08:30')
    expect(written(null, 'minute')).toBe('31 December 2026 at 23:30')
    expect(written('Asia/Tokyo', 'year')).toBe('2027')
  }
})
