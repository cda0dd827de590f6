import { describe, expect, test } from 'vitest'
import { bandsBetween, neighbour, tilesBetween } from '../scroll/tile-window.ts'
import { type JustifiedOptions, layoutJustified } from './justified.ts'
import { layoutMasonry } from './masonry.ts'

const OPTIONS: JustifiedOptions = { width: 1000, rowHeight: 200, gap: 4, headingHeight: 48, bandGap: 24, dayGap: 24, minDayWidth: 160 }
const same = (count: number, aspect = 1.5) => new Float32Array(count).fill(aspect)
/** Deterministic, so that a failure can be reproduced. */
function mixed(count: number): Float32Array {
  let seed = 7
  const shapes = [1.5, 0.67, 1.33, 0.75, 1, 1.78, 3]
  return Float32Array.from({ length: count }, () => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return shapes[seed % shapes.length] ?? 1
  })
}

describe('Justified layout', () => {
  test('Rows of a long day fill the width exactly, with heights near the target', () => {
    const aspects = mixed(60)
    const layout = layoutJustified(aspects, [60], OPTIONS)
    for (const top of new Set(layout.y)) {
      const row = [...layout.y.keys()].filter((i) => layout.y[i] === top)
      const last = row.at(-1) ?? 0
      const right = (layout.x[last] ?? 0) + (layout.w[last] ?? 0)
      expect(right).toBeLessThanOrEqual(1000.01)
      if (last !== 59) expect(right).toBeCloseTo(1000, 1)
      expect(layout.h[last]).toBeGreaterThan(200 / 1.7)
      expect(layout.h[last]).toBeLessThanOrEqual(270.01)
    }
  })

  test('Short days share a band, each below its own heading', () => {
    const layout = layoutJustified(same(3), [1, 1, 1], OPTIONS)
    expect(layout.bands).toHaveLength(1)
    expect(layout.bands[0]?.days.map(({ index }) => index)).toEqual([0, 1, 2])
    const right = (layout.x[2] ?? 0) + (layout.w[2] ?? 0)
    expect(right).toBeCloseTo(1000, 1)
  })

  test('A single photo is not enlarged', () => {
    const layout = layoutJustified(same(1), [1], OPTIONS)
    expect(layout.h[0]).toBe(200)
    expect(layout.w[0]).toBe(300)
  })

  test('An upright photo leaves room for its heading, and nothing overlaps', () => {
    const layout = layoutJustified(same(8, 0.5), [1, 1, 1, 1, 1, 1, 1, 1], OPTIONS)
    for (const band of layout.bands) {
      for (const [i, day] of band.days.entries()) {
        expect(day.width).toBeGreaterThanOrEqual(160)
        const next = band.days[i + 1]
        if (next) expect(next.x).toBeGreaterThanOrEqual(day.x + day.width)
        expect(day.x + day.width).toBeLessThanOrEqual(1000)
      }
    }
  })

  test('Bands do not overlap and contain every tile', () => {
    const aspects = mixed(500)
    const counts = [3, 120, 1, 1, 75, 2, 298]
    const layout = layoutJustified(aspects, counts, OPTIONS)
    let end = 0
    let index = 0
    for (const band of layout.bands) {
      expect(band.top).toBeGreaterThanOrEqual(end)
      expect(band.start).toBe(index)
      for (let i = band.start; i < band.end; i++) {
        expect((layout.y[i] ?? 0) + (layout.h[i] ?? 0)).toBeLessThanOrEqual(band.top + band.height + 0.01)
      }
      end = band.top + band.height
      index = band.end
    }
    expect(index).toBe(500)
    expect(layout.y).toEqual(layout.y.toSorted())
  })

  test('A narrow screen and an empty collection are laid out', () => {
    expect(layoutJustified(mixed(40), [40], { ...OPTIONS, width: 358, rowHeight: 120 }).height).toBeGreaterThan(0)
    expect(layoutJustified(same(0), [], OPTIONS)).toMatchObject({ height: 0, bands: [] })
  })

  test('100,000 photos are laid out in well under a second', () => {
    const counts = new Array(2000).fill(50)
    const start = performance.now()
    const layout = layoutJustified(mixed(100_000), counts, OPTIONS)
    expect(performance.now() - start).toBeLessThan(500)
    // Height of the largest element that browsers lay out.
    expect(layout.height).toBeLessThan(33_000_000)
  })
})

