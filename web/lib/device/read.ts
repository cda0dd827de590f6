import { Asset } from '../../../contract/assets.ts'
import { Post } from '../../../contract/posts.ts'
import type { z } from '../../../contract/zod.ts'
import type { Chunk } from './chunks.ts'
import { type DeviceDb, FORMAT, Head } from './db.ts'
import { unpackRows } from './rows.ts'
import type { ContentRows, Stored, StoredContent } from './types.ts'

/** Nobody had said anything about an item before rows had this column. */
const LATER = { answers: null }

/** Chunks read ahead: enough to keep the database busy, few enough that the screen is painted in between. */
const AHEAD = 4

type Reading = Omit<StoredContent, 'rest'> & { rest: () => Promise<{ rows: ContentRows; stored: Stored }> }

/**
 * Reads the first chunks of a collection; `rest` reads all others in small steps. Null if the collection is not stored. Rejects, or `rest`
 * does, if it cannot be read or has been written to in between.
 */
export async function readContent(db: DeviceDb, collectionId: string): Promise<Reading | null> {
  const tx = transactionFor(db, collectionId)
  const head = await tx.head()
  if (head?.format !== FORMAT) return null
  const [firstPosts, firstAssets] = await Promise.all([
    ahead(head.posts.slice(0, 1), tx.readPosts),
    ahead(head.assets.slice(0, 1), tx.readAssets),
  ])
  const rest = async () => {
    // One transaction would end by itself while nothing is read.
    const later = transactionFor(db, collectionId)
    if ((await later.head())?.stamp !== head.stamp) throw new Error('Written to in between')
    const assets = await ahead(head.assets.slice(1), later.readAssets)
    const posts = await ahead(head.posts.slice(1), later.readPosts)
    const { stamp, postsRevision, assetsRevision, memberships } = head
    return {
      rows: { posts: rowsOf(posts), assets: rowsOf(assets) },
      stored: {
        ...{ collectionId, stamp, postsRevision, assetsRevision, memberships },
        posts: [...firstPosts, ...posts],
        assets: [...firstAssets, ...assets],
      },
    }
  }
  const { postsRevision, assetsRevision, memberships } = head
  return { postsRevision, assetsRevision, memberships, first: { posts: rowsOf(firstPosts), assets: rowsOf(firstAssets) }, rest }
}

/** Prevents writes while it is open. */
function transactionFor(db: DeviceDb, collectionId: string) {
  const tx = db.transaction(['heads', 'chunks'])
  tx.done.catch(() => {})
  const chunks = tx.objectStore('chunks')
  const reader =
    <S extends z.ZodObject>(kind: 'posts' | 'assets', schema: S) =>
    async (key: number): Promise<Chunk<z.output<S>>> => {
      const rows = unpackRows(await chunks.get([collectionId, kind, key]), schema, LATER)
      if (!rows) throw new Error('A record is missing or damaged')
      return { key, rows }
    }
  return {
    head: async () => Head.safeParse(await tx.objectStore('heads').get(collectionId)).data,
    readPosts: reader('posts', Post),
    readAssets: reader('assets', Asset),
  }
}

function rowsOf<T>(chunks: readonly Chunk<T>[]): T[] {
  return chunks.flatMap(({ rows }) => rows)
}

/** Runs the work for all keys in order, a few of them ahead. Each waits for the database, so it is a separate task. */
async function ahead<T>(keys: readonly number[], work: (key: number) => Promise<T>): Promise<T[]> {
  const done: Promise<T>[] = []
  for (const [index, key] of keys.entries()) {
    await done[index - AHEAD]
    const working = work(key)
    // The rejection is handled where the promise is awaited, which never happens if an earlier one fails.
    working.catch(() => {})
    done.push(working)
  }
  return Promise.all(done)
}
