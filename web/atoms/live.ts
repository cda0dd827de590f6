import { atom } from 'jotai'
import { collectionRoom, type Present, userRoom } from '../../contract/live.ts'
import type { LiveStatus } from '../lib/live/channel.ts'
import { selectedCollectionAtom } from './collections.ts'
import { sessionUserIdAtom } from './session.ts'

/** `off` until live updates are loaded, and while nobody is signed in. */
const statusStateAtom = atom<LiveStatus | 'off'>('off')
export const liveStatusAtom = atom(
  (get) => get(statusStateAtom),
  (_get, set, status: LiveStatus | 'off') => set(statusStateAtom, status),
)

/** Whether changes of others arrive by themselves; otherwise screens have to ask. */
export const isLiveAtom = atom((get) => get(statusStateAtom) === 'connected')

/** Rooms to be in: one's own, and that of the open collection once it is known to be theirs (spec §4). */
export const roomsAtom = atom((get) => {
  const user = get(sessionUserIdAtom)
  const collection = get(selectedCollectionAtom)?.id
  return user === null ? [] : [userRoom(user), ...(collection ? [collectionRoom(collection)] : [])]
})

/** What this person looks at; null outside of a collection's views. */
export interface OwnView {
  view: string
  itemId: string | null
}
export const ownViewAtom = atom<OwnView | null>(null)

/** Id of the item that this person has open in an editor. Editors set it by `useEditing`. */
export const editingAtom = atom<string | null>(null)

/** What somebody says whose item is open in an editor, whatever view is behind it. */
export const EDITING = 'edit'

/** What the others are told: an open editor goes before the view. */
export const publishedViewAtom = atom((get): OwnView | null => {
  const itemId = get(editingAtom)
  return itemId === null ? get(ownViewAtom) : { view: EDITING, itemId }
})

/** What somebody says who is in none of the views: they hear what happens, but are not there. */
export const ELSEWHERE = 'elsewhere'

const presentStateAtom = atom<{ room: string; present: Present[] } | null>(null)
export const setPresentAtom = atom(null, (_get, set, room: string, present: Present[]) => set(presentStateAtom, { room, present }))

/** The others who look at the open collection now, by name. Nobody while it is not known. */
export const presentAtom = atom((get): Present[] => {
  const existing = get(presentStateAtom)
  const user = get(sessionUserIdAtom)
  const status = get(statusStateAtom)
  if (!existing || !get(roomsAtom).includes(existing.room) || status === 'off' || status === 'disconnected') return []
  return existing.present.filter(({ id, view }) => id !== user && view !== undefined && view !== ELSEWHERE)
})

/** Who else has an item open in an editor, by its id. */
export const editorsAtom = atom((get) => {
  const editing = get(presentAtom).filter(({ view, itemId }) => view === EDITING && itemId !== undefined)
  return Map.groupBy(editing, ({ itemId = '' }) => itemId)
})
