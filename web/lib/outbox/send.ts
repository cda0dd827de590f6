import { t } from '#say'
import { type Asset, deleteAsset, getAsset, linkAsset, replaceAsset } from '../../../contract/assets.ts'
import { bulkAssets, bulkPosts, CHANGE_HEADER } from '../../../contract/bulk.ts'
import { timeOfId } from '../../../contract/ids.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { createPost, deletePost, getPost, linkPost, type NewPost, type Post, updatePost } from '../../../contract/posts.ts'
import { restoreTrash } from '../../../contract/trash.ts'
import { undoChange } from '../../../contract/undo.ts'
import { ApiError, call } from '../api.ts'
import { isPost } from '../content/is-post.ts'
import { fieldsOf, mergeOutcome, rebasedOn } from './merge.ts'
import { sendAnswer } from './send-answer.ts'
import type { Action, BulkAction, EditAction, ItemKind, Operation, SendResult } from './types.ts'

/** The same fields have other values in another version of the row. */
export class ConflictError extends Error {
  override name = 'ConflictError'
  readonly theirs: Post | Asset

  constructor(theirs: Post | Asset) {
    super(t`Somebody changed this meanwhile`)
    this.theirs = theirs
  }
}

const NONE: SendResult = { changeId: null }
/** Rebases onto newer versions before an edit goes back to the queue. */
const REBASES = 3

/** Sends one operation. `again`: an earlier attempt may have arrived. Throws ApiError or ConflictError. */
export function sendOperation({ id, action, collectionId }: Operation, again: boolean): Promise<SendResult> {
  switch (action.kind) {
    case 'create':
      return sendCreate(action.post, again ? timeOfId(id) : null)
    case 'editPost':
    case 'editAsset':
      return sendEdit(action)
    case 'comment':
    case 'editComment':
    case 'deleteComment':
    case 'react':
      return sendAnswer(action, collectionId)
    case 'undo':
      return sendUndo(action, again)
    default:
      return sendBulk(action, again, id)
  }
}

/**
 * A post that was imported before is not written again, but linked to the collection again if it was removed from it, and given the photos that
 * it lacked then. `tried` is the time in milliseconds of an earlier attempt that may have written it: a removal after that is respected.
 */
async function sendCreate(body: NewPost, tried: number | null): Promise<SendResult> {
  const written = await call(createPost, { body }).catch((error: unknown) => {
    // Its id is only taken if that attempt wrote it and it was moved to the trash since.
    if (tried !== null && error instanceof ApiError && error.code === 'conflict') return null
    throw error
  })
  if (!written) return NONE
  const post = await withPhotos(written.post, body)
  const missing = (body.collectionIds ?? []).filter((id) => post.collections.every(({ collection_id }) => collection_id !== id))
  if (missing.length === 0 || (tried !== null && Date.parse(post.created_at) >= tried)) return { changeId: null, post }
  const linked = await call(linkPost, { params: { id: post.id }, body: { collectionIds: missing } })
  return { changeId: null, post: linked.post }
}

/** Since an edit the author may not want a photo that is missing, unless it was uploaded after that. */
async function withPhotos(post: Post, { existingAssetIds: wanted = [] }: NewPost): Promise<Post> {
  const { id, version, updated_at } = post
  const shown = post.assets.map((asset) => asset.id)
  const missing = wanted.filter((one) => !shown.includes(one) && (version === 1 || timeOfId(one) > Date.parse(updated_at)))
  if (missing.length === 0) return post
  const all = version === 1 ? [...wanted, ...shown] : [...shown, ...missing]
  const existingAssetIds = [...new Set(all)].slice(0, LIMITS.assetsPerPost)
  try {
    return (await call(updatePost, { params: { id }, headers: { 'if-match': String(version) }, body: { existingAssetIds } })).post
  } catch (error) {
    if (error instanceof ApiError && error.code === 'conflict') return post
    throw error
  }
}

async function sendEdit(action: EditAction): Promise<SendResult> {
  let edit = action
  for (let left = REBASES; ; left--) {
    try {
      return await put(edit)
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'conflict') || left === 0) throw error
      const row = await read(edit.kind === 'editPost' ? 'post' : 'asset', edit.id)
      const outcome = mergeOutcome(edit, row)
      if (outcome === 'conflict') throw new ConflictError(row)
      // The row already has the values: an earlier attempt had arrived, or another user wrote the same.
      if (outcome === 'done') return isPost(row) ? { changeId: null, post: row } : { changeId: null, asset: row }
      edit = rebasedOn(edit, row)
    }
  }
}

