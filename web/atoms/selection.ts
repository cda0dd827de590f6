import { atom } from 'jotai'
import { rowsById } from '../lib/content/merge.ts'
import { guestLink } from '../lib/guest/link.ts'
import { assetsAtom, postsAtom } from './content.ts'
import { visibleAssetsAtom, visiblePostsAtom } from './filters.ts'
import { selectedCollectionIdAtom } from './selected-collection.ts'
import { tilesAtom } from './tiles.ts'

interface ItemSelection {
  collectionId: string | null
  ids: ReadonlySet<string>
}

const NONE: ReadonlySet<string> = new Set()
const stateAtom = atom<ItemSelection>({ collectionId: null, ids: NONE })

/** Ids of the selected posts and assets of the open collection that still exist. Kept across views, cleared with the collection. */
export const selectionAtom = atom((get) => {
  const { collectionId, ids } = get(stateAtom)
  if (ids.size === 0 || collectionId !== get(selectedCollectionIdAtom)) return NONE
  const [posts, assets] = [rowsById(get(postsAtom)), rowsById(get(assetsAtom))]
  const here = [...ids].filter((id) => posts.has(id) || assets.has(id))
  return here.length === ids.size ? ids : new Set(here)
})
export const selectingAtom = atom((get) => get(selectionAtom).size > 0)

/** Guests of a link have no use for a selection. */
export const setSelectionAtom = atom(null, (get, set, ids: Iterable<string>) => {
  if (!guestLink) set(stateAtom, { collectionId: get(selectedCollectionIdAtom), ids: new Set(ids) })
})

/** Selects the given ids, or deselects them if `on` is false. Others keep their state. */
export const selectAtom = atom(null, (get, set, ids: Iterable<string>, on: boolean) => {
  const next = new Set(get(selectionAtom))
  for (const id of ids) on ? next.add(id) : next.delete(id)
  set(setSelectionAtom, next)
})

/** Selects all items that pass the filters, for views without a list of their own. */
export const selectAllAtom = atom(null, (get, set) =>
  set(
    selectAtom,
    [...get(visiblePostsAtom), ...get(visibleAssetsAtom)].map(({ id }) => id),
    true,
  ),
)

export const clearSelectionAtom = atom(null, (_get, set) => set(setSelectionAtom, NONE))

/** The selected rows, whether or not the view or the filters show them. */
export const selectedPostsAtom = atom((get) => rowsOf(get(postsAtom), get(selectionAtom)))
/** With all parts of the groups that are selected. */
export const selectedAssetsAtom = atom((get) => {
  const ids = get(selectionAtom)
  return ids.size === 0 ? [] : get(assetsAtom).filter(({ id, group }) => ids.has(id) || (group && ids.has(group.cover)))
})

/** Without the parts that a cover stands for. */
export const selectedAssetIdsAtom = atom(
  (get): ReadonlySet<string> => new Set(rowsOf(get(tilesAtom), get(selectionAtom)).map(({ id }) => id)),
)

/** How many selected items the filters hide from every view. */
export const hiddenSelectionCountAtom = atom((get) => {
  const shown = rowsOf(get(visiblePostsAtom), get(selectionAtom)).length + rowsOf(get(visibleAssetsAtom), get(selectionAtom)).length
  return get(selectedPostsAtom).length + rowsOf(get(tilesAtom), get(selectionAtom)).length - shown
})

function rowsOf<T extends { id: string }>(rows: readonly T[], ids: ReadonlySet<string>): T[] {
  return ids.size === 0 ? [] : rows.filter(({ id }) => ids.has(id))
}
