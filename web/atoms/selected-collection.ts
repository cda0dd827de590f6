import { atom } from 'jotai'
import { readSelectedId, writeSelectedId } from '../lib/storage.ts'

const idAtom = atom<string | null>(null)

/** Id of the open collection. Content atoms follow it: another id means other content. */
export const selectedCollectionIdAtom = atom((get) => get(idAtom))

/** Opens a collection and remembers it as the last one; null closes it and forgets. */
export const selectCollectionAtom = atom(null, (get, set, id: string | null) => {
  if (get(idAtom) === id) return
  set(idAtom, id)
  writeSelectedId(id)
})

/** For sign-out: closes it, but remembers it for the next visit. */
export const closeCollectionAtom = atom(null, (_get, set) => set(idAtom, null))

/** The last selected collection of this browser. */
export function lastSelectedId(): string | null {
  return readSelectedId()
}
