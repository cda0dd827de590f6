import { atom, type Getter, type Setter } from 'jotai'
import { t } from '#say'
import type { Asset } from '../../contract/assets.ts'
import { newId } from '../../contract/ids.ts'
import type { Post } from '../../contract/posts.ts'
import { backOff } from '../lib/back-off.ts'
import { isIn } from '../lib/content/is-post.ts'
import { messageOf } from '../lib/message-of.ts'
import { type Outbox, openOutbox } from '../lib/outbox/outbox.ts'
import type { OutboxEvent } from '../lib/outbox/queue.ts'
import {
  type Action,
  type AnswerAction,
  isAnswer,
  itemsOf,
  type Operation,
  type Rows,
  reasonOf,
  type SendResult,
} from '../lib/outbox/types.ts'
import { sleep } from '../lib/scheduling.ts'
import { applyOwnCommentAtom } from './apply-own-comment.ts'
import { applyOwnWriteAtom } from './apply-own-write.ts'
import { contentErrorAtom } from './content.ts'
import { contentChangedAtom } from './content-fetch.ts'
import type { Change } from './outbox-types.ts'
import { operationsAtom, REVIEW_LIST, reviewAtom, unsavedCountAtom } from './pending.ts'
import { selectedCollectionIdAtom } from './selected-collection.ts'
import { sessionUserIdAtom } from './session.ts'
import { addErrorToastAtom, addToastAtom, closeToastAtom } from './toasts.ts'

const openAtom = atom<{ userId: string; outbox: Outbox } | null>(null)
/** Operations that were answered but are not in the content of this tab yet. */
const settlingAtom = atom<ReadonlyMap<string, Operation>>(new Map())
/** Ids of operations that are in the content, from then until the device has dropped them: shown, they would count twice. */
const settledAtom = atom(() => new Set<string>())

/** A change made in this tab, with the rows before it. Oldest first. One that did not go through the queue has no operations, but `undo`. */
export interface Done extends Change {
  collectionId: string
  operations: { id: string; action: Action; posts: Post[]; assets: Asset[] }[]
  undo?: () => Promise<unknown>
}
export const doneAtom = atom<readonly Done[]>([])

/** For each completed operation, the id in the server's change log that undoes it, if known. */
const changeIdsAtom = atom(() => new Map<string, string | null>())

/** Opens the mutation queue of an account and resumes what is left of it on this device; null closes it. */
export const openOutboxAtom = atom(null, (get, set, userId: string | null): Outbox | null => {
  const open = get(openAtom)
  if (open && open.userId === userId) return open.outbox
  open?.outbox.close()
  set(settlingAtom, new Map())
  set(operationsAtom, [])
  set(openAtom, null)
  // The next user may neither undo nor see changes of the last one.
  set(doneAtom, [])
  set(reviewAtom, null)
  if (!userId) return null
  const isCurrent = () => get(openAtom)?.userId === userId
  const outbox = openOutbox(
    userId,
    () => isCurrent() && show(get, set),
    (event, own) => isCurrent() && handle(get, set, event, own),
  )
  set(openAtom, { userId, outbox })
  // Operations answered just before a reload are settled once the content has been fetched again.
  void outbox.ready.then(() => {
    for (const operation of outbox.operations())
      if (operation.state === 'sent') void settle(get, set, operation, { own: true, answeredAt: Date.now() })
  })
  return outbox
})

/** Number of changes that the server has not confirmed, read from the device. */
export const countUnsavedAtom = atom(null, async (get, set): Promise<number> => {
  await set(openOutboxAtom, get(sessionUserIdAtom))?.ready
  return get(unsavedCountAtom)
})

/** Discards all waiting changes when the user signs out without them. */
export const discardUnsavedAtom = atom(null, async (get) => {
  await get(outboxAtom)?.clear()
})

export const outboxAtom = atom((get) => get(openAtom)?.outbox ?? null)
/** Id of the change that undoes an operation; null if its answer was lost, undefined until it is done. */
export const changeIdAtom = atom((get) => (id: string) => get(changeIdsAtom).get(id))

function show(get: Getter, set: Setter): void {
  const settled = get(settledAtom)
  const queued = (get(openAtom)?.outbox.operations() ?? []).filter(({ id }) => !settled.has(id))
  const known = new Set(queued.map(({ id }) => id))
  set(operationsAtom, [...[...get(settlingAtom).values()].filter(({ id }) => !known.has(id)), ...queued])
}

function handle(get: Getter, set: Setter, event: OutboxEvent, own: boolean): void {
  if (event.kind === 'memory') {
    set(addToastAtom, {
      id: 'outbox-memory',
      title: t`This device has no room to keep your changes`,
      description: t`Leave this tab open until they are saved.`,
      icon: 'warning',
      color: 'warning',
    })
  } else if (event.kind === 'done') {
    const { operation, answer, answeredAt } = event
    get(changeIdsAtom).set(operation.id, answer.changeId)
    if (operation.undone) undoLate(get, set, operation, { own, changeId: answer.changeId })
    void settle(get, set, operation, { own, answer, answeredAt })
  } else explain(get, set, event.operation, own)
}

