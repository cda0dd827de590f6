import type { ImageSize } from '../lib/device/caches.ts'

/** Number of cached images of each size: about 60 MB each. */
export const MAX_IMAGES: Record<ImageSize, number> = { small: 3_000, large: 150 }

/** Maximum width of a small rendition. */
const SMALL = 768

/** Size class of a URL that names a version, and so never changes its content; null for any other, and for pictures of a link, which devices do not keep. */
export function imageSize({ pathname, searchParams }: URL): ImageSize | null {
  if (!searchParams.has('v') || searchParams.has('link')) return null
  const rendition = /^\/api\/asset\/[\w-]+\/renditions\/(thumb|preview)$/.exec(pathname)?.[1]
  if (rendition) return rendition === 'thumb' ? 'small' : 'large'
  if (/^\/api\/users\/[^/]+\/avatar$/.test(pathname)) return 'small'
  const made = /^\/_image\/(?:[\w,]+,)?[wsh]_(\d+)[\w,]*\/[\w-]+$/.exec(pathname)?.[1]
  return made ? (Number(made) <= SMALL ? 'small' : 'large') : null
}

/**
 * Entries to remove from a full cache: first those that were not viewed since the worker started, in the order in which they were added, then those
 * viewed longest ago. `lookedAt` grows with every view.
 */
export function surplus(urls: readonly string[], max: number, lookedAt: ReadonlyMap<string, number>): string[] {
  const byAge = urls.toSorted((a, b) => (lookedAt.get(a) ?? 0) - (lookedAt.get(b) ?? 0))
  return byAge.slice(0, Math.max(0, urls.length - max))
}
