import { atom } from 'jotai'
import { t } from '#say'
import { getAsset } from '../../contract/assets.ts'
import { createGroup } from '../../contract/groups.ts'
import { importAssetAnswers, importPostAnswers } from '../../contract/imported-answers.ts'
import { ApiError, call, unlessSignedOut } from '../lib/api.ts'
import { backOff } from '../lib/back-off.ts'
import { portionsOf } from '../lib/import/portions.ts'
import {
  type Waiting,
  type WaitingAnswers,
  type WaitingGroup,
  type WaitingPost,
  type WaitingPosts,
  waitingId,
  waitingPosts,
} from '../lib/import/waiting.ts'
import { messageOf } from '../lib/message-of.ts'
import { REFUSED } from '../lib/refused.ts'
import { openFilesStore } from '../lib/uploads/files-store.ts'
import { isSettled } from '../lib/uploads/items.ts'
import type { UploadItem } from '../lib/uploads/types.ts'
import { withLock } from '../lib/with-lock.ts'
import { awaitPhotosAtom } from './awaited-photos.ts'
import { assetsAtom } from './content.ts'
import { contentChangedAtom } from './content-fetch.ts'
import { createPostAtom } from './outbox.ts'
import { outboxAtom } from './outbox-state.ts'
import { sessionUserIdAtom } from './session.ts'
import { addErrorToastAtom } from './toasts.ts'

let running = false
let latest: readonly UploadItem[] | null = null
let latestItems: readonly UploadItem[] = []

/** Creates imported posts, groups and comments whose photos have arrived, given the uploads. Calls during a run lead to one more run. */
export const sendWaitingAtom = atom(null, async (get, set, items: readonly UploadItem[]): Promise<void> => {
  latest = items
  latestItems = items
  if (running) return
  running = true
  try {
    while (latest) {
      const seen = latest
      latest = null
      // Waits for the lock: uploads of this tab may have ended too late for the tab that has it.
      await withLock(`cairn-imports-${get(sessionUserIdAtom)}`, () => unlessSignedOut(set(sendAtom, seen)))
    }
  } finally {
    running = false
  }
})

let settled = ''

/** The same, but only when an upload has ended: most upload events are progress. */
export const sendArrivedAtom = atom(null, async (get, set, items: readonly UploadItem[]): Promise<void> => {
  const now = `${get(sessionUserIdAtom)} ${items.filter(isSettled).length}`
  if (now === settled) return
  settled = now
  await set(sendWaitingAtom, items).catch((error: unknown) => {
    settled = ''
    throw error
  })
})

const sendAtom = atom(null, async (get, set, items: readonly UploadItem[]): Promise<void> => {
  const userId = get(sessionUserIdAtom)
  if (!userId) return
  const waiting = waitingPosts(userId)
  const rows = await waiting.all()
  if (rows.length === 0) return
  const byId = new Map(items.map((item) => [item.id, item]))
  const uploads = uploadsOf(userId, byId)
  const present = new Set(get(assetsAtom).map(({ id }) => id))
  const changed = new Set<string>()
  for (const one of rows) {
    const photos = await photosOf(one, { byId, uploads, present, waiting })
    // The rest does not belong to the next user.
    if (get(sessionUserIdAtom) !== userId) return
    if (!photos) continue
    if ('post' in one) await set(writeAtom, one, photos)
    else if (await ('groupId' in one ? makeGroup(one, photos) : set(answerAtom, one, photos))) changed.add(one.collectionId)
    else continue
    if (get(sessionUserIdAtom) !== userId) return
    await waiting.remove(waitingId(one))
  }
  for (const collectionId of changed) await set(contentChangedAtom, collectionId)
})

/** `late`: some of all have failed. They may be retried, and are added to their post later. */
interface Photos {
  all: string[]
  there: string[]
  late: boolean
}

const writeAtom = atom(null, async (_get, set, { collectionId, post }: WaitingPost, { all, there, late }: Photos) => {
  const { id } = post
  if (!id) return
  try {
    await set(createPostAtom, collectionId, { ...post, existingAssetIds: there }, true)
    if (late) set(awaitPhotosAtom, { collectionId, postId: id, pictures: all }, false)
  } catch (error) {
    // A chunk that failed to load, or an ended session: the post keeps waiting.
    if (!(error instanceof ApiError)) throw error
    set(addErrorToastAtom, t`“${post.title}” could not be imported`, messageOf(error))
  }
})

/** False if the group waits on: for a file that failed, which may be its cover, or for the server. What is refused stays as single items. */
async function makeGroup({ collectionId }: WaitingGroup, { there: [cover, ...others], late }: Photos): Promise<boolean> {
  if (late) return false
  if (!cover || others.length === 0) return true
  try {
    await call(createGroup, { params: { id: collectionId }, body: { assetIds: [cover, ...others], cover } })
    return true
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return REFUSED.has(error.code)
  }
}