async function put(edit: EditAction): Promise<SendResult> {
  const options = { params: { id: edit.id }, headers: { 'if-match': String(edit.version) } }
  if (edit.kind === 'editPost') return call(updatePost, { ...options, body: edit.patch })
  // PUT clears the fields it does not name. Who did not see the exact place has none to send.
  const shown = 'location' in edit.before ? edit.before : { ...fieldsOf(await read('asset', edit.id)), ...edit.before }
  return call(replaceAsset, { ...options, body: { ...shown, ...edit.patch } })
}

async function read(kind: ItemKind, id: string): Promise<Post | Asset> {
  if (kind === 'post') return (await call(getPost, { params: { id } })).post
  return (await call(getAsset, { params: { id } })).asset
}

async function sendUndo(action: Extract<Action, { kind: 'undo' }>, again: boolean): Promise<SendResult> {
  const { changeId, posts, assets } = action
  if (changeId) return call(undoChange, { params: { changeId } }).then(() => NONE)
  const ids = (rows: readonly { id: string }[]) => (rows.length > 0 ? rows.map(({ id }) => id) : undefined)
  try {
    await call(restoreTrash, { body: { postIds: ids(posts), assetIds: ids(assets) } })
  } catch (error) {
    if (!again || !(error instanceof ApiError && error.code === 'not_found')) throw error
  }
  return NONE
}

/** The operation's id is that of the change, which the server does not make twice. */
async function sendBulk(action: BulkAction, again: boolean, changeId: string): Promise<SendResult> {
  // Perhaps by an earlier version of the app, which sent no id.
  if (action.kind === 'date' && action.change.shift && again && (await hasShifted(action))) return { changeId }
  const headers = { [CHANGE_HEADER]: changeId }
  let { ids } = action
  for (;;) {
    try {
      return await bulk({ ...action, ids }, headers)
    } catch (error) {
      const left = error instanceof ApiError && error.code === 'not_found' ? without(ids, error.fields.ids) : ids
      if (left.length === ids.length) throw error
      // Missing rows need no change any more; the others still do.
      if (left.length > 0) ids = left
      else if (again || action.kind === 'trash' || action.kind === 'unlink') return NONE
      else throw error
    }
  }
}

async function bulk(action: BulkAction, headers: Record<string, string>): Promise<SendResult> {
  const [id = '', ...others] = action.ids
  if (others.length === 0 && (action.kind === 'trash' || action.kind === 'link')) return one(action, id, headers)
  const to = action.item === 'post' ? bulkPosts : bulkAssets
  const { ids } = action
  switch (action.kind) {
    case 'link':
      return call(to.addToCollections, { headers, body: { ids, collectionIds: action.collectionIds } })
    case 'unlink':
      return call(to.removeFromCollection, { headers, body: { ids, collectionId: action.collectionId } })
    case 'date':
      return call(to.setDate, { headers, body: { ids, ...action.change } })
    case 'location':
      return call(to.setLocation, { headers, body: { ids, location: action.location } })
    case 'people':
      return call(to.tagPeople, { headers, body: { ids, add: action.add, remove: action.remove } })
    case 'trash':
      return call(to.trash, { headers, body: { ids } })
  }
}

/** One item has calls of its own. That of a link answers with the row, so that it is there before the content is fetched. */
async function one(
  action: Extract<BulkAction, { kind: 'trash' | 'link' }>,
  id: string,
  headers: Record<string, string>,
): Promise<SendResult> {
  const params = { id }
  if (action.kind === 'link') {
    const body = { collectionIds: action.collectionIds }
    return action.item === 'post' ? call(linkPost, { params, headers, body }) : call(linkAsset, { params, headers, body })
  }
  try {
    const { changeId = null } = await call(action.item === 'post' ? deletePost : deleteAsset, { params, headers })
    return { changeId }
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return NONE
    throw error
  }
}

/** A shift is the one change that must not be sent twice. It is applied to all rows or none, so checking one row with a date is enough. */
async function hasShifted({ item, ids, targets }: Extract<BulkAction, { kind: 'date' }>): Promise<boolean> {
  for (const id of ids) {
    const from = targets[id]?.from
    if (!from) continue
    const row = await read(item, id).catch((error) => {
      if (error instanceof ApiError && error.code === 'not_found') return null
      throw error
    })
    if (row) return row.date === null || Date.parse(row.date) !== Date.parse(from)
  }
  return false
}

/** The server names the missing ids in its message. */
function without(ids: readonly string[], message = ''): string[] {
  return ids.filter((id) => !message.includes(id))
}
