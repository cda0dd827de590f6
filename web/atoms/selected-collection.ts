import { atom } from 'jotai'
import { readSelectedId, writeSelectedId } from '../lib/storage.ts'

const idAtom = atom<string | null>(null)

/** Id of the open collection. Content atoms depend on it. */
export const selectedCollectionIdAtom = atom((get) => get(idAtom))

/**
 * Opens a collection; null closes it. A link may name any id, so the choice is remembered only once it is known to be one of the user's
 * (rememberSelectionAtom).
 */
export const selectCollectionAtom = atom(null, (_get, set, id: string | null) => set(idAtom, id))

/** Forgets the last selected collection if it is this one. */
export function forgetSelectedId(id: string): void {
  if (readSelectedId() === id) writeSelectedId(null)
}
