import { emptyLayout, type TileLayout } from './justified.ts'

/** Default column width 400, gap 0, at least one column. */
const MASONRY = { columnWidth: 400, gap: 0, minColumns: 1 }

/** Places each tile below the shortest column so far, which also keeps `y` from decreasing. */
export function layoutMasonry(aspects: Float32Array, width: number, options = MASONRY): TileLayout {
  const layout = emptyLayout(aspects.length)
  const { columnWidth, gap, minColumns } = options
  const count = Math.max(minColumns, Math.floor((width + gap) / (columnWidth + gap)))
  const each = (width - gap * (count - 1)) / count
  const bottoms = new Float64Array(count)
  for (let i = 0; i < aspects.length; i++) {
    const column = bottoms.indexOf(Math.min(...bottoms))
    const height = each / (aspects[i] ?? 1)
    layout.x[i] = column * (each + gap)
    layout.y[i] = bottoms[column] ?? 0
    layout.w[i] = each
    layout.h[i] = height
    bottoms[column] = (bottoms[column] ?? 0) + height + gap
    layout.tallest = Math.max(layout.tallest, height)
  }
  layout.height = aspects.length === 0 ? 0 : Math.max(...bottoms) - gap
  return layout
}
