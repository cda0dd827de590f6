import type { z } from 'zod'
import { say } from '#language'
import { t } from '#say'
import { newId } from '../../contract/ids.ts'
import type { NewPost, Post, PostEdit, PostReplacement } from '../../contract/posts.ts'
import { sanitizeHtml } from '../content/sanitize.ts'
import { NOT_YOURS_TO_CHANGE, readOnlyMessage, unknownIds } from '../http/access.ts'
import { AppError, fieldError, forbidden, notFound, violates } from '../http/errors.ts'
import { type PostWrite, updatePost } from '../queries/edit-post.ts'
import type { Caller } from '../queries/permissions.ts'
import { insertPost, type Refusals } from '../queries/posts.ts'

type EditCaller = Caller<'item.edit' | 'item.add' | 'item.link'>

/**
 * Creates a post with its links, people and assets, or nothing. A repeated call with the same id by its author returns the existing post (`made`
 * is false). Throws 404 with ids that the caller may not use, and 403 for a collection where they may only read.
 */
export async function createPost(caller: Caller<'item.add'>, input: NewPost): Promise<{ made: boolean; post: Post }> {
  const id = input.id ?? newId()
  const { made, post, ...refusals } = await insertPost(caller, { ...input, id, body: sanitizeHtml(input.body ?? '') })
  if (post) return { made, post }
  refuse(refusals)
  throw new AppError('conflict', t`This id is taken. Send another one`)
}

export interface Change {
  id: string
  /** Expected version; null accepts any. */
  version: number | null
}

/** `changeId` undoes the edit. */
export interface ChangedPost {
  post: Post
  changeId: string
}

/** Changes only the given fields. */
export async function editPost(caller: EditCaller, change: Change, edit: PostEdit): Promise<ChangedPost> {
  const changeId = newId()
  const body = edit.body === undefined ? {} : { body: sanitizeHtml(edit.body) }
  const outcome = await updatePost(caller, { ...change, changeId, edit: { ...edit, ...body } }).catch((error) => {
    if (violates(error, 'posts_end')) throw fieldError('invalid', 'endsAt', t`The end must not be before the start`)
    throw error
  })
  return { post: requireWritten(outcome), changeId }
}

/** Replaces all editable fields. A missing field becomes empty. */
export function replacePost(caller: EditCaller, change: Change, post: z.infer<typeof PostReplacement>): Promise<ChangedPost> {
  const empty = { kind: null, body: '', date: null, dateZone: null, endsAt: null, location: null, peopleIds: [], existingAssetIds: [] }
  return editPost(caller, change, { ...empty, ...post })
}

function requireWritten(outcome: PostWrite | null): Post {
  if (!outcome?.post) throw notFound(t`The post was not found`)
  const { permitted, linkable, current, fits, done, post } = outcome
  if (!permitted || !linkable) throw forbidden(say(NOT_YOURS_TO_CHANGE))
  if (!current) throw new AppError('conflict', t`Somebody changed this post meanwhile`, { detail: { post } })
  if (!fits)
    throw fieldError('invalid', 'kind', post.type === 'event' ? t`This kind does not go with events` : t`This kind does not go with notes`)
  refuse(outcome)
  if (!done) throw new AppError('conflict', t`Somebody changed this post at the same moment`, { detail: { post } })
  return post
}

function refuse({ hidden, closed, people, assets }: Refusals): void {
  if (hidden.length > 0) throw unknownIds((ids) => t`Collections not found: ${ids}`, 'collectionIds', hidden)
  if (closed.length > 0) throw forbidden(readOnlyMessage(closed))
  if (people.length > 0) throw unknownIds((ids) => t`People not found: ${ids}`, 'peopleIds', people)
  if (assets.length > 0) throw unknownIds((ids) => t`Assets not found: ${ids}`, 'existingAssetIds', assets)
}
