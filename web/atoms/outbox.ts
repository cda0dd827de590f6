import { atom } from 'jotai'
import { t } from '#say'
import type { Asset, AssetEdit } from '../../contract/assets.ts'
import { newId } from '../../contract/ids.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { NewPost, Post, PostEdit } from '../../contract/posts.ts'
import { ActionError } from '../lib/action-error.ts'
import { ApiError, checkInput } from '../lib/api.ts'
import { isAsset, isPost } from '../lib/content/is-post.ts'
import { rowsById } from '../lib/content/merge.ts'
import { messageOf } from '../lib/message-of.ts'
import { fieldsOf, namesOf, pick } from '../lib/outbox/merge.ts'
import { targetOf } from '../lib/outbox/rows.ts'
import { Action, type BulkAction, type ItemKind, isAnswer, itemsOf, type Operation } from '../lib/outbox/types.ts'
import { textOfHtml } from '../lib/plain-text.ts'
import { REFUSED } from '../lib/refused.ts'
import type { IconName } from '../ui/icon.tsx'
import { assetsAtom, contentStateAtom, postsAtom } from './content.ts'
import { cannotUndoAtom, changeIdAtom, type Done, doneAtom, inverseOf, openOutboxAtom, outboxAtom } from './outbox-state.ts'
import type { BulkChange, Change, Items } from './outbox-types.ts'
import { personNameAtom } from './profile.ts'
import { selectedCollectionIdAtom } from './selected-collection.ts'
import { sessionUserIdAtom } from './session.ts'
import { addErrorToastAtom, addToastAtom, type NewToast } from './toasts.ts'

// All changes to posts and assets go through here: they show at once, survive a reload, and are sent in order.

const MAX_UNDO = 50

const MANY = { post: 'posts', asset: 'assets' } as const

/** Stores operations in order, and remembers how to undo them; what the app makes `byItself` is no change of the user. */
export const enqueueAtom = atom(
  null,
  async (get, set, title: string, actions: Action[], into?: string, byItself = false): Promise<Change> => {
    const collectionId = into ?? get(selectedCollectionIdAtom)
    const userId = get(sessionUserIdAtom)
    const outbox = set(openOutboxAtom, userId)
    if (!userId || !outbox || !collectionId) throw new Error(t`Sign in to change something`)
    // Refuses what the server would refuse, or what could not be read back after a reload.
    const checked = actions.map((action) => checkInput(Action, action))
    const change: Change = { id: newId(), title }
    const operations = checked.map((action) => ({ id: newId(), action, ...set(rowsAtom, action) }))
    if (!byItself) set(doneAtom, [...get(doneAtom), { ...change, collectionId, operations }].slice(-MAX_UNDO))
    else set(joinAtom, operations)
    for (const { id, action } of operations) await outbox.add(operationOf({ id, userId, collectionId, action, title }))
    return change
  },
)

/** Adds what the app does to a post by itself to the user's last change of that post: one Undo takes back both. */
const joinAtom = atom(null, (get, set, operations: Done['operations']) => {
  const ids = new Set(operations.flatMap(({ action }) => itemsOf(action)))
  const writes = ({ action }: Done['operations'][number]) =>
    (action.kind === 'create' || action.kind === 'editPost') && itemsOf(action).some((id) => ids.has(id))
  const last = get(doneAtom).findLast((done) => done.operations.some(writes))
  if (last) set(doneAtom, (all) => all.map((done) => (done === last ? { ...done, operations: [...done.operations, ...operations] } : done)))
})

function operationOf(of: Pick<Operation, 'id' | 'userId' | 'collectionId' | 'action' | 'title'>): Operation {
  return {
    ...of,
    seq: Number.MAX_SAFE_INTEGER,
    state: 'waiting',
    uncertain: false,
    undone: false,
    attempts: 0,
    problem: null,
    theirs: null,
    changeId: null,
  }
}

/** Adds an action that can no longer be sent to the unsaved changes, where the user decides what happens to it. */
export const refuseAtom = atom(null, async (get, set, collectionId: string, action: Action, title: string): Promise<void> => {
  const userId = get(sessionUserIdAtom)
  const outbox = set(openOutboxAtom, userId)
  if (!userId || !outbox) throw new Error(t`Sign in to change something`)
  await outbox.ready
  const problem = { code: 'not_found', message: t`The collection is no longer shared with you`, fields: {} }
  await outbox.add({ ...operationOf({ id: newId(), userId, collectionId, action, title: t`“${title}”` }), state: 'refused', problem })
})

/** The rows that an action affects, as shown now. */
const rowsAtom = atom(null, (get, _set, action: Action): { posts: Post[]; assets: Asset[] } => {
  if (action.kind === 'create' || action.kind === 'undo' || isAnswer(action)) return { posts: [], assets: [] }
  const ids = new Set('ids' in action ? action.ids : [action.id])
  const item: ItemKind = 'item' in action ? action.item : action.kind === 'editPost' ? 'post' : 'asset'
  return {
    posts: item === 'post' ? get(postsAtom).filter(({ id }) => ids.has(id)) : [],
    assets: item === 'asset' ? get(assetsAtom).filter(({ id }) => ids.has(id)) : [],
  }
})

