import { atom } from 'jotai'
import { fetchCollectionsAtom } from './collections.ts'

const watchersAtom = atom(0)
const staleAtom = atom(false)

/** Whether the cards of collections, with their counts and covers, are on the screen. */
export const cardsWatchedAtom = atom((get) => get(watchersAtom) > 0)

/** Something was added or taken away, or somebody came or went: for whoever looks at the cards next. */
export const outdateCardsAtom = atom(null, (_get, set) => set(staleAtom, true))

/** The cards are on the screen from now on. Returns how to say that they are no more. */
export const watchCardsAtom = atom(null, (get, set) => {
  set(watchersAtom, (count) => count + 1)
  if (get(staleAtom)) {
    set(staleAtom, false)
    void set(fetchCollectionsAtom)
  }
  return () => set(watchersAtom, (count) => count - 1)
})
