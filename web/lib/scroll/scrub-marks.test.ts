import { expect, test } from 'vitest'
import { markAt, markByKey, markText, yearLabels } from './scrub-marks.ts'

const MARKS = [
  { month: '2025-05', count: 1200, at: 0 },
  { month: '2025-01', count: 3, at: 0.5 },
  { month: '2024-12', count: 1, at: 0.52 },
  { month: '2023-07', count: 9, at: 0.8 },
  { month: null, count: 2, at: 0.97 },
]

test('A fraction of the content belongs to the last month that began before it', () => {
  expect([-1, 0, 0.49, 0.51, 0.52, 1].map((share) => markAt(MARKS, share))).toEqual([0, 0, 0, 1, 2, 4])
})

test('Years too close to the previous label get none', () => {
  expect(yearLabels(MARKS)).toEqual([
    { year: '2025', at: 0 },
    { year: '2024', at: 0.52 },
    { year: '2023', at: 0.8 },
  ])
})

test('Keys move by month and by year, and stop at both ends', () => {
  const from = (current: number, ...keys: string[]) => keys.map((key) => markByKey(key, current, MARKS))
  expect(from(1, 'ArrowDown', 'ArrowUp', 'PageDown', 'Home', 'End', 'a')).toEqual([2, 0, 2, 0, 4, null])
  expect(from(0, 'ArrowUp', 'PageUp')).toEqual([0, 0])
  expect(from(4, 'ArrowDown', 'PageDown', 'PageUp')).toEqual([4, 4, 3])
})

test('Months, years and no date are named with their count', () => {
  expect(MARKS.map(markText)).toEqual(['May 2025 · 1,200', 'January 2025 · 3', 'December 2024 · 1', 'July 2023 · 9', 'No date · 2'])
  expect(markText({ month: '2024', count: 4, at: 0 })).toBe('2024 · 4')
})
