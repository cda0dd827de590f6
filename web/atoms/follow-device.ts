import type { createStore } from 'jotai'
import { device } from '../lib/device/device.ts'
import { throttle } from '../lib/throttle.ts'
import { holdLock } from '../lib/with-lock.ts'
import { confirmedCollectionsAtom, ensureListsAtom } from './collections.ts'
import { contentStateAtom } from './content.ts'
import { sessionConfirmedAtom, sessionUserIdAtom } from './session.ts'

/** Changes come in bursts, and storing them is not urgent. Milliseconds. */
const PACE = { delay: 500, gap: 2_000 }

/** Stores the server's lists and the content of the open collection on this device. Call once. Returns a function that stops it. */
export function followDevice(app: ReturnType<typeof createStore>): () => void {
  const lists = throttle(async () => {
    const store = await device()
    // Read after the await, so that both belong to the same user.
    const collections = app.get(confirmedCollectionsAtom)
    if (!collections || !store) return
    await store.saveCollections(collections)
    // Deletes the stored content of collections that the user has left.
    await store.keepOnly(collections.map(({ id }) => id))
  }, PACE)

  let lock: { name: string; granted: boolean; release: () => void } | null = null
  const content = throttle(async () => {
    const store = await device()
    const { collectionId, complete, error, memberships, ...rest } = app.get(contentStateAtom)
    if (!collectionId) return
    if (error?.code === 'not_found') return store?.remove(collectionId)
    if (complete && memberships !== null && lock?.granted) await store?.save({ collectionId, memberships, ...rest })
  }, PACE)

  const follow = () => {
    const { collectionId } = app.get(contentStateAtom)
    const name = collectionId && `device ${app.get(sessionUserIdAtom)} ${collectionId}`
    if (name !== (lock?.name ?? null)) {
      lock?.release()
      lock = null
      if (name) lock = lockOf(name, content.ask)
    }
    content.ask()
  }
  const stops = [
    app.sub(confirmedCollectionsAtom, lists.ask),
    app.sub(contentStateAtom, follow),
    // The server answers again: fetches what failed at the start.
    app.sub(
      sessionConfirmedAtom,
      () => app.get(sessionConfirmedAtom) && !app.get(confirmedCollectionsAtom) && void app.set(ensureListsAtom),
    ),
  ]
  lists.ask()
  follow()
  return () => {
    for (const stop of stops) stop()
    lists.cancel()
    content.cancel()
    lock?.release()
  }
}

/** Prevents two tabs with the same collection from overwriting each other's data. */
function lockOf(name: string, granted: () => void) {
  const holding = new AbortController()
  const lock = { name, granted: false, release: () => holding.abort() }
  void holdLock(name, holding.signal, {
    granted() {
      lock.granted = true
      granted()
    },
    lost() {
      lock.granted = false
    },
  })
  return lock
}
