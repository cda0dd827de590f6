import { atom } from 'jotai'
import { LIMITS } from '../../contract/limits.ts'
import { getPost, type Post } from '../../contract/posts.ts'
import { z } from '../../contract/zod.ts'
import { call } from '../lib/api.ts'
import { parseJson, readLocal, writeLocal } from '../lib/storage.ts'
import { assetIdOf } from '../lib/upload-items.ts'
import type { UploadItem } from '../lib/upload-types.ts'
import { assetsAtom, postsAtom } from './content.ts'
import { editPostAtom } from './outbox.ts'
import { selectedCollectionIdAtom } from './selection.ts'
import { sessionUserIdAtom } from './session.ts'

/** A post that was saved while pictures of it were on their way, and the order they are to stand in. */
const Awaited = z.object({
  userId: z.string(),
  collectionId: z.string(),
  postId: z.string(),
  /** Those that are still to come. */
  pictures: z.array(z.string()),
  /** All of them, as they are to stand; missing while none has come. */
  order: z.array(z.string()).optional(),
  since: z.number(),
})
type Awaited = z.infer<typeof Awaited>

const KEY = 'draft awaited-pictures'
const LONGEST = LIMITS.uploadDays * 86_400_000

function read(): Awaited[] {
  return (parseJson(readLocal(KEY), z.array(Awaited)) ?? []).filter(({ since }) => Date.now() - since < LONGEST)
}

function write(list: readonly Awaited[]): void {
  writeLocal(KEY, list.length > 0 ? JSON.stringify(list) : null)
}

/** Remembers a post whose pictures are not all there, or forgets it where they are. */
export const awaitPicturesAtom = atom(null, (get, _set, post: Pick<Awaited, 'collectionId' | 'postId' | 'pictures'>, complete: boolean) => {
  const userId = get(sessionUserIdAtom)
  if (!userId) return
  const others = read().filter(({ postId }) => postId !== post.postId)
  write(complete ? others : [...others, { ...post, userId, since: Date.now() }])
})

/** Puts what has arrived into the posts that wait for it. */
export const attachArrivedAtom = atom(null, async (get, set, items: readonly UploadItem[]) => {
  const userId = get(sessionUserIdAtom)
  for (const awaited of read()) {
    if (awaited.userId !== userId) continue
    const uploaded = new Set(items.flatMap(({ id, state }) => (state === 'done' || state === 'duplicate' ? [assetIdOf(id, items)] : [])))
    const assetIds = (pictures: readonly string[]) => [...new Set(pictures.map((id) => assetIdOf(id, items)))]
    const wanted = assetIds(awaited.pictures)
    const chosen = assetIds(awaited.order ?? awaited.pictures)
    const there = (id: string) => uploaded.has(id) || get(assetsAtom).some((asset) => asset.id === id)
    const post = await rowOf(awaited.postId, get(postsAtom))
    if (!post) continue
    const held = post.assets.map(({ id }) => id)
    // Whoever took one out meanwhile, or put another in, is not overruled.
    const arrived = wanted.filter((id) => there(id) && !held.includes(id))
    const rest = wanted.filter((id) => !there(id))
    if (arrived.length > 0) {
      const order = [...chosen.filter((id) => held.includes(id) || arrived.includes(id)), ...held.filter((id) => !chosen.includes(id))]
      const into = awaited.collectionId === get(selectedCollectionIdAtom) ? undefined : awaited.collectionId
      await set(editPostAtom, post.id, { existingAssetIds: order.slice(0, LIMITS.assetsPerPost) }, post, into)
    }
    const others = read().filter(({ postId }) => postId !== awaited.postId)
    write(rest.length > 0 ? [...others, { ...awaited, pictures: rest, order: chosen }] : others)
  }
})

async function rowOf(id: string, shown: readonly Post[]): Promise<Post | null> {
  const row = shown.find((post) => post.id === id)
  if (row) return row
  const found = await call(getPost, { params: { id } }).catch(() => null)
  return found?.post ?? null
}
