import { expect, test } from 'vitest'
import { createHurry } from './fast-scroll.ts'

const VIEW = 900
const FRAME = 16

/** Scrolls by so many pixels in each frame, and tells whether it was a hurry at the end of each. */
function scrolled(steps: number[]): boolean[] {
  const see = createHurry()
  let top = 0
  see(top, VIEW, 0)
  return steps.map((step, nth) => {
    top += step
    return see(top, VIEW, (nth + 1) * FRAME)
  })
}

test('a wheel that spins is a hurry until it turns slowly again', () => {
  const spun = scrolled([...Array(20).fill(120), ...Array(30).fill(10)])
  expect(spun[5]).toBe(false)
  expect(spun[12]).toBe(true)
  expect(spun.slice(12, 25)).not.toContain(false)
  expect(spun.at(-1)).toBe(false)
})

test('back up is as fast as down', () => {
  expect(scrolled([...Array(20).fill(-120)]).at(-1)).toBe(true)
})

test('a page that is turned smoothly, a slow wheel and leaps are none', () => {
  const smooth = Array.from({ length: 12 }, () => (VIEW * 0.9) / 12)
  expect(scrolled([...smooth, ...Array(20).fill(0)])).not.toContain(true)
  expect(scrolled(Array(100).fill(40))).not.toContain(true)
  expect(scrolled([5_000, 0, 0, -5_000, 100, 100])).not.toContain(true)
})