export const createPostAtom = atom(null, (get, set, collectionId: string, fields: NewPost, byItself = false) => {
  const collectionIds = [...new Set([collectionId, ...(fields.collectionIds ?? [])])]
  const post = { ...fields, id: fields.id ?? newId(), collectionIds }
  return set(enqueueAtom, t`“${fields.title.trim()}”`, [{ kind: 'create', post, author: get(personNameAtom) }], collectionId, byItself)
})

interface EditOptions {
  /** The post as it was shown; otherwise as it is now. */
  base?: Post
  /** The collection whose content the answer belongs to, if another one is open. */
  into?: string | undefined
  byItself?: boolean
}

export const editPostAtom = atom(null, (get, set, id: string, patch: PostEdit, { base, into, byItself }: EditOptions = {}) => {
  const row = base ?? get(postsAtom).find((post) => post.id === id)
  if (!row) throw new Error(t`This post is not here any more`)
  return set(enqueueAtom, t`“${row.title}”`, [{ kind: 'editPost', id, patch, before: fieldsOf(row), version: row.version }], into, byItself)
})

export const editAssetAtom = atom(null, (get, set, id: string, patch: AssetEdit, base?: Asset) => {
  const row = base ?? get(assetsAtom).find((asset) => asset.id === id)
  if (!row) throw new Error(t`This item is not here any more`)
  // All fields are sent. What waits to be sent is no part of them: it may be taken back.
  const stored = get(contentStateAtom).assets.find((asset) => asset.id === id && asset.version === row.version) ?? row
  const before = { ...fieldsOf(stored), ...pick(fieldsOf(row), namesOf(patch)) }
  return set(enqueueAtom, t`“${row.name}”`, [{ kind: 'editAsset', id, patch, before, version: row.version }])
})

/** Makes one call per kind and per thousand items. */
export const bulkAtom = atom(null, (get, set, items: Items, title: string, change: BulkChange) => {
  const rowsOf = { post: rowsById(get(postsAtom)), asset: rowsById(get(assetsAtom)) }
  const actions = (['post', 'asset'] as const).flatMap((item) =>
    portions(items[MANY[item]] ?? []).map((ids): BulkAction => {
      if (change.kind === 'people') return { kind: 'people', item, ids, add: change.add ?? [], remove: change.remove ?? [] }
      if (change.kind !== 'date') return { ...change, item, ids }
      const { kind, ...to } = change
      const rows = ids.flatMap((id): Post | Asset | [] => rowsOf[item].get(id) ?? [])
      const targets = Object.fromEntries(rows.map((row) => [row.id, targetOf(row, to)]))
      return { kind, item, ids, change: to, targets }
    }),
  )
  return set(enqueueAtom, title, actions)
})

export const linkAtom = atom(null, (_get, set, items: Items, title: string, collectionIds: string[]) =>
  set(bulkAtom, items, title, { kind: 'link', collectionIds }),
)
export const unlinkAtom = atom(null, (_get, set, items: Items, title: string, collectionId: string) =>
  set(bulkAtom, items, title, { kind: 'unlink', collectionId }),
)

/** Restores items from the trash. Undo moves them back to the trash. */
export const restoreItemsAtom = atom(null, (get, set, items: readonly (Post | Asset)[], title: string) => {
  const posts = items.filter(isPost)
  const assets = items.filter(isAsset)
  const restore = (rows: Partial<Record<'posts' | 'assets', (Post | Asset)[]>>) =>
    ({ kind: 'undo', changeId: null, posts: [], assets: [], ...rows }) as Action
  const actions = [...portions(posts).map((rows) => restore({ posts: rows })), ...portions(assets).map((rows) => restore({ assets: rows }))]
  const [first] = items
  // Only decides what to fetch again; without an open collection, one that contains the item.
  const into = get(selectedCollectionIdAtom) ?? first?.collections[0]?.collection_id ?? first?.id
  return set(enqueueAtom, title, actions, into)
})

function portions<T>(items: readonly T[]): T[][] {
  const each = [...new Set(items)]
  return Array.from({ length: Math.ceil(each.length / LIMITS.bulkIds) }, (_, i) => each.slice(i * LIMITS.bulkIds, (i + 1) * LIMITS.bulkIds))
}

/** Undoes one change, or the latest of this tab. Resolves to it; null if there is nothing to undo. */
export const undoAtom = atom(null, async (get, set, changeId?: string): Promise<Change | null> => {
  const userId = get(sessionUserIdAtom)
  const outbox = set(openOutboxAtom, userId)
  const change = changeId ? get(doneAtom).find(({ id }) => id === changeId) : get(doneAtom).at(-1)
  if (!change || !outbox || !userId) return null
  const at = get(doneAtom).indexOf(change)
  set(doneAtom, get(doneAtom).toSpliced(at, 1))
  await change.undo?.().catch((error: unknown) => {
    if (mayPass(error)) set(doneAtom, get(doneAtom).toSpliced(at, 0, change))
    throw error
  })
  for (const { id, action, posts, assets } of change.operations.toReversed()) {
    // A reaction may be chosen again at once: what takes it back has its place in the queue before that.
    if ((await outbox.takeBack(id, action.kind !== 'react', { posts, assets })) !== 'gone') continue
    // Its answer may be stored already without having been announced.
    const sent = outbox.operations().find((operation) => operation.id === id)
    const back = inverseOf(action, sent?.changeId ?? get(changeIdAtom)(id) ?? null, { posts, assets })
    if (back) await outbox.add(operationOf({ id: newId(), userId, collectionId: change.collectionId, action: back, title: change.title }))
    else set(cannotUndoAtom, change.title)
  }
  return change
})

