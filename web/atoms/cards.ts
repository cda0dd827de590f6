import { atom } from 'jotai'
import { fetchCollectionsAtom } from './collections.ts'
import { isLiveAtom } from './live.ts'

const watchersAtom = atom(0)
const staleAtom = atom(false)

/** Whether the cards of collections, with their counts and covers, are on the screen. */
export const cardsWatchedAtom = atom((get) => get(watchersAtom) > 0)

/** Marks the cards as stale, to be fetched again the next time they are shown. */
export const outdateCardsAtom = atom(null, (_get, set) => set(staleAtom, true))

/** After a change of the user: with live updates, its message does the same. */
export const refreshCardsAtom = atom(null, (get, set) => {
  if (get(isLiveAtom)) return
  if (get(cardsWatchedAtom)) void set(fetchCollectionsAtom)
  else set(outdateCardsAtom)
})

/** Registers that the cards are on the screen. Returns a function that unregisters. */
export const watchCardsAtom = atom(null, (get, set) => {
  set(watchersAtom, (count) => count + 1)
  if (get(staleAtom)) {
    set(staleAtom, false)
    void set(fetchCollectionsAtom)
  }
  return () => set(watchersAtom, (count) => count - 1)
})
