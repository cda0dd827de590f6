/** Positions of all tiles, in pixels from the top left of the content. Typed arrays, because there may be 100,000. */
export interface TileLayout {
  height: number
  x: Float32Array
  /** Never decreases from one tile to the next: the binary search of the window relies on it. */
  y: Float64Array
  w: Float32Array
  h: Float32Array
  tallest: number
  bands: Band[]
}

/** A heading line with tiles below it: one long day, or a few short days side by side. */
export interface Band {
  top: number
  height: number
  start: number
  end: number
  days: BandDay[]
}

export interface BandDay {
  /** Index into the given days. */
  index: number
  x: number
  width: number
}

export interface JustifiedOptions {
  width: number
  rowHeight: number
  gap: number
  headingHeight: number
  /** Space below a band. */
  bandGap: number
  /** Space between short days of one band. */
  dayGap: number
  /** Makes a heading fit above one upright photo. */
  minDayWidth: number
}

/** Narrower or wider photos are cropped in their tile: a sliver is hard to see or click. */
export const ASPECT = { least: 0.5, most: 3 }

/** A row that misses the full width by less than this factor is stretched to fill it; short days shrink by up to SHRINK to share one. */
const STRETCH = 1.35
const SHRINK = 0.8

/**
 * Justified rows by day. `aspects` (width / height) of all items in order; `counts` of items per day, summing up to its length. A day that
 * needs more than a row has its own band; short days share a row, each below its own heading.
 */
export function layoutJustified(aspects: Float32Array, counts: readonly number[], options: JustifiedOptions): TileLayout {
  const layout = emptyLayout(aspects.length)
  let open: OpenDay[] = []
  const close = () => {
    closeBand(layout, aspects, open, options)
    open = []
  }
  let at = 0
  for (const [index, count] of counts.entries()) {
    const day = { index, start: at, end: at + count }
    at += count
    if (open.length > 0 && widthAt(aspects, [...open, day], SHRINK, options) > options.width) close()
    if (widthAt(aspects, [day], 1, options) > options.width) layOutRows(layout, aspects, day, options)
    else open.push(day)
  }
  close()
  return layout
}

interface OpenDay {
  index: number
  start: number
  end: number
}

export function emptyLayout(count: number): TileLayout {
  return {
    height: 0,
    x: new Float32Array(count),
    y: new Float64Array(count),
    w: new Float32Array(count),
    h: new Float32Array(count),
    tallest: 0,
    bands: [],
  }
}

/** Width of short days side by side, with rows of `factor` times the target height. A day is never narrower than its heading. */
function widthAt(aspects: Float32Array, days: readonly OpenDay[], factor: number, options: JustifiedOptions): number {
  const { rowHeight, gap, dayGap, minDayWidth } = options
  return days.reduce(
    (total, { start, end }) => total + Math.max(minDayWidth, sum(aspects, start, end) * rowHeight * factor + gap * (end - start - 1)),
    dayGap * (days.length - 1),
  )
}

function closeBand(layout: TileLayout, aspects: Float32Array, open: readonly OpenDay[], options: JustifiedOptions) {
  const [first, last] = [open[0], open.at(-1)]
  if (!first || !last) return
  const { rowHeight, headingHeight, dayGap, width, gap } = options
  const height = rowHeight * factorFor(aspects, open, options)
  const top = layout.height
  const days: BandDay[] = []
  let x = 0
  for (const day of open) {
    const end = setRow(layout, aspects, { start: day.start, end: day.end, x, y: top + headingHeight, height, gap })
    const dayWidth = Math.max(end - x, options.minDayWidth)
    days.push({ index: day.index, x, width: Math.min(dayWidth, width - x) })
    x += dayWidth + dayGap
  }
  pushBand(layout, { start: first.start, end: last.end, days, height: headingHeight + height }, options)
}

/** The factor at which short days fill the width exactly, or 1 if they would have to grow too much. */
function factorFor(aspects: Float32Array, days: readonly OpenDay[], options: JustifiedOptions): number {
  if (widthAt(aspects, days, STRETCH, options) < options.width) return 1
  let [low, high] = [SHRINK, STRETCH]
  for (let i = 0; i < 24; i++) {
    const middle = (low + high) / 2
    if (widthAt(aspects, days, middle, options) > options.width) high = middle
    else low = middle
  }
  return low
}

/** Lays out one long day over several rows, all but the last stretched to the full width. */
function layOutRows(
  layout: TileLayout,
  aspects: Float32Array,
  day: { index: number; start: number; end: number },
  options: JustifiedOptions,
) {
  const { width, rowHeight, gap, headingHeight } = options
  let y = layout.height + headingHeight
  let start = day.start
  let total = 0
  for (let i = day.start; i < day.end; i++) {
    total += aspects[i] ?? 1
    const gaps = gap * (i - start)
    if (total * rowHeight + gaps < width) continue
    // With or without this tile, whichever comes closer to the target height.
    const tall = (width - gaps + gap) / (total - (aspects[i] ?? 1))
    const low = (width - gaps) / total
    const without = i > start && tall / rowHeight < rowHeight / low && tall <= rowHeight * STRETCH
    const end = without ? i : i + 1
    const height = without ? tall : low
    setRow(layout, aspects, { start, end, x: 0, y, height, gap })
    y += height + gap
    start = end
    total = without ? (aspects[i] ?? 1) : 0
  }
  if (start < day.end) {
    const full = (width - gap * (day.end - start - 1)) / total
    const height = full <= rowHeight * STRETCH ? full : rowHeight
    setRow(layout, aspects, { start, end: day.end, x: 0, y, height, gap })
    y += height + gap
  }
  const days = [{ index: day.index, x: 0, width }]
  pushBand(layout, { start: day.start, end: day.end, days, height: y - gap - layout.height }, options)
}

interface Row {
  start: number
  end: number
  x: number
  y: number
  height: number
  gap: number
}

/** Returns the right edge of the row. */
function setRow(layout: TileLayout, aspects: Float32Array, { start, end, x, y, height, gap }: Row): number {
  let left = x
  for (let i = start; i < end; i++) {
    const width = (aspects[i] ?? 1) * height
    layout.x[i] = left
    layout.y[i] = y
    layout.w[i] = width
    layout.h[i] = height
    left += width + gap
  }
  layout.tallest = Math.max(layout.tallest, height)
  return left - gap
}

function pushBand(layout: TileLayout, band: Omit<Band, 'top'>, { bandGap }: JustifiedOptions) {
  layout.bands.push({ ...band, top: layout.height })
  layout.height += band.height + bandGap
}

function sum(values: Float32Array, start: number, end: number): number {
  let total = 0
  for (let i = start; i < end; i++) total += values[i] ?? 0
  return total
}
