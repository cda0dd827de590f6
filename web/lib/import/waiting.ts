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
  /** Those of other tabs too, and none that another tab has written meanwhile. */
  all(): Promise<WaitingPost[]>
  remove(id: string): Promise<void>
  /** An import has begun: what arrives from now on is remembered, until it is released. */
  hold(): () => Promise<void>
  arrive(uploadId: string, assetId: string): Promise<void>
  arrived(uploadId: string): Promise<string | undefined>
}

/** Every import gives its posts ids of their source. */
const idOf = ({ post }: WaitingPost) => post.id ?? ''

let opened: { userId: string; store: WaitingPosts } | null = null

/** Posts that wait for their pictures, one database per account. Where the browser has no room they live until the next reload. */
export function waitingPosts(userId: string): WaitingPosts {
  if (opened?.userId !== userId) opened = { userId, store: storeOf(userId, openDatabase(`cairn-imports-${userId}`)) }
  return opened.store
}

function storeOf(userId: string, database: Promise<IDBPDatabase<Schema> | null>): WaitingPosts {
  const memory = new Map<string, WaitingPost>()
  /** Those that the device keeps as well. */
  const stored = new Set<string>()
  const assets = new Map<string, string>()
  let held = 0
  async function forget() {
    const db = await database
    if (held > 0 || memory.size > 0 || ((await db?.count('posts').catch(() => 0)) ?? 0) > 0) return
    await db?.clear('arrived').catch(() => undefined)
    assets.clear()
    markImport(userId, false)
  }
  function drop(id: string) {
    memory.delete(id)
    stored.delete(id)
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
      for (const waiting of posts) memory.set(idOf(waiting), waiting)
      try {
        const tx = (await database)?.transaction('posts', 'readwrite')
        if (!tx) return
        await Promise.all([...posts.map((waiting) => tx.store.put(waiting, idOf(waiting))), tx.done])
        for (const waiting of posts) stored.add(idOf(waiting))
      } catch {
        // Memory has them.
      }
    },
    async all() {
      const keys = await (await database)?.getAllKeys('posts').catch(() => undefined)
      if (!keys) return [...memory.values()]
      const left = new Set(keys)
      for (const id of [...stored]) if (!left.has(id)) drop(id)
      if (keys.some((id) => !stored.has(id))) {
        for (const row of await readRows(database)) memory.set(idOf(row), row)
        for (const id of keys) stored.add(id)
      }
      return [...memory.values()]
    },
    async remove(id) {
      drop(id)
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

/** What an earlier visit, or another tab, has left. */
async function readRows(database: Promise<IDBPDatabase<Schema> | null>): Promise<WaitingPost[]> {
  const rows: unknown[] = (await (await database)?.getAll('posts').catch(() => [])) ?? []
  return rows.flatMap((row) => WaitingPost.safeParse(row).data ?? []).filter(({ post }) => post.id)
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
