import { atom } from 'jotai'
import type { Asset } from '../../contract/assets.ts'
import type { Item } from '../lib/bulk/plan.ts'
import { isPost } from '../lib/content/is-post.ts'
import { createFilter } from '../lib/filters/incremental-filter.ts'
import { assetsAtom } from './content.ts'

/** False for the parts of a group that its cover stands for. */
const isTile = ({ id, group }: Asset) => !group || group.cover === id
const isCovered = (asset: Asset) => !isTile(asset)

/** A derived atom, so that every store has its own. */
const filterAtom = atom(() => createFilter<Asset>())
const coveredFilterAtom = atom(() => createFilter<Asset>())

/** One for each item that the views show: of a group only its cover. The same list as `assetsAtom` without groups. */
export const tilesAtom = atom((get) => get(filterAtom)(get(assetsAtom), get(assetsAtom).every(isTile) ? null : isTile))

const coveredAtom = atom((get) => get(coveredFilterAtom)(get(assetsAtom), isCovered))

/** The parts that a tile stands for, without itself. The same function as long as these are the same. */
export const coveredPartsAtom = atom((get) => {
  const parts = Map.groupBy(get(coveredAtom), ({ group }) => group?.id)
  return ({ group }: Partial<Pick<Asset, 'group'>>): readonly Asset[] => (group && parts.get(group.id)) || []
})

/** The assets of a post as the collection shows them: without parts whose cover is among them, and each cover with its group. */
export const asTilesAtom = atom((get) => {
  const covered = get(coveredAtom)
  const groups = new Map(
    [...covered, ...(covered.length > 0 ? get(tilesAtom) : [])].flatMap(({ id, group }) => (group ? [[id, group] as const] : [])),
  )
  return <T extends Pick<Asset, 'id'>>(assets: readonly T[]): readonly (T & Partial<Pick<Asset, 'group'>>)[] => {
    if (groups.size === 0) return assets
    const ids = new Set(assets.map(({ id }) => id))
    const isShown = (id: string, cover = groups.get(id)?.cover) => !cover || cover === id || !ids.has(cover)
    return assets.flatMap((asset) => (isShown(asset.id) ? { ...asset, group: groups.get(asset.id) ?? null } : []))
  }
})

/** The items, and the other parts of groups whose cover is among them. */
export const withPartsAtom = atom((get) => (items: readonly Item[]): Item[] => {
  const covers = new Set(items.flatMap((item) => (!isPost(item) && item.group?.cover === item.id ? item.id : [])))
  if (covers.size === 0) return [...items]
  return [...new Set([...items, ...get(assetsAtom).filter(({ group }) => group && covers.has(group.cover))])]
})
