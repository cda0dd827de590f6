import { expect, test } from 'vitest'
import { anchoredTop, indexOfDay, type ListLayout, scrollPositionAt, topOf } from './anchor.ts'

/** A list of items named by letters, with the given heights. */
function stack(heights: Record<string, number>, days: Record<string, string | null> = {}): ListLayout {
  const keys = Object.keys(heights)
  const tops = [0]
  for (const key of keys) tops.push((tops.at(-1) ?? 0) + (heights[key] ?? 0))
  return {
    count: keys.length,
    keyAt: (index) => keys[index] ?? '',
    topAt: (index) => tops[index] ?? 0,
    firstBelow: (top) => keys.findIndex((_, index) => (tops[index + 1] ?? 0) > top),
    indexOf: (key) => keys.indexOf(key),
    dayAt: (index) => days[keys[index] ?? ''] ?? null,
  }
}

const before = stack({ a: 100, b: 100, c: 100, d: 100 })

test('Content added above moves the scroll position by its height', () => {
  expect(anchoredTop(before, 150, stack({ new: 40, a: 100, b: 100, c: 100, d: 100 }))).toBe(190)
})

test('Content removed or resized above moves the scroll position by the difference', () => {
  expect(anchoredTop(before, 150, stack({ b: 100, c: 100, d: 100 }))).toBe(50)
  expect(anchoredTop(before, 150, stack({ a: 260, b: 100, c: 100, d: 100 }))).toBe(310)
  expect(anchoredTop(before, 150, stack({ a: 20, b: 100, c: 100, d: 100 }))).toBe(70)
})

test('A change below does not move the scroll position', () => {
  expect(anchoredTop(before, 150, stack({ a: 100, b: 100, c: 10, e: 70 }))).toBe(150)
})

test('When the first visible item is removed, the next one stays where it was', () => {
  expect(anchoredTop(before, 150, stack({ a: 100, c: 100, d: 100 }))).toBe(50)
  expect(anchoredTop(before, 350, stack({ a: 100, b: 100, c: 100 }))).toBe(350)
})

test('An anchor given by its key stays, even if it is not the first visible item', () => {
  const wider = stack({ new: 30, a: 100, b: 100, c: 100, d: 100 })
  expect(anchoredTop(before, 150, wider, 'c')).toBe(180)
  expect(anchoredTop(before, 150, stack({ b: 10, a: 100, c: 100, d: 100 }), 'b')).toBe(50)
  expect(anchoredTop(before, 150, stack({ a: 100, b: 100, d: 100 }), 'c')).toBe(50)
  expect(anchoredTop(before, 150, wider, 'gone')).toBe(180)
})

test('At the top, and when all items are new, there is no anchor', () => {
  expect(anchoredTop(before, 0, stack({ new: 40, a: 100 }))).toBeNull()
  expect(anchoredTop(before, 150, stack({ x: 40, y: 100 }))).toBeNull()
})

test('A scroll position is found by its key, or by its day when the key is gone', () => {
  const days = { a: '2025-05-03', b: '2025-05-03', c: '2025-05-01', d: null }
  const position = scrollPositionAt(stack({ a: 100, b: 100, c: 100, d: 100 }, days), 250)
  expect(position).toEqual({ key: 'c', below: -50, day: '2025-05-01' })
  const later = stack({ new: 30, a: 100, c: 100 }, days)
  if (position) expect(topOf(later, position)).toBe(180)
  expect(topOf(later, { key: 'gone', below: -50, day: '2025-05-02' })).toBe(130)
  expect(topOf(later, { key: 'gone', below: -50, day: null })).toBeNull()
})

test('Days, months and years are found in decreasing order, and no date comes last', () => {
  const listLayout = stack({ a: 1, b: 1, c: 1, d: 1 }, { a: '2025-05-03', b: '2025-05-01', c: '2024-12-31', d: null })
  expect(['2026', '2025-05', '2025-05-02', '2024', '2020'].map((day) => indexOfDay(listLayout, day))).toEqual([0, 0, 1, 2, 3])
})
