import { atom } from 'jotai'
import { collectionRoom, userRoom } from '../../contract/live.ts'
import { guestLink } from '../lib/guest/link.ts'
import type { LiveStatus } from '../lib/live/channel.ts'
import { collectionsAtom, selectedCollectionAtom } from './collections.ts'
import { sessionUserIdAtom } from './session.ts'

/** `off` until live updates are loaded, and while no user is signed in. */
const statusStateAtom = atom<LiveStatus | 'off'>('off')
export const liveStatusAtom = atom(
  (get) => get(statusStateAtom),
  (_get, set, status: LiveStatus | 'off') => set(statusStateAtom, status),
)

/** Whether changes of others arrive by themselves; otherwise screens have to ask. */
export const isLiveAtom = atom((get) => get(statusStateAtom) === 'connected')

/** Collections of the threads on the screen, one for each thread. */
export const threadsInAtom = atom<readonly string[]>([])

/** Rooms to join: the user's own, that of the open collection once membership is confirmed, and those of threads that are open elsewhere. */
export const roomsAtom = atom((get) => {
  const user = get(sessionUserIdAtom)
  const collection = get(selectedCollectionAtom)?.id
  if (user === null) return []
  // A guest has no room of their own.
  const others = [...new Set(get(threadsInAtom))].filter((id) => id !== collection && get(collectionsAtom)?.some((own) => own.id === id))
  return [...(guestLink ? [] : [userRoom(user)]), ...[...(collection ? [collection] : []), ...others].map(collectionRoom)]
})

/** The view the user has open; null outside of a collection's views. */
export interface OwnView {
  view: string
  itemId: string | null
}
export const ownViewAtom = atom<OwnView | null>(null)

/** Id of the item that the user has open in an editor. Editors set it with `useEditing`. */
export const editingAtom = atom<string | null>(null)

/** The view reported while an item is open in an editor, whatever view is behind it. */
export const EDITING = 'edit'

/** The view reported to others; an open editor takes precedence. */
export const publishedViewAtom = atom((get): OwnView | null => {
  const itemId = get(editingAtom)
  return itemId === null ? get(ownViewAtom) : { view: EDITING, itemId }
})
