import { atom } from 'jotai'
import type { Operation } from '../lib/outbox/types.ts'
import { closeToastAtom, toastsAtom } from './toasts.ts'

/** Operations in queue order. The mutation queue is loaded after the first paint and fills them in. */
export const operationsAtom = atom<readonly Operation[]>([])

/** Operations that the server has not confirmed. */
export const unsavedAtom = atom((get) => get(operationsAtom).filter(({ state, undone }) => state !== 'sent' && !undone))
export const unsavedCountAtom = atom((get) => get(unsavedAtom).length)
/** Operations that need a decision: a conflict or a refusal. */
export const stuckCountAtom = atom((get) => get(unsavedAtom).filter(({ state }) => state !== 'waiting').length)
/** Whether the last attempt failed offline, even if the browser reports a connection. */
export const offlineAtom = atom((get) => get(unsavedAtom).some(({ state, problem }) => state === 'waiting' && problem?.code === 'offline'))

/** Whether a change is on its way to the server for the first time. */
export const isSendingAtom = atom((get) =>
  get(unsavedAtom).some(({ state, uncertain, problem }) => state === 'waiting' && uncertain && !problem),
)

/** Items whose shown state is not saved. */
export const unsavedItemsAtom = atom((get): ReadonlySet<string> => {
  const ids = new Set<string>()
  for (const { action } of get(unsavedAtom)) {
    if (action.kind === 'create') ids.add(action.post.id)
    else if (action.kind === 'comment') ids.add(action.comment.id)
    else if ('ids' in action) for (const id of action.ids) ids.add(id)
    else if ('id' in action) ids.add(action.id)
  }
  return ids
})

/** The open review: `list`, the id of a conflicting operation, or null. */
const reviewStateAtom = atom<string | null>(null)
export const REVIEW_LIST = 'list'
export const reviewAtom = atom(
  (get) => get(reviewStateAtom),
  (get, set, review: string | null) => {
    set(reviewStateAtom, review)
    // On a phone toasts would cover the review.
    if (review === null) return
    for (const { id } of get(toastsAtom)) if (STUCK_TOASTS.includes(id)) set(closeToastAtom, id)
  },
)
const STUCK_TOASTS = ['outbox-conflict', 'outbox-refused']
