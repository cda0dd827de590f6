import { expect, test } from 'vitest'
import { layoutMasonry } from '../photos/masonry.ts'
import { topsOf } from './row-tops.ts'
import { boxHeight, createTallScroll, MAX_BOX_HEIGHT } from './tall-scroll.ts'

const VIEW = 900
/** 100,000 posts with a photo each, as high as in the timeline. */
const TOPS = topsOf(new Float64Array(100_000).fill(540))
const HEIGHT = TOPS.at(-1) ?? 0
const SIZE = { height: HEIGHT, view: VIEW }
const END = MAX_BOX_HEIGHT - VIEW

test('The box of 100,000 posts, or of as many photos in one column, fits the limits of every browser', () => {
  expect(HEIGHT).toBeGreaterThan(33_554_428)
  expect(boxHeight(HEIGHT)).toBeLessThan(17_000_000)
  const column = layoutMasonry(new Float32Array(100_000).fill(0.75), 390)
  expect(column.height).toBeGreaterThan(33_554_428)
  expect(boxHeight(column.height)).toBe(MAX_BOX_HEIGHT)
})

test('Content that fits in the box scrolls normally', () => {
  const scroll = createTallScroll()
  const small = { height: 50_000, view: VIEW }
  for (const at of [-60, 0, 3, 40_000]) {
    expect(scroll.read(at, small)).toEqual({ box: at, top: at })
    expect(scroll.move(at, small)).toEqual({ box: at, top: at })
  }
  expect(boxHeight(small.height)).toBe(50_000)
})

test('Both ends of the box match those of the content', () => {
  const scroll = createTallScroll()
  expect(scroll.read(END, SIZE).top).toBe(HEIGHT - VIEW)
  expect(scroll.read(0, SIZE)).toEqual({ box: 0, top: 0 })
  expect(scroll.read(-80, SIZE).top).toBe(-80)
})

test('Wheel and touch scroll pixel for pixel, also after a jump', () => {
  const scroll = createTallScroll()
  let { box, top } = scroll.read(END / 2, SIZE)
  expect(top).toBeCloseTo(HEIGHT / 2, -4)
  for (const by of [120, -40, 900, 3_000]) {
    const next = scroll.read(box + by, SIZE)
    expect(next).toEqual({ box: box + by, top: top + by })
    ;({ box, top } = next)
  }
})

test('Every row can be scrolled to, is placed correctly, and stays when the box is read again', () => {
  const scroll = createTallScroll()
  for (const row of [99_990, 0, 1, 700, 50_000, 50_001, 98_000, 3]) {
    const top = TOPS[row] ?? 0
    const { box } = scroll.move(top, SIZE)
    expect(box).toBeGreaterThanOrEqual(0)
    expect(box).toBeLessThanOrEqual(END)
    expect(box + scroll.shift()).toBeCloseTo(top, 3)
    expect(scroll.read(box, SIZE).top).toBeCloseTo(top, 3)
  }
})

test.each([
  ['up', -2_000],
  ['down', 2_000],
])('Content scrolled %s to its end ends with the box and never jumps', (_, by) => {
  const scroll = createTallScroll()
  let { box, top } = scroll.move(HEIGHT / 2, SIZE)
  const last = HEIGHT - VIEW
  while (by < 0 ? top > 0 : top < last) {
    const next = scroll.read(Math.min(END, Math.max(0, box + by)), SIZE)
    expect(Math.abs(next.top - top)).toBeLessThanOrEqual(2_001)
    if (next.top === top) break
    ;({ box, top } = next)
  }
  expect(top).toBeCloseTo(by < 0 ? 0 : last, 3)
})

test('A change of row heights does not move the anchor', () => {
  const scroll = createTallScroll()
  const { box, top } = scroll.move(20_000_000, SIZE)
  const taller = { height: HEIGHT + 300_000, view: VIEW }
  expect(scroll.move(top + 120, taller)).toEqual({ box: box + 120, top: top + 120 })
  expect(scroll.read(box + 121, taller).top).toBe(top + 121)
})