describe('Masonry layout', () => {
  test('The layout has at least one column, gap 0, and each tile in the shortest column', () => {
    expect(layoutMasonry(same(2), 300).w[0]).toBe(300)
    const layout = layoutMasonry(mixed(100), 1250)
    expect(layout.w[0]).toBeCloseTo(1250 / 3, 2)
    expect(layout.y).toEqual(layout.y.toSorted())
  })
})

describe('Tile window', () => {
  test.each([
    ['justified', layoutJustified(mixed(5000), [20, 1, 1, 978, 4000], OPTIONS)] as const,
    ['masonry', layoutMasonry(mixed(5000), 1250)] as const,
  ])('In a %s layout exactly the visible tiles are found', (_, layout) => {
    for (const top of [0, 777, 20_000, layout.height - 900]) {
      const [first, last] = tilesBetween(layout, top, top + 900)
      for (let i = 0; i < layout.y.length; i++) {
        const seen = (layout.y[i] ?? 0) < top + 900 && (layout.y[i] ?? 0) + (layout.h[i] ?? 0) >= top
        if (seen) expect(i >= first && i < last).toBe(true)
      }
      expect(last - first).toBeLessThan(120)
    }
  })

  test('The visible bands are found', () => {
    const layout = layoutJustified(same(100), new Array(20).fill(5), OPTIONS)
    const [first, last] = bandsBetween(layout, 600, 700)
    expect(layout.bands.slice(first, last).every((band) => band.top < 700 && band.top + band.height >= 600)).toBe(true)
    expect(last).toBeGreaterThan(first)
  })

  test('Arrow keys move to the nearest tile above and below and stop at the ends', () => {
    const layout = layoutJustified(same(12), [12], { ...OPTIONS, width: 1212 })
    expect(neighbour(layout, 0, 'down')).toBe(4)
    expect(neighbour(layout, 5, 'up')).toBe(1)
    expect(neighbour(layout, 1, 'up')).toBe(1)
    expect(neighbour(layout, 11, 'right')).toBe(11)
    expect(neighbour(layout, 0, 'left')).toBe(0)
  })

  test('In columns, arrow keys move to the neighbouring tile, then to the next row, and stop at the ends', () => {
    // 0 above 2, beside the tall 1, then 3 and 4.
    const layout = layoutMasonry(Float32Array.of(2, 0.8, 2, 2, 2), 800)
    expect([...layout.x]).toEqual([0, 400, 0, 0, 400])
    expect(neighbour(layout, 2, 'right')).toBe(1)
    expect(neighbour(layout, 1, 'left')).toBe(2)
    expect(neighbour(layout, 1, 'right')).toBe(3)
    expect(neighbour(layout, 3, 'left')).toBe(1)
    expect(neighbour(layout, 1, 'down')).toBe(4)
    expect(neighbour(layout, 0, 'down')).toBe(2)
    expect(neighbour(layout, 0, 'left')).toBe(0)
    expect(neighbour(layout, 4, 'right')).toBe(4)
  })

  test.each([300, 1250])('In columns of a width of %i every tile can be reached', (width) => {
    const layout = layoutMasonry(mixed(300), width)
    const reached = new Set([0])
    for (const from of reached) for (const step of ['left', 'right', 'up', 'down'] as const) reached.add(neighbour(layout, from, step))
    expect(reached.size).toBe(300)
  })
})
