import { atom } from 'jotai'
import { assetsAtom, postsAtom } from './content.ts'
import { visibleAssetsAtom, visiblePostsAtom } from './filters.ts'
import { selectedCollectionIdAtom } from './selected-collection.ts'

interface Picks {
  collectionId: string | null
  ids: ReadonlySet<string>
}

const NONE: ReadonlySet<string> = new Set()
const heldAtom = atom<Picks>({ collectionId: null, ids: NONE })

/** Ids of posts and assets that are ticked in the open collection. Survives a change of view, not one of collection. */
export const pickedAtom = atom((get) => {
  const { collectionId, ids } = get(heldAtom)
  return collectionId === get(selectedCollectionIdAtom) ? ids : NONE
})
export const pickingAtom = atom((get) => get(pickedAtom).size > 0)

export const setPickedAtom = atom(null, (get, set, ids: Iterable<string>) =>
  set(heldAtom, { collectionId: get(selectedCollectionIdAtom), ids: new Set(ids) }),
)

/** Ticks all of them, or with `on` false none of them, and leaves the others as they are. */
export const pickAtom = atom(null, (get, set, ids: Iterable<string>, on: boolean) => {
  const next = new Set(get(pickedAtom))
  for (const id of ids) on ? next.add(id) : next.delete(id)
  set(setPickedAtom, next)
})

/** Ticks all that the filters let through: where a view has no list of its own. */
export const pickAllAtom = atom(null, (get, set) =>
  set(
    pickAtom,
    [...get(visiblePostsAtom), ...get(visibleAssetsAtom)].map(({ id }) => id),
    true,
  ),
)

export const clearPicksAtom = atom(null, (_get, set) => set(setPickedAtom, NONE))

/** The rows that are ticked, whether or not the view or the filters show them. What has gone meanwhile is not among them. */
export const pickedPostsAtom = atom((get) => rowsOf(get(postsAtom), get(pickedAtom)))
export const pickedRowsAtom = atom((get) => rowsOf(get(assetsAtom), get(pickedAtom)))

/** Ids of the assets among them. */
export const pickedAssetsAtom = atom((get): ReadonlySet<string> => new Set(get(pickedRowsAtom).map(({ id }) => id)))

/** How many of them filters hide from every view. */
export const hiddenPicksAtom = atom((get) => {
  const shown = rowsOf(get(visiblePostsAtom), get(pickedAtom)).length + rowsOf(get(visibleAssetsAtom), get(pickedAtom)).length
  return get(pickedPostsAtom).length + get(pickedRowsAtom).length - shown
})

function rowsOf<T extends { id: string }>(rows: readonly T[], ids: ReadonlySet<string>): T[] {
  return ids.size === 0 ? [] : rows.filter(({ id }) => ids.has(id))
}