/** Brings the result into the content, and then removes the operation from the pending changes. */
async function settle(
  get: Getter,
  set: Setter,
  operation: Operation,
  { own, answer: rows, answeredAt }: { own: boolean; answer?: SendResult; answeredAt: number },
) {
  const { collectionId } = operation
  if (rows?.post || rows?.asset) {
    // A row removed from the collection in the meantime does not belong to its content.
    const within = <T extends Post | Asset>(row: T | undefined) => ({ rows: row && isIn(row, collectionId) ? [row] : [] })
    set(applyOwnWriteAtom, { collectionId, posts: within(rows.post), assets: within(rows.asset) })
    return set(contentChangedAtom, collectionId, answeredAt)
  }
  set(settlingAtom, new Map(get(settlingAtom)).set(operation.id, operation))
  const answers = set(applyOwnCommentAtom, operation, rows)
  await Promise.all([set(contentChangedAtom, collectionId, answeredAt), answers])
  await seen(get, set, collectionId)
  const rest = new Map(get(settlingAtom))
  rest.delete(operation.id)
  set(settlingAtom, rest)
  get(settledAtom).add(operation.id)
  show(get, set)
  if (own) await get(openAtom)?.outbox.drop(operation.id)
}

/** Resolves once the content was fetched without an error, or another collection is open. */
async function seen(get: Getter, set: Setter, collectionId: string): Promise<void> {
  for (let failures = 1; get(selectedCollectionIdAtom) === collectionId && get(contentErrorAtom); failures++) {
    await sleep(backOff(failures, Math.random()))
    await set(contentChangedAtom, collectionId)
  }
}

/** For an operation that was undone while it was unknown whether the server had applied it. */
function undoLate(
  get: Getter,
  set: Setter,
  { action, before = { posts: [], assets: [] }, ...operation }: Operation,
  { own, changeId }: { own: boolean; changeId: string | null },
): void {
  const back = inverseOf(action, changeId, before)
  if (!back) set(cannotUndoAtom, operation.title)
  else if (own) void get(openAtom)?.outbox.add({ ...operation, id: newId(), action: back, state: 'waiting', undone: false })
}

export const cannotUndoAtom = atom(null, (_get, set, title: string) =>
  set(
    addErrorToastAtom,
    t`${title} could not be undone`,
    t`It was saved, but the connection broke before the server could say how to take it back.`,
  ),
)

/** The action that undoes a completed operation; null if there is none. */
export function inverseOf(action: Action, changeId: string | null, before: Rows) {
  if (action.kind === 'create') return { kind: 'trash', item: 'post', ids: [action.post.id] } satisfies Action
  if (isAnswer(action)) return inverseOfAnswer(action, changeId)
  if (action.kind === 'undo' && action.changeId === null) {
    const [item, rows] = action.posts.length > 0 ? (['post', action.posts] as const) : (['asset', action.assets] as const)
    return { kind: 'trash', item, ids: rows.map(({ id }) => id) } satisfies Action
  }
  if (changeId) return { kind: 'undo', changeId, ...before } satisfies Action
  if (action.kind === 'trash' && before.posts.length + before.assets.length === itemsOf(action).length) {
    return { kind: 'undo', changeId: null, ...before } satisfies Action
  }
  return null
}

function inverseOfAnswer(action: AnswerAction, changeId: string | null): Action | null {
  switch (action.kind) {
    case 'comment':
      return { kind: 'deleteComment', item: action.item, id: action.comment.id, was: null }
    case 'react':
      return { ...action, on: !action.on }
    case 'editComment': {
      const { text, mentions, hidden } = action.was
      return { ...action, to: action.to.hidden === undefined ? { text, mentions } : { hidden }, version: null }
    }
    case 'deleteComment':
      return changeId ? { kind: 'undo', changeId, posts: [], assets: [], ...(action.was ? { comment: action.was } : {}) } : null
  }
}

/** Explains a failed operation, which stays in the list of unsaved changes unless there is nothing to decide. */
function explain(get: Getter, set: Setter, { id, action, title, state, problem }: Operation, own: boolean): void {
  // Removes the success toast of the same change.
  const change = get(doneAtom).find(({ operations }) => operations.length === 1 && operations[0]?.id === id)
  if (change) set(closeToastAtom, change.id)
  if (state === 'conflict') {
    const toast = { title: t`${title} was also changed by someone else`, description: t`Both versions are kept until you choose.` }
    set(addToastAtom, {
      id: 'outbox-conflict',
      ...toast,
      icon: 'warning',
      color: 'warning',
      actions: [{ label: t`Compare`, onClick: () => set(reviewAtom, id) }],
      duration: 15_000,
    })
    return
  }
  const why = problem ? reasonOf(problem) : messageOf(undefined)
  if (own && (action.kind === 'react' || action.kind === 'undo')) void get(openAtom)?.outbox.drop(id)
  if (action.kind === 'react') {
    set(addErrorToastAtom, action.on ? t`${title} could not be added` : t`${title} could not be taken back`, why)
  } else if (action.kind === 'undo') {
    set(addErrorToastAtom, action.changeId ? t`${title} could not be undone` : t`${title} could not be restored`, why)
  } else {
    const show = { label: t`Show`, onClick: () => set(reviewAtom, REVIEW_LIST) }
    set(addToastAtom, {
      id: 'outbox-refused',
      title: t`${title} could not be saved`,
      description: why,
      icon: 'error',
      color: 'danger',
      actions: [show],
      duration: 15_000,
    })
  }
}
