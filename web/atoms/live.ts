import { atom } from 'jotai'
import { collectionRoom, ELSEWHERE, type Present, userRoom } from '../../contract/live.ts'
import { guestLink } from '../lib/guest/link.ts'
import type { LiveStatus } from '../lib/live/channel.ts'
import { selectedCollectionAtom } from './collections.ts'
import { sessionUserIdAtom } from './session.ts'

/** `off` until live updates are loaded, and while no user is signed in. */
const statusStateAtom = atom<LiveStatus | 'off'>('off')
export const liveStatusAtom = atom(
  (get) => get(statusStateAtom),
  (_get, set, status: LiveStatus | 'off') => set(statusStateAtom, status),
)

/** Whether changes of others arrive by themselves; otherwise screens have to ask. */
export const isLiveAtom = atom((get) => get(statusStateAtom) === 'connected')

/** Rooms to join: the user's own, and that of the open collection once membership is confirmed. */
export const roomsAtom = atom((get) => {
  const user = get(sessionUserIdAtom)
  const collection = get(selectedCollectionAtom)?.id
  if (user === null) return []
  // A guest has no room of their own.
  return [...(guestLink ? [] : [userRoom(user)]), ...(collection ? [collectionRoom(collection)] : [])]
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

interface Presence {
  present: Present[]
  more?: number | undefined
}

const presenceStateAtom = atom<(Presence & { room: string }) | null>(null)
export const setPresentAtom = atom(null, (_get, set, room: string, { present, more }: Presence) =>
  set(presenceStateAtom, { room, present, more }),
)

/** Null while unknown. */
const presenceAtom = atom((get): Presence | null => {
  const existing = get(presenceStateAtom)
  const status = get(statusStateAtom)
  return existing && get(roomsAtom).includes(existing.room) && status !== 'off' && status !== 'disconnected' ? existing : null
})

/** Other users in the open collection, by name. Empty while unknown. Guests get the names of those alone who are to be shown. */
export const presentAtom = atom((get): Present[] => {
  const present = get(presenceAtom)?.present ?? []
  if (guestLink) return present
  const user = get(sessionUserIdAtom)
  return present.filter(({ id, guest, view }) => id !== user && (guest || (view !== undefined && view !== ELSEWHERE)))
})

/** People in the open collection who are not in that list. */
export const morePresentAtom = atom((get) => get(presenceAtom)?.more ?? 0)

/** Users who have an item open in an editor, by its id. */
export const editorsAtom = atom((get) => {
  const editing = get(presentAtom).filter(({ view, itemId }) => view === EDITING && itemId !== undefined)
  return Map.groupBy(editing, ({ itemId = '' }) => itemId)
})
