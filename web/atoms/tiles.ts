import { atom } from 'jotai'
import type { Asset } from '../../contract/assets.ts'
import type { Item } from '../lib/bulk/plan.ts'
import { isPost } from '../lib/content/is-post.ts'
import { createFilter } from '../lib/filters/incremental-filter.ts'
import { assetsAtom } from './content.ts'

/** False for the parts of a group that its cover stands for. */
const isTile = ({ id, group }: Asset) => !group || group.cover === id

/** A derived atom, so that every store has its own. */
const filterAtom = atom(() => createFilter<Asset>())

/** One for each item that the views show: of a group only its cover. The same list as `assetsAtom` without groups. */
export const tilesAtom = atom((get) => get(filterAtom)(get(assetsAtom), get(assetsAtom).every(isTile) ? null : isTile))

/** The items, and the other parts of groups whose cover is among them. */
export const withPartsAtom = atom((get) => (items: readonly Item[]): Item[] => {
  const covers = new Set(items.flatMap((item) => (!isPost(item) && item.group?.cover === item.id ? item.id : [])))
  if (covers.size === 0) return [...items]
  return [...new Set([...items, ...get(assetsAtom).filter(({ group }) => group && covers.has(group.cover))])]
})
