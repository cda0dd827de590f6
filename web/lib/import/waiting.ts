import type { DBSchema } from 'idb'
import { ImportedComment, ImportedReaction } from '../../../contract/imported-answers.ts'
import { NewPost } from '../../../contract/posts.ts'
import { z } from '../../../contract/zod.ts'
import { type AccountDb, accountDb } from '../account-db.ts'
import { setPendingImport } from './flag.ts'

/** A post whose assets are in the upload queue, given by the ids of their uploads. */
export const WaitingPost = z.object({
  collectionId: z.string(),
  post: NewPost,
  pictures: z.array(z.string()),
})
export type WaitingPost = z.infer<typeof WaitingPost>

/** Assets to be shown as one item once they have arrived, the cover first, given by the ids of their uploads. `groupId` is its key here. */
const WaitingGroup = z.object({ collectionId: z.string(), groupId: z.string(), pictures: z.array(z.string()) })
export type WaitingGroup = z.infer<typeof WaitingGroup>

/** Comments and reactions to a post, or to the asset of an upload, with the ids that they have in the archive. `title` is that of the item. */
const WaitingAnswers = z.object({
  collectionId: z.string(),
  title: z.string(),
  postId: z.string().optional(),
  pictures: z.array(z.string()),
  answers: z.object({ comments: z.array(ImportedComment.extend({ id: z.string() })), reactions: z.array(ImportedReaction) }),
})
export type WaitingAnswers = z.infer<typeof WaitingAnswers>

export type Waiting = WaitingPost | WaitingGroup | WaitingAnswers
const Row = z.union([WaitingPost, WaitingGroup, WaitingAnswers])

interface Schema extends DBSchema {
  posts: { key: string; value: Waiting }
  /** The asset, or the upload, that had the bytes of an upload before. */
  arrived: { key: string; value: string }
}

export interface WaitingPosts {
  put(rows: readonly Waiting[]): Promise<void>
  /** Includes those of other tabs, but none that another tab has already created. */
  all(): Promise<Waiting[]>
  remove(id: string): Promise<void>
  /** Begins an import: uploads that arrive are recorded until the returned function is called. */
  hold(): () => Promise<void>
  arrive(uploadId: string, assetId: string): Promise<void>
  arrived(uploadId: string): Promise<string | undefined>
}

/** Every imported post has an id derived from its source. */
export function waitingId(one: Waiting): string {
  if ('post' in one) return one.post.id ?? ''
  return 'groupId' in one ? one.groupId : `answers ${one.postId ?? one.pictures[0]}`
}

let opened: { userId: string; device: AccountDb<Schema>; store: WaitingPosts } | null = null

/**
 * Posts, groups and comments that wait for their assets, one database per account. Where the browser has no room, they are kept in memory until the next
 * reload.
 */
export function waitingPosts(userId: string): WaitingPosts {
  if (opened?.userId !== userId || opened.device.hasEnded()) {
    const device = openDatabase(userId)
    opened = { userId, device, store: storeOf(userId, device) }
  }
  return opened.store
}

function storeOf(userId: string, device: AccountDb<Schema>): WaitingPosts {
  const memory = new Map<string, Waiting>()
  /** Ids of posts that are stored on the device as well. */
  const stored = new Set<string>()
  const assets = new Map<string, string>()
  let inUse = 0
  async function forget() {
    const count = await device.use((db) => db.count('posts')).catch(() => 0)
    if (inUse > 0 || memory.size > 0 || (count ?? 0) > 0) return
    await device.use((db) => db.clear('arrived')).catch(() => undefined)
    assets.clear()
    setPendingImport(userId, false)
  }
  function drop(id: string) {
    memory.delete(id)
    stored.delete(id)
  }
  return {
    hold() {
      inUse++
      setPendingImport(userId, true)
      return () => {
        inUse--
        return forget()
      }
    },
    async put(rows) {
      if (rows.length === 0) return
      setPendingImport(userId, true)
      for (const waiting of rows) memory.set(waitingId(waiting), waiting)
      const write = device.use(async (db) => {
        const tx = db.transaction('posts', 'readwrite')
        await Promise.all([...rows.map((waiting) => tx.store.put(waiting, waitingId(waiting))), tx.done])
        for (const waiting of rows) stored.add(waitingId(waiting))
      })
      // They are still in memory.
      await write.catch(() => undefined)
    },
    async all() {
      const keys = await device.use((db) => db.getAllKeys('posts')).catch(() => null)
      if (device.wasCleared()) stored.clear()
      if (!keys) return [...memory.values()]
      const left = new Set(keys)
      for (const id of [...stored]) if (!left.has(id)) drop(id)
      if (keys.some((id) => !stored.has(id))) {
        for (const row of await readRows(device)) memory.set(waitingId(row), row)
        for (const id of keys) stored.add(id)
      }
      return [...memory.values()]
    },
    async remove(id) {
      drop(id)
      await device.use((db) => db.delete('posts', id)).catch(() => undefined)
      await forget()
    },
    async arrive(uploadId, assetId) {
      assets.set(uploadId, assetId)
      await device.use((db) => db.put('arrived', assetId, uploadId)).catch(() => undefined)
    },
    async arrived(uploadId) {
      return assets.get(uploadId) ?? (await device.use((db) => db.get('arrived', uploadId)).catch(() => undefined)) ?? undefined
    },
  }
}

/** Rows of an earlier visit, or of another tab. */
async function readRows(device: AccountDb<Schema>): Promise<Waiting[]> {
  const rows: unknown[] = (await device.use((db) => db.getAll('posts')).catch(() => [])) ?? []
  return rows.flatMap((row) => Row.safeParse(row).data ?? []).filter(waitingId)
}

function openDatabase(userId: string): AccountDb<Schema> {
  return accountDb(`cairn-imports-${userId}`, (db) => {
    db.createObjectStore('posts')
    db.createObjectStore('arrived')
  })
}