/**
 * Sends what people said about an item. False if it waits on: for its post or file, or for the server, which is asked again after a while. What is sent twice
 * is there once.
 */
const answerAtom = atom(
  null,
  async (get, set, { collectionId, title, postId, answers }: WaitingAnswers, { there: [assetId], late }: Photos) => {
    const userId = get(sessionUserIdAtom)
    if (late || !userId) return false
    const item = postId ?? assetId
    if (!item) return true
    if (postId && !(await set(isWrittenAtom, postId))) return false
    try {
      for (const part of await portionsOf(answers, [userId, collectionId, item])) {
        const options = { params: { id: item }, body: { collection_id: collectionId, ...part } }
        await call(postId ? importPostAnswers : importAssetAnswers, options)
      }
      failures = 0
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (!REFUSED.has(error.code)) {
        const wait = error.retryAfter === undefined ? backOff(++failures, Math.random()) : error.retryAfter * 1000
        clearTimeout(retry)
        retry = setTimeout(() => set(sendWaitingAtom, latestItems).catch(() => undefined), wait)
        return false
      }
      set(addErrorToastAtom, t`Comments on “${title}” could not be imported`, messageOf(error))
    }
    return true
  },
)

let failures = 0
let retry: ReturnType<typeof setTimeout> | undefined

/** Whether the server has an imported post: it waits neither for its photos nor in the mutation queue. */
const isWrittenAtom = atom(null, async (get, _set, postId: string): Promise<boolean> => {
  const [userId, outbox] = [get(sessionUserIdAtom), get(outboxAtom)]
  if (!userId || !outbox) return false
  await outbox.ready
  const isQueued = outbox
    .operations()
    .some(({ action, state }) => action.kind === 'create' && action.post.id === postId && state !== 'sent')
  return !isQueued && !(await waitingPosts(userId).all()).some((one) => 'post' in one && one.post.id === postId)
})

type FindUpload = (id: string) => Promise<UploadItem | undefined>

/** Uploads under way: in this tab, or in the storage that the leading tab works through. */
function uploadsOf(userId: string, own: ReadonlyMap<string, UploadItem>): FindUpload {
  let stored: Promise<Map<string, UploadItem>> | undefined
  return async (id) => {
    const item = own.get(id)
    if (item) return item
    stored ??= storedUploads(userId)
    return (await stored).get(id)
  }
}

async function storedUploads(userId: string): Promise<Map<string, UploadItem>> {
  const store = openFilesStore(userId)
  const items = await store.items().catch(() => [])
  store.close()
  return new Map(items.map((item) => [item.id, item]))
}

interface Known {
  byId: ReadonlyMap<string, UploadItem>
  uploads: FindUpload
  present: ReadonlySet<string>
  waiting: WaitingPosts
}

/** The assets that the photos of a post or group have become; null while one is on its way. */
async function photosOf({ pictures }: Waiting, known: Known): Promise<Photos | null> {
  const states = new Map<string, PhotoState>()
  for (const picture of pictures) {
    const id = await becomes(picture, known)
    const item = (await known.uploads(id)) ?? (await known.uploads(picture))
    const state = item ? stateOf(item) : await storedState(id, known)
    if (state === 'waits') return null
    if (state !== 'gone') states.set(id, state)
  }
  const all = [...states.keys()]
  const there = all.filter((id) => states.get(id) === 'there')
  return { all, there, late: there.length < all.length }
}

/** The id under which the bytes of an upload arrive: another one where the same are being uploaded, or existed, already. */
async function becomes(id: string, known: Known): Promise<string> {
  const next = known.byId.get(id)?.sameAs ?? (await known.waiting.arrived(id))
  return next === undefined || next === id ? id : becomes(next, known)
}

type PhotoState = 'there' | 'late' | 'waits' | 'gone'

function stateOf({ state }: UploadItem): PhotoState {
  if (state === 'failed') return 'late'
  return state === 'done' || state === 'duplicate' ? 'there' : 'waits'
}

/** For an upload unknown to this device: it arrived before a reload, or was cancelled. */
async function storedState(id: string, { present }: Known): Promise<PhotoState> {
  if (present.has(id)) return 'there'
  try {
    const { asset } = await call(getAsset, { params: { id } })
    return asset.status === 'ready' ? 'there' : 'waits'
  } catch (error) {
    return error instanceof ApiError && error.code === 'not_found' ? 'gone' : 'waits'
  }
}

/** Records what an upload has become: the asset, or another upload, that had the same bytes before. */
export const recordArrivedAtom = atom(null, async (get, _set, id: string, sameAs: string) => {
  const userId = get(sessionUserIdAtom)
  if (userId) await waitingPosts(userId).arrive(id, sameAs)
})
