import type { DBSchema, IDBPDatabase } from 'idb'
import { Asset } from '../../../contract/assets.ts'
import { Post } from '../../../contract/posts.ts'
import { z } from '../../../contract/zod.ts'
import { type AccountDb, accountDb } from '../account-db.ts'
import { setStored } from '../storage.ts'

interface DeviceSchema extends DBSchema {
  shell: { key: string; value: unknown }
  heads: { key: string; value: Head }
  chunks: { key: [collectionId: string, kind: 'posts' | 'assets', key: number]; value: unknown }
}
export type DeviceDb = IDBPDatabase<DeviceSchema>

const STORES = ['shell', 'heads', 'chunks'] as const

/** Index of a stored collection: its chunks in order, and the revisions up to which they are complete. */
export const Head = z.object({
  format: z.string(),
  /** Changes with every write: a writer that finds a stamp other than its own was not the last to write. */
  stamp: z.string(),
  postsRevision: z.number(),
  assetsRevision: z.number(),
  memberships: z.string(),
  posts: z.array(z.number()),
  assets: z.array(z.number()),
})
export type Head = z.infer<typeof Head>

/** Content written by a version of the app whose rows had other fields is not read. */
export const FORMAT = ['2', ...Object.keys(Post.shape), ...Object.keys(Asset.shape)].join()

export function chunksOf(collectionId: string): IDBKeyRange {
  return IDBKeyRange.bound([collectionId], [collectionId, []])
}

/** Created again if it cannot be read, because of a newer version of the app or damage. */
export function contentDb(name: string): AccountDb<DeviceSchema> {
  return accountDb(
    name,
    (db) => {
      for (const store of STORES) db.createObjectStore(store)
    },
    (db) => STORES.every((store) => db.objectStoreNames.contains(store)),
  )
}

export async function removeContent(db: DeviceDb, collectionId: string): Promise<void> {
  const tx = db.transaction(['heads', 'chunks'], 'readwrite')
  await Promise.all([tx.objectStore('heads').delete(collectionId), tx.objectStore('chunks').delete(chunksOf(collectionId)), tx.done])
  setStored(collectionId, false)
}

/** Deletes all other collections, including partially written ones. Returns whether there were any. */
export async function keepOnly(db: DeviceDb, ids: readonly string[]): Promise<boolean> {
  const found = new Set(await db.getAllKeys('heads'))
  for (let key = await firstChunk(db, null); key; key = await firstChunk(db, key)) found.add(key)
  const others = [...found].filter((id) => !ids.includes(id))
  for (const id of others) await removeContent(db, id)
  return others.length > 0
}

async function firstChunk(db: DeviceDb, after: string | null): Promise<string | null> {
  const range = after === null ? null : IDBKeyRange.lowerBound([after, []], true)
  return (await db.transaction('chunks').store.openKeyCursor(range))?.key[0] ?? null
}
