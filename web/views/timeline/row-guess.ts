import { aspectOf } from '../../lib/media.ts'
import type { TimelineEntry } from '../../lib/timeline/types.ts'

const TEXT = { card: 158, line: 24, perLine: 9, most: 60 }

/** An estimate of a row's height in pixels; the row is measured when it mounts. The better the estimate, the more accurate the scrollbar. */
export function guessHeight(entry: TimelineEntry, width: number): number {
  switch (entry.kind) {
    case 'day':
      return 60
    case 'gap':
      return 60
    case 'assets':
      return mosaicHeight(entry.assets, width) + 16
    case 'post': {
      const { assets, body } = entry.post
      const lines = Math.min(TEXT.most, Math.ceil((body.length * TEXT.perLine) / Math.max(1, width)))
      return mosaicHeight(assets, width) + TEXT.card + lines * TEXT.line + 16
    }
    case 'closed':
      return entry.section.guess(width)
    case 'digest':
      return mosaicHeight(entry.covers, width) + 110 + Math.min(4, entry.posts.length) * 28
  }
}

/** Must match components/photos/photo-mosaic.tsx. */
function mosaicHeight(assets: readonly { width: number | null; height: number | null }[], width: number): number {
  const only = assets[0]
  if (!only) return 0
  if (assets.length > 1 || only.width === null || only.height === null) return (width * 9) / 16
  return width / Math.min(2.4, Math.max(0.9, aspectOf(only)))
}
