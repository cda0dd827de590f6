import type { Asset } from '../../../contract/assets.ts'
import type { Post } from '../../../contract/posts.ts'
import { type Chunk, rechunk } from './chunks.ts'
import { chunksOf, type DeviceDb, FORMAT } from './db.ts'
import { packRows } from './rows.ts'
import type { Stored, WholeContent } from './types.ts'

/** Chunks per transaction when everything is written: other collections can be read in between. */
const BATCH = 8

type Put = [kind: 'posts' | 'assets', chunk: Chunk<Post | Asset>]

/** Updates the stored content, given its known state. Returns the new stored state. */
export async function saveContent(db: DeviceDb, known: Stored | null, content: WholeContent): Promise<Stored> {
  if (known) return (await saveChanges(db, known, content)) ?? saveAll(db, content)
  return saveAll(db, content)
}

/** Writes the changed chunks in one transaction. Null if the stored state differs from the known one. */
async function saveChanges(db: DeviceDb, known: Stored, content: WholeContent): Promise<Stored | null> {
  const [posts, assets] = [rechunk(known.posts, content.posts), rechunk(known.assets, content.assets)]
  const puts: Put[] = [...posts.put.map((chunk): Put => ['posts', chunk]), ...assets.put.map((chunk): Put => ['assets', chunk])]
  const gone = [...posts.gone.map((key) => ['posts', key] as const), ...assets.gone.map((key) => ['assets', key] as const)]
  const { collectionId, postsRevision, assetsRevision, memberships } = content
  const same = known.postsRevision === postsRevision && known.assetsRevision === assetsRevision && known.memberships === memberships
  const unchanged = puts.length + gone.length === 0 && same
  if (unchanged) return known
  const tx = db.transaction(['heads', 'chunks'], 'readwrite', { durability: 'relaxed' })
  const [heads, chunks] = [tx.objectStore('heads'), tx.objectStore('chunks')]
  if ((await heads.get(collectionId))?.stamp !== known.stamp) return null
  const next = headOf(content, posts.chunks, assets.chunks)
  await finished(tx, async () => {
    for (const [kind, key] of gone) await chunks.delete([collectionId, kind, key])
    // One after the other, so that the page stays responsive.
    for (const [kind, chunk] of puts) await chunks.put(packRows(chunk.rows), [collectionId, kind, chunk.key])
    await heads.put(next.head, collectionId)
  })
  return next.stored
}

/** Writes everything again. The head comes last: until then the collection counts as not stored. */
async function saveAll(db: DeviceDb, content: WholeContent): Promise<Stored> {
  const { collectionId } = content
  const [{ chunks: posts }, { chunks: assets }] = [rechunk<Post>([], content.posts), rechunk<Asset>([], content.assets)]
  const puts: Put[] = [...posts.map((chunk): Put => ['posts', chunk]), ...assets.map((chunk): Put => ['assets', chunk])]
  const first = db.transaction(['heads', 'chunks'], 'readwrite', { durability: 'relaxed' })
  await finished(first, async () => {
    await first.objectStore('heads').delete(collectionId)
    await first.objectStore('chunks').delete(chunksOf(collectionId))
  })
  for (let from = 0; from < puts.length; from += BATCH) {
    await nextIdle()
    const tx = db.transaction('chunks', 'readwrite', { durability: 'relaxed' })
    await finished(tx, async () => {
      for (const [kind, chunk] of puts.slice(from, from + BATCH)) await tx.store.put(packRows(chunk.rows), [collectionId, kind, chunk.key])
    })
  }
  const { head, stored } = headOf(content, posts, assets)
  await db.put('heads', head, collectionId)
  return stored
}

function headOf({ collectionId, postsRevision, assetsRevision, memberships }: WholeContent, posts: Chunk<Post>[], assets: Chunk<Asset>[]) {
  const shared = { stamp: crypto.randomUUID(), postsRevision, assetsRevision, memberships }
  const keys = (chunks: readonly Chunk<unknown>[]) => chunks.map(({ key }) => key)
  return {
    head: { ...shared, format: FORMAT, posts: keys(posts), assets: keys(assets) },
    stored: { ...shared, collectionId, posts, assets } satisfies Stored,
  }
}

/** Runs the work and waits until it is committed. Throws the cause of a failed transaction, not its abort error. */
async function finished(tx: { done: Promise<void>; abort(): void }, work: () => Promise<void>): Promise<void> {
  const done = tx.done.then(
    () => null,
    (error: unknown) => error,
  )
  const failure = await work().then(
    () => null,
    (error: unknown) => error ?? true,
  )
  if (failure) abort(tx)
  const reason = (await done) ?? failure
  if (reason) throw reason
}

/** Partial changes must not be stored. */
function abort(tx: { abort(): void }): void {
  try {
    tx.abort()
  } catch {
    // It was already aborted.
  }
}

/** Safari has no idle callback. */
function nextIdle(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof requestIdleCallback === 'function') requestIdleCallback(() => resolve(), { timeout: 500 })
    else setTimeout(resolve, 20)
  })
}
