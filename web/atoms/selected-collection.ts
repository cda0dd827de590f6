import { atom } from 'jotai'
import { readSelectedId, writeSelectedId } from '../lib/storage.ts'

const idAtom = atom<string | null>(null)

/** Id of the open collection. Content atoms depend on it. */
export const selectedCollectionIdAtom = atom((get) => get(idAtom))

/** Opens a collection and remembers it as the last one; null closes it and forgets it. */
export const selectCollectionAtom = atom(null, (get, set, id: string | null) => {
  if (get(idAtom) === id) return
  set(idAtom, id)
  writeSelectedId(id)
})

/** For sign-out: closes the collection, but remembers it for the next visit. */
export const closeCollectionAtom = atom(null, (_get, set) => set(idAtom, null))

export function lastSelectedId(): string | null {
  return readSelectedId()
}
