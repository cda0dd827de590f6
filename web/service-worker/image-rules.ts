import type { PictureSize } from '../lib/device/caches.ts'

/** Pictures of each size that are kept: about 60 MB each way. */
export const MOST: Record<PictureSize, number> = { small: 3_000, large: 150 }

/** Widths up to which a picture of another size is small. */
const SMALL = 768

/** Of an address that says which version it shows, and so never changes what it means; null for anything else. */
export function pictureSize({ pathname, searchParams }: URL): PictureSize | null {
  if (!searchParams.has('v')) return null
  const rendition = /^\/api\/asset\/[\w-]+\/renditions\/(thumb|preview)$/.exec(pathname)?.[1]
  if (rendition) return rendition === 'thumb' ? 'small' : 'large'
  const made = /^\/_image\/(?:[\w,]+,)?[wsh]_(\d+)[\w,]*\/[\w-]+$/.exec(pathname)?.[1]
  return made ? (Number(made) <= SMALL ? 'small' : 'large') : null
}

/**
 * Those of a full cache that go: first the ones that nobody has looked at since the worker began, in the order in which they came, then
 * those that were looked at longest ago. `lookedAt` grows with every look.
 */
export function surplus(urls: readonly string[], most: number, lookedAt: ReadonlyMap<string, number>): string[] {
  const byAge = urls.toSorted((a, b) => (lookedAt.get(a) ?? 0) - (lookedAt.get(b) ?? 0))
  return byAge.slice(0, Math.max(0, urls.length - most))
}
