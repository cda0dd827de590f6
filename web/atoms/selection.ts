import { atom } from 'jotai'
import { assetsAtom, postsAtom } from './content.ts'
import { visibleAssetsAtom, visiblePostsAtom } from './filters.ts'
import { selectedCollectionIdAtom } from './selected-collection.ts'

interface ItemSelection {
  collectionId: string | null
  ids: ReadonlySet<string>
}

const NONE: ReadonlySet<string> = new Set()
const stateAtom = atom<ItemSelection>({ collectionId: null, ids: NONE })

/** Ids of posts and assets that are ticked in the open collection. Survives a change of view, not one of collection. */
export const selectionAtom = atom((get) => {
  const { collectionId, ids } = get(stateAtom)
  return collectionId === get(selectedCollectionIdAtom) ? ids : NONE
})
export const selectingAtom = atom((get) => get(selectionAtom).size > 0)

export const setSelectionAtom = atom(null, (get, set, ids: Iterable<string>) =>
  set(stateAtom, { collectionId: get(selectedCollectionIdAtom), ids: new Set(ids) }),
)

/** Ticks all of them, or with `on` false none of them, and leaves the others as they are. */
export const selectAtom = atom(null, (get, set, ids: Iterable<string>, on: boolean) => {
  const next = new Set(get(selectionAtom))
  for (const id of ids) on ? next.add(id) : next.delete(id)
  set(setSelectionAtom, next)
})

/** Ticks all that the filters let through: where a view has no list of its own. */
export const selectAllAtom = atom(null, (get, set) =>
  set(
    selectAtom,
    [...get(visiblePostsAtom), ...get(visibleAssetsAtom)].map(({ id }) => id),
    true,
  ),
)

export const clearSelectionAtom = atom(null, (_get, set) => set(setSelectionAtom, NONE))

/** The rows that are ticked, whether or not the view or the filters show them. What has gone meanwhile is not among them. */
export const selectedPostsAtom = atom((get) => rowsOf(get(postsAtom), get(selectionAtom)))
export const selectedAssetsAtom = atom((get) => rowsOf(get(assetsAtom), get(selectionAtom)))

/** Ids of the assets among them. */
export const selectedAssetIdsAtom = atom((get): ReadonlySet<string> => new Set(get(selectedAssetsAtom).map(({ id }) => id)))

/** How many of them filters hide from every view. */
export const hiddenSelectionCountAtom = atom((get) => {
  const shown = rowsOf(get(visiblePostsAtom), get(selectionAtom)).length + rowsOf(get(visibleAssetsAtom), get(selectionAtom)).length
  return get(selectedPostsAtom).length + get(selectedAssetsAtom).length - shown
})

function rowsOf<T extends { id: string }>(rows: readonly T[], ids: ReadonlySet<string>): T[] {
  return ids.size === 0 ? [] : rows.filter(({ id }) => ids.has(id))
}
