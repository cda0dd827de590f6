import { firstIndexWhere } from '../first-index-where.ts'
import type { TileLayout } from '../photos/justified.ts'

/** Tiles that touch the range from `top` to `bottom`, as [first, last). */
export function tilesBetween(layout: TileLayout, top: number, bottom: number): [number, number] {
  const { y, h, tallest } = layout
  let first = firstIndexWhere(y.length, (i) => (y[i] ?? 0) >= top - tallest)
  const last = firstIndexWhere(y.length, (i) => (y[i] ?? 0) >= bottom)
  while (first < last && (y[first] ?? 0) + (h[first] ?? 0) < top) first++
  return [first, last]
}

export function bandsBetween({ bands }: TileLayout, top: number, bottom: number): [number, number] {
  const first = firstIndexWhere(bands.length, (i) => (bands[i]?.top ?? 0) + (bands[i]?.height ?? 0) >= top)
  return [first, firstIndexWhere(bands.length, (i) => (bands[i]?.top ?? 0) >= bottom)]
}

export type Step = 'left' | 'right' | 'up' | 'down'

/**
 * The tile that an arrow key moves to. In rows, left and right follow the order, up and down go to the tile with the nearest middle in the
 * next row; in columns all four go to the neighbouring tile. Stays at the edges.
 */
export function neighbour(layout: TileLayout, from: number, step: Step): number {
  const last = layout.y.length - 1
  const inColumns = layout.bands.length === 0
  if (inColumns && step === 'left') return columnNeighbour(layout, from, -1)
  if (inColumns && step === 'right') return columnNeighbour(layout, from, 1)
  if (step === 'left') return Math.max(0, from - 1)
  if (step === 'right') return Math.min(last, from + 1)
  return verticalNeighbour(layout, from, step === 'down' ? 1 : -1)
}

/** A masonry column may be a few tiles away in order; this is more than any screen shows in two rows. */
const MAX_SCANNED = 200
/** A tile in the next row is nearer than one beside it in a later row. */
const ROW_WEIGHT = 4

function verticalNeighbour({ x, y, w, h }: TileLayout, from: number, direction: 1 | -1): number {
  const middle = (x[from] ?? 0) + (w[from] ?? 0) / 2
  const edge = direction === 1 ? (y[from] ?? 0) + (h[from] ?? 0) : (y[from] ?? 0)
  let best = from
  let bestScore = Number.POSITIVE_INFINITY
  for (let i = from + direction, seen = 0; i >= 0 && i < y.length && seen < MAX_SCANNED; i += direction, seen++) {
    const top = y[i] ?? 0
    const beyond = direction === 1 ? top - edge : edge - (top + (h[i] ?? 0))
    if (beyond < -1) continue
    const distance = Math.max(0, Math.abs((x[i] ?? 0) + (w[i] ?? 0) / 2 - middle) - (w[i] ?? 0) / 2)
    const score = beyond * ROW_WEIGHT + distance
    if (score < bestScore) [best, bestScore] = [i, score]
    if (beyond * ROW_WEIGHT > bestScore) break
  }
  return best
}

/**
 * The tile at the same height in the next column; the next one in order may be anywhere. After the last column it continues in the first,
 * a row further, as in a text.
 */
function columnNeighbour(layout: TileLayout, from: number, direction: 1 | -1): number {
  const { x, y, h, tallest } = layout
  const [left, top] = [x[from] ?? 0, y[from] ?? 0]
  const middle = top + (h[from] ?? 0) / 2
  const [first, last] = tilesBetween(layout, middle - tallest, middle + tallest)
  const near = Array.from({ length: last - first }, (_, n) => first + n)
  const ahead = (i: number) => ((x[i] ?? 0) - left) * direction
  const beside = minBy(near, (i) => (ahead(i) > 1 ? ahead(i) : null))
  if (beside !== null) {
    const column = near.filter((i) => Math.abs((x[i] ?? 0) - (x[beside] ?? 0)) < 1)
    return minBy(column, (i) => Math.max(0, (y[i] ?? 0) - middle, middle - (y[i] ?? 0) - (h[i] ?? 0))) ?? from
  }
  const edge = Math.min(...near.map(ahead))
  const further = (i: number) => (direction === 1 ? (y[i] ?? 0) - middle : middle - (y[i] ?? 0) - (h[i] ?? 0))
  return minBy(near, (i) => (ahead(i) - edge < 1 && further(i) >= 0 ? further(i) : null)) ?? from
}

/** The first with the lowest score; null if none has a score. */
function minBy(all: readonly number[], scoreOf: (i: number) => number | null): number | null {
  let best: number | null = null
  let bestScore = Number.POSITIVE_INFINITY
  for (const i of all) {
    const score = scoreOf(i)
    if (score === null || score >= bestScore) continue
    best = i
    bestScore = score
  }
  return best
}