/** Whether a failed call may succeed later: the server has not refused it. */
function mayPass(error: unknown): boolean {
  const cause = error instanceof ActionError ? error.cause : error
  return !(cause instanceof ApiError && REFUSED.has(cause.code))
}

/** Shows what was done with an Undo button, such as `3 photos moved to the trash`: a toast with the id of the change. `description` says what was not done. */
export const withUndoToastAtom = atom(
  null,
  async (_get, set, done: Promise<Change>, title: string, icon: IconName = 'check-circle', description?: string) => {
    const { id } = await done
    const actions = [{ label: t`Undo`, onClick: () => void set(undoAtom, id) }]
    const note =
      description ?? (navigator.onLine === false ? t`It is kept on this device, and sent when there is a connection.` : undefined)
    set(addToastAtom, { id, title, icon, actions, ...(note ? { description: note } : {}) })
  },
)

/** The same for a change that the server has made already. `undo` takes it back. */
export const withUndoOfServerAtom = atom(
  null,
  (get, set, { undo, ...toast }: Omit<NewToast, 'actions'> & { undo: () => Promise<unknown> }) => {
    const { id = newId(), title } = toast
    const others = get(doneAtom).filter((other) => other.id !== id)
    set(doneAtom, [...others, { id, title, note: toast.description, collectionId: '', operations: [], undo }].slice(-MAX_UNDO))
    const run = () =>
      set(undoAtom, id).catch((error: unknown) => set(addErrorToastAtom, t`The change could not be undone`, messageOf(error)))
    set(addToastAtom, { ...toast, id, actions: [{ label: t`Undo`, onClick: () => void run() }] })
  },
)

/** Resolves a conflict. `both` keeps the server's version, and makes a new post of the user's own. */
export const settleConflictAtom = atom(null, async (get, set, operation: Operation, choice: 'mine' | 'theirs' | 'both') => {
  const { action, theirs, id } = operation
  const outbox = get(outboxAtom)
  if (!outbox || !theirs || (action.kind !== 'editPost' && action.kind !== 'editAsset')) return
  if (choice === 'mine') {
    const before = fieldsOf(theirs)
    return outbox.retry(id, { ...action, version: theirs.version, before })
  }
  if (choice === 'both' && action.kind === 'editPost' && isPost(theirs))
    await set(createPostAtom, operation.collectionId, copyOf(theirs, action.patch))
  await outbox.drop(id)
})

/** Saves text that could not be saved in place as a new post in another collection. */
export const saveElsewhereAtom = atom(null, async (get, set, operation: Operation, collectionId: string) => {
  const fields = textOf(operation.action)
  if (!fields) return
  await set(createPostAtom, collectionId, fields)
  await get(outboxAtom)?.drop(operation.id)
})

/** The words of an action, which the user may copy if they cannot be saved. */
export function wordsOf(action: Action): string {
  if (action.kind === 'comment') return action.comment.text
  if (action.kind === 'editComment') return action.to.text ?? ''
  if (action.kind === 'editAsset') return action.patch.alt ?? ''
  const text = textOf(action)
  return text ? [text.title, textOfHtml(text.body ?? '')].filter(Boolean).join('\n\n') : ''
}

/** The post that an operation would have produced, limited to fields valid in any collection: people and photos are not. */
export function textOf(action: Action): Omit<NewPost, 'collectionIds' | 'id'> | null {
  if (action.kind !== 'create' && action.kind !== 'editPost') return null
  const {
    type = 'note',
    kind,
    title,
    body,
    date,
    dateZone,
    datePrecision,
    endsAt,
    location,
    placeHidden,
  } = action.kind === 'create' ? action.post : { ...action.before, ...action.patch }
  return { type, kind, title: title || t`Without a title`, body, date, dateZone, datePrecision, endsAt, location, placeHidden }
}

function copyOf(theirs: Post, patch: PostEdit): Omit<NewPost, 'collectionIds'> {
  const { type = theirs.type, title = theirs.title, ...rest } = { ...fieldsOf(theirs), ...patch }
  const { kind, body, date, dateZone, datePrecision, endsAt, location, placeHidden, peopleIds, existingAssetIds } = rest
  return { type, kind, title, body, date, dateZone, datePrecision, endsAt, location, placeHidden, peopleIds, existingAssetIds }
}

export const retryAtom = atom(null, async (get, _set, id: string) => get(outboxAtom)?.retry(id))
export const dropAtom = atom(null, async (get, _set, id: string) => get(outboxAtom)?.drop(id))
