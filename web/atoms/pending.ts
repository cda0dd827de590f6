import { atom } from 'jotai'
import type { Operation } from '../lib/outbox/types.ts'
import { closeToastAtom, toastsAtom } from './toasts.ts'

/** Operations in order, as the outbox has them. The outbox is loaded after the first paint and fills them in. */
export const operationsAtom = atom<readonly Operation[]>([])

/** Operations that the server has not confirmed. */
export const unsavedAtom = atom((get) => get(operationsAtom).filter(({ state, undone }) => state !== 'sent' && !undone))
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
