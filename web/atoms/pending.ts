import { atom } from 'jotai'
import type { Asset } from '../../contract/assets.ts'
import type { Post } from '../../contract/posts.ts'
import type { Operation } from '../lib/outbox/types.ts'
import { closeToastAtom, toastsAtom } from './toasts.ts'

interface Rows {
  collectionId: string | null
  posts: Post[]
  assets: Asset[]
}

/** What is not saved yet, as everything that is drawn needs it. The outbox, loaded after the first paint, fills it in. */
export interface Pending {
  operations: readonly Operation[]
  lay: <C extends Rows>(content: C) => C
}

const NOTHING: Pending = { operations: [], lay: (content) => content }
const heldAtom = atom(NOTHING)

export const pendingAtom = atom(
  (get) => get(heldAtom),
  (_get, set, pending: Pending | null) => set(heldAtom, pending ?? NOTHING),
)

/** Lays over content what its person did since. */
export const layPendingAtom = atom((get) => get(heldAtom).lay)

/** Operations that the server has not confirmed. */
export const unsavedAtom = atom((get) => get(heldAtom).operations.filter(({ state, undone }) => state !== 'sent' && !undone))
export const unsavedCountAtom = atom((get) => get(unsavedAtom).length)
/** Those that wait for their person: a conflict to settle, a refusal to read. */
export const stuckCountAtom = atom((get) => get(unsavedAtom).filter(({ state }) => state !== 'waiting').length)
/** The last try met no network, whatever the browser believes. */
export const cutOffAtom = atom((get) => get(unsavedAtom).some(({ state, problem }) => state === 'waiting' && problem?.code === 'offline'))

/** Items that are not saved as they are shown. */
export const unsavedItemsAtom = atom((get): ReadonlySet<string> => {
  const ids = new Set<string>()
  for (const { action } of get(unsavedAtom)) {
    if (action.kind === 'create') ids.add(action.post.id)
    else if ('ids' in action) for (const id of action.ids) ids.add(id)
    else if ('id' in action) ids.add(action.id)
  }
  return ids
})

/** What of it the person looks at: the list, one conflict by the id of its operation, or nothing. */
const reviewStateAtom = atom<string | null>(null)
export const REVIEW_LIST = 'list'
export const reviewAtom = atom(
  (get) => get(reviewStateAtom),
  (get, set, what: string | null) => {
    set(reviewStateAtom, what)
    // What they called for is open, and on a phone they would cover it.
    if (what === null) return
    for (const { id } of get(toastsAtom)) if (STUCK_TOASTS.includes(id)) set(closeToastAtom, id)
  },
)
const STUCK_TOASTS = ['outbox-conflict', 'outbox-refused']
