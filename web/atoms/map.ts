import { atom } from 'jotai'
import { t } from '#say'
import type { Asset } from '../../contract/assets.ts'
import type { Location } from '../../contract/locations.ts'
import type { Post } from '../../contract/posts.ts'
import { isAsset, isPost } from '../lib/content/is-post.ts'
import { rowsById } from '../lib/content/merge.ts'
import { mergeSorted } from '../lib/content/order.ts'
import { createFilter } from '../lib/filters/incremental-filter.ts'
import { countWords, KIND_BITS } from '../lib/map/item-words.ts'
import type { Position } from '../lib/map/position.ts'
import { kindOf } from '../lib/media.ts'
import { memoizeByObject } from '../lib/memoize-by-object.ts'
import { visibleAssetsAtom, visiblePostsAtom } from './filters.ts'
import { bulkAtom, withUndoToastAtom } from './outbox.ts'
import { mayEditAtom } from './rights.ts'
import { withPartsAtom } from './tiles.ts'

/** A post or an asset on the map. Ids are unique over both. */
export type MapItem = { kind: 'asset'; row: Asset } | { kind: 'post'; row: Post }
export type LocatedItem = MapItem & { row: { location: Location } }

type Located<R> = R & { location: Location }

/** Memoized results: of a list that grows, only the new rows are tested. A derived atom, so that every store has its own. */
const mapCacheAtom = atom(() => ({
  posts: createFilter<Post>(),
  assets: createFilter<Asset>(),
  unlocatedPosts: createFilter<Post>(),
  unlocatedAssets: createFilter<Asset>(),
}))
const locatedPostsAtom = atom((get) => get(mapCacheAtom).posts(get(visiblePostsAtom), hasLocation) as Located<Post>[])
const locatedAssetsAtom = atom((get) => get(mapCacheAtom).assets(get(visibleAssetsAtom), hasLocation) as Located<Asset>[])

/** Items with a location, newest first. The same list as long as these items are the same. */
export const locatedAtom = atom((get): LocatedItem[] => merged(get(locatedPostsAtom), get(locatedAssetsAtom)))

/** Finds a located item by its id. */
export const locatedByIdAtom = atom((get) => {
  const [posts, assets] = [rowsById(get(visiblePostsAtom)), rowsById(get(visibleAssetsAtom))]
  return (id: string): LocatedItem | null => {
    const row = posts.get(id) ?? assets.get(id)
    return row ? locatedItem(row) : null
  }
})

const lackingTestsAtom = atom((get) => {
  const mayEdit = get(mayEditAtom)
  const posts = (row: Post | Asset) => row.location === null && mayEdit(row)
  return { posts, assets: (row: Asset) => posts(row) && ['photo', 'video'].includes(kindOf(row.type)) }
})

/** Items that could have a location and have none, if the user may set one. Recordings and other files have no location. */
export const unlocatedAtom = atom((get): MapItem[] => {
  const [cache, tests] = [get(mapCacheAtom), get(lackingTestsAtom)]
  return merged(cache.unlocatedPosts(get(visiblePostsAtom), tests.posts), cache.unlocatedAssets(get(visibleAssetsAtom), tests.assets))
})

/** The last map position of each collection, until the page is closed. */
export const lastPositionsAtom = atom(() => new Map<string, Position>())

/** Changes or removes the location of items; a toast offers Undo. */
export const changeLocationAtom = atom(null, async (get, set, items: readonly MapItem[], location: Location | null) => {
  if (items.length === 0) return
  const rows = get(withPartsAtom)(items.map(({ row }) => row)).filter(get(mayEditAtom))
  const ids = (some: readonly { id: string }[]) => some.map(({ id }) => id)
  const what = itemsWords(items)
  const done = set(bulkAtom, { posts: ids(rows.filter(isPost)), assets: ids(rows.filter(isAsset)) }, what, { kind: 'location', location })
  const title = !location ? t`${what} taken off the map` : location.name ? t`${what} moved to ${location.name}` : t`${what} moved`
  await set(withUndoToastAtom, done, title, location ? 'location-on' : 'location-off')
})

/** Whether a list is another one with more items in it. */
export function isLonger(items: readonly LocatedItem[], before: readonly LocatedItem[]): boolean {
  if (items.length <= before.length) return false
  const rows = new Set<Post | Asset>(items.map(({ row }) => row))
  return before.every(({ row }) => rows.has(row))
}

/** `3 photos`, `7 items` */
export function itemsWords(items: readonly MapItem[]): string {
  return countWords(
    items.length,
    items.reduce((bits, item) => bits | kindBit(item), 0),
  )
}

export function kindBit(item: MapItem): number {
  return KIND_BITS[item.kind === 'post' ? 'post' : kindOf(item.row.type)]
}

const hasLocation = <R extends Post | Asset>(row: R): row is R & { location: Location } => row.location !== null

/** Merges two lists that are both sorted newest first. */
function merged<P extends Post, A extends Asset>(posts: readonly P[], assets: readonly A[]) {
  return mergeSorted(posts, assets).map((row) => (isPost(row) ? { kind: 'post' as const, row } : { kind: 'asset' as const, row }))
}

/** Memoized by row. */
const locatedItem = memoizeByObject((row: Post | Asset): LocatedItem | null => {
  if (!hasLocation(row)) return null
  return isPost(row) ? { kind: 'post', row } : { kind: 'asset', row }
})
