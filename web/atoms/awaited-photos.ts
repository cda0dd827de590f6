import { atom } from 'jotai'
import { LIMITS } from '../../contract/limits.ts'
import { getPost, type Post } from '../../contract/posts.ts'
import { z } from '../../contract/zod.ts'
import { ApiError, call } from '../lib/api.ts'
import { parseJson, readLocal, writeLocal } from '../lib/storage.ts'
import { assetIdOf } from '../lib/uploads/items.ts'
import type { UploadItem } from '../lib/uploads/types.ts'
import { assetsAtom, postsAtom } from './content.ts'
import { editPostAtom } from './outbox.ts'
import { operationsAtom } from './pending.ts'
import { selectedCollectionIdAtom } from './selected-collection.ts'
import { sessionUserIdAtom } from './session.ts'

/** A post that was saved while some of its photos were still uploading, and the order of its photos. */
const Awaited = z.object({
  userId: z.string(),
  collectionId: z.string(),
  postId: z.string(),
  /** Asset ids of the photos that are still missing. */
  pictures: z.array(z.string()),
  /** Asset ids of those that have arrived. */
  there: z.array(z.string()).default([]),
  /** All photos in their order; missing until the first one arrives. */
  order: z.array(z.string()).optional(),
  since: z.number(),
})
type Awaited = z.infer<typeof Awaited>

const KEY = 'draft awaited-pictures'
/** Milliseconds. Long, because files wait on the device without a limit; in the end it clears posts whose files were cancelled. */
const MAX_AGE = 365 * 86_400_000

function read(): Awaited[] {
  return (parseJson(readLocal(KEY), z.array(Awaited)) ?? []).filter(({ since }) => Date.now() - since < MAX_AGE)
}

function write(list: readonly Awaited[]): void {
  writeLocal(KEY, list.length > 0 ? JSON.stringify(list) : null)
}

/** Stores a post with missing photos, or removes it once it is complete. */
export const awaitPhotosAtom = atom(null, (get, _set, post: Pick<Awaited, 'collectionId' | 'postId' | 'pictures'>, complete: boolean) => {
  const userId = get(sessionUserIdAtom)
  if (!userId) return
  const others = read().filter(({ postId }) => postId !== post.postId)
  write(complete ? others : [...others, { ...post, userId, there: [], since: Date.now() }])
})

/** Ids of a post's photos in their order, with those that it still waits for. `present`: ids of assets and of files in the upload queue. */
export function photosOf(post: Post, userId: string, present: ReadonlySet<string>): string[] {
  const existing = post.assets.map(({ id }) => id)
  const awaited = read().find((one) => one.postId === post.id && one.userId === userId)
  const coming = awaited?.pictures.filter((id) => present.has(id)) ?? []
  return awaited ? inOrder(awaited, existing, coming) : existing
}

/** `existing` and `added` in the order of their post; photos that others have added come last. */
function inOrder({ pictures, order = pictures }: Awaited, existing: readonly string[], added: readonly string[]): string[] {
  return [...order.filter((id) => existing.includes(id) || added.includes(id)), ...existing.filter((id) => !order.includes(id))]
}

/** Records that an upload has become `becomes`: an asset that exists, or a pending upload of the same bytes under another id. */
export function recordPhoto(id: string, becomes: string, isThere: boolean): void {
  recordPhotos(new Map([[id, becomes]]), isThere)
}

function recordPhotos(becomes: ReadonlyMap<string, string>, isThere: boolean): void {
  const list = read()
  if (!list.some(({ pictures }) => pictures.some((id) => becomes.has(id)))) return
  const renamed = (ids: readonly string[]) => [...new Set(ids.map((id) => becomes.get(id) ?? id))]
  write(
    list.map((awaited) => {
      const come = awaited.pictures.flatMap((id) => becomes.get(id) ?? [])
      if (come.length === 0) return awaited
      const order = renamed(awaited.order ?? awaited.pictures)
      return {
        ...awaited,
        pictures: renamed(awaited.pictures),
        order,
        there: isThere ? [...new Set([...awaited.there, ...come])] : awaited.there,
      }
    }),
  )
}

/** Whether photos have arrived whose post could not be asked for, or was not written yet. */
export const hasArrived = (userId: string | null) =>
  read().some((one) => one.userId === userId && one.pictures.some((id) => one.there.includes(id)))

/** Adds photos that have arrived to the posts that wait for them. */
export const attachArrivedAtom = atom(null, async (get, set, items: readonly UploadItem[]) => {
  const userId = get(sessionUserIdAtom)
  const isThere = ({ state }: UploadItem) => state === 'done' || state === 'duplicate'
  const byId = new Map(items.map((item) => [item.id, item]))
  if (read().length > 0) recordPhotos(new Map(items.filter(isThere).map(({ id }) => [id, assetIdOf(id, byId)])), true)
  for (const { postId } of read().filter((one) => one.userId === userId)) {
    const post = await rowOf(postId, get(postsAtom))
    const isUnsent = get(operationsAtom).some(({ action }) => action.kind === 'create' && action.post.id === postId)
    if (post === 'gone' && !isUnsent) write(read().filter((one) => one.postId !== postId))
    // Read again: more photos may have been recorded during the call.
    const awaited = read().find((one) => one.postId === postId)
    if (get(sessionUserIdAtom) !== userId) return
    if (!post || post === 'gone' || !awaited) continue
    const { pictures, order = pictures } = awaited
    const there = new Set([...awaited.there, ...get(assetsAtom).map(({ id }) => id)])
    const existing = post.assets.map(({ id }) => id)
    // Keeps photos that the user added or removed in the meantime.
    const arrived = pictures.filter((id) => there.has(id) && !existing.includes(id))
    if (arrived.length > 0) {
      const ids = inOrder(awaited, existing, arrived)
      const into = awaited.collectionId === get(selectedCollectionIdAtom) ? undefined : awaited.collectionId
      await set(editPostAtom, post.id, { existingAssetIds: ids.slice(0, LIMITS.assetsPerPost) }, { base: post, into, byItself: true })
    }
    const left = (one: Awaited) => ({ ...one, order: one.order ?? order, pictures: one.pictures.filter((id) => !there.has(id)) })
    write(read().flatMap((one) => (one.postId === postId ? [left(one)].filter((rest) => rest.pictures.length > 0) : [one])))
  }
})

/** `gone` if the server has no such post, null if it does not answer. */
async function rowOf(id: string, shown: readonly Post[]): Promise<Post | 'gone' | null> {
  const row = shown.find((post) => post.id === id)
  if (row) return row
  return call(getPost, { params: { id } }).then(
    ({ post }) => post,
    (error: unknown) => (error instanceof ApiError && error.code === 'not_found' ? 'gone' : null),
  )
}
