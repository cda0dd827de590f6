import { expect, test } from 'vitest'
import { createFastScroll } from './fast-scroll.ts'

const VIEW = 900
const FRAME = 16

/** Scrolls by the given pixels in each frame, and returns whether the scroll was fast after each. */
function scrolled(steps: number[]): boolean[] {
  const isFast = createFastScroll()
  let top = 0
  isFast(top, VIEW, 0)
  return steps.map((step, nth) => {
    top += step
    return isFast(top, VIEW, (nth + 1) * FRAME)
  })
}

test('A spinning wheel is a fast scroll until it slows down', () => {
  const spun = scrolled([...Array(20).fill(120), ...Array(30).fill(10)])
  expect(spun[5]).toBe(false)
  expect(spun[12]).toBe(true)
  expect(spun.slice(12, 25)).not.toContain(false)
  expect(spun.at(-1)).toBe(false)
})

test('Scrolling up is as fast as scrolling down', () => {
  expect(scrolled([...Array(20).fill(-120)]).at(-1)).toBe(true)
})

test('Smooth paging, a slow wheel and single jumps are no fast scroll', () => {
  const smooth = Array.from({ length: 12 }, () => (VIEW * 0.9) / 12)
  expect(scrolled([...smooth, ...Array(20).fill(0)])).not.toContain(true)
  expect(scrolled(Array(100).fill(40))).not.toContain(true)
  expect(scrolled([5_000, ...Array(20).fill(0), -5_000, 100, 100])).not.toContain(true)
})

test('Several jumps in a row are a fast scroll from the second one', () => {
  expect(scrolled([50_000, 50_000, 50_000, -90_000])).toEqual([false, true, true, true])
})
