import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import { NewPost } from '../../../contract/posts.ts'
import { z } from '../../../contract/zod.ts'
import { giveWay } from '../account-remains.ts'
import { markImport } from './flag.ts'

/** A post whose pictures are handed over, named by the ids of their uploads. */
export const WaitingPost = z.object({
  collectionId: z.string(),
  post: NewPost,
  pictures: z.array(z.string()),
})
export type WaitingPost = z.infer<typeof WaitingPost>

interface Schema extends DBSchema {
  posts: { key: string; value: WaitingPost }
  /** The asset that an upload has become, where it is another one. */
  arrived: { key: string; value: string }
}

export interface WaitingPosts {
  put(posts: readonly WaitingPost[]): Promise<void>
  all(): Promise<WaitingPost[]>
  remove(id: string): Promise<void>
  /** An import has begun: what arrives from now on is remembered, until it is released. */
  hold(): () => Promise<void>
  arrive(uploadId: string, assetId: string): Promise<void>
  arrived(uploadId: string): Promise<string | undefined>
}

let opened: { userId: string; store: WaitingPosts } | null = null

/** Posts that wait for their pictures, one database per account. Where the browser has no room they live until the next reload. */
export function waitingPosts(userId: string): WaitingPosts {
  if (opened?.userId !== userId) opened = { userId, store: storeOf(userId, openDatabase(`cairn-imports-${userId}`)) }
  return opened.store
}

function storeOf(userId: string, database: Promise<IDBPDatabase<Schema> | null>): WaitingPosts {
  const memory = new Map<string, WaitingPost>()
  const assets = new Map<string, string>()
  let held = 0
  let read: Promise<void> | undefined
  async function forget() {
    const db = await database
    if (held > 0 || memory.size > 0 || ((await db?.count('posts').catch(() => 0)) ?? 0) > 0) return
    await db?.clear('arrived').catch(() => undefined)
    assets.clear()
    markImport(userId, false)
  }
  return {
    hold() {
      held++
      markImport(userId, true)
      return () => {
        held--
        return forget()
      }
    },
    async put(posts) {
      if (posts.length === 0) return
      markImport(userId, true)
      for (const waiting of posts) memory.set(waiting.post.id ?? '', waiting)
      try {
        const tx = (await database)?.transaction('posts', 'readwrite')
        if (tx) await Promise.all([...posts.map((waiting) => tx.store.put(waiting, waiting.post.id ?? '')), tx.done])
      } catch {
        // Memory has them.
      }
    },
    async all() {
      read ??= readInto(memory, database)
      await read
      return [...memory.values()]
    },
    async remove(id) {
      memory.delete(id)
      await (await database)?.delete('posts', id).catch(() => undefined)
      await forget()
    },
    async arrive(uploadId, assetId) {
      assets.set(uploadId, assetId)
      await (await database)?.put('arrived', assetId, uploadId).catch(() => undefined)
    },
    async arrived(uploadId) {
      return assets.get(uploadId) ?? (await (await database)?.get('arrived', uploadId).catch(() => undefined))
    },
  }
}

/** What an earlier visit has left. */
async function readInto(memory: Map<string, WaitingPost>, database: Promise<IDBPDatabase<Schema> | null>): Promise<void> {
  const rows: unknown[] = (await (await database)?.getAll('posts').catch(() => [])) ?? []
  for (const row of rows) {
    const { data } = WaitingPost.safeParse(row)
    if (data?.post.id) memory.set(data.post.id, data)
  }
}

async function openDatabase(name: string): Promise<IDBPDatabase<Schema> | null> {
  // In a try: where the browser forbids storage, the call itself throws.
  try {
    return await openDB<Schema>(name, 1, {
      upgrade(db) {
        db.createObjectStore('posts')
        db.createObjectStore('arrived')
      },
      blocking: giveWay,
    })
  } catch {
    return null
  }
}
