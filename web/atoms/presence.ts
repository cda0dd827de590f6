import { atom } from 'jotai'
import { ELSEWHERE, type Present } from '../../contract/live.ts'
import { guestLink } from '../lib/guest/link.ts'
import { EDITING, liveStatusAtom, roomsAtom } from './live.ts'
import { sessionUserIdAtom } from './session.ts'

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
  const status = get(liveStatusAtom)
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
