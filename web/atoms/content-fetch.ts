import { atom } from 'jotai'
import { startTransition } from 'react'
import { ApiError } from '../lib/api.ts'
import { emitPostUpdated } from '../lib/content/events.ts'
import { allSince } from '../lib/content/pages.ts'
import { assetsPage, postsPage } from '../lib/content/source.ts'
import { membershipsAtom } from './collections.ts'
import {
  applyDeltaAtom,
  contentStateAtom,
  EMPTY,
  failAtom,
  outdatedAtom,
  patchContentAtom,
  setContentAtom,
  underWayAtom,
} from './content.ts'
import { loadAtom, paintFromDeviceAtom, type Shown } from './content-load.ts'
import { selectedCollectionIdAtom } from './selected-collection.ts'

/** Milliseconds for which a non-empty result is reused. */
const REUSE = 1500

/**
 * Loads a collection, or reuses the fetch under way or a result younger than 1500 ms. Resolves when there is something to show:
 * from this device, or the server's first page.
 */
export const fetchContentAtom = atom(null, (get, set, collectionId: string): Promise<void> => {
  const underWay = get(underWayAtom)
  const existing = get(contentStateAtom)
  if (existing.collectionId === collectionId) {
    if (underWay.load) return underWay.load
    if (underWay.rest) return Promise.resolve()
    const some = existing.posts.length + existing.assets.length > 0
    const whole = existing.complete && !existing.error && !get(outdatedAtom)
    if (some && whole && performance.now() - existing.fetchedAt < REUSE) return Promise.resolve()
    if (existing.complete) return set(refreshContentAtom, collectionId)
  }
  return set(openAtom, collectionId)
})

/** Loads from the start. A retry after a failure keeps the content on the screen, and the error until it succeeds. */
const openAtom = atom(null, (get, set, collectionId: string): Promise<void> => {
  const existing = get(contentStateAtom)
  const same = existing.collectionId === collectionId
  const generation = set(setContentAtom, same ? { ...existing, loading: existing.origin === null } : { ...EMPTY, collectionId })
  const underWay = get(underWayAtom)
  const load = (async () => {
    const bring = async () =>
      (same ? null : await set(paintFromDeviceAtom, collectionId, generation)) ?? set(loadAtom, collectionId, generation)
    const shown = await bring().finally(() => {
      // Cleared before the next step, which checks it.
      if (underWay.generation === generation) underWay.load = null
    })
    // Not awaited: it may itself wait for this load.
    void set(continueAfterLoadAtom, collectionId, { generation, shown })
  })()
  underWay.load = load
  return load
})

/** Runs when a load is complete, unless other content has replaced it. */
const continueAfterLoadAtom = atom(
  null,
  async (get, set, collectionId: string, { generation, shown }: { generation: number; shown: Shown }) => {
    const next = await shown.next
    if (get(underWayAtom).generation !== generation) return
    if (next === 'begin anew') return set(openAtom, collectionId)
    await set(checkMembershipsAtom)
    if (next === 'catch up') await set(refreshContentAtom, collectionId)
  },
)

/** Called when the user has joined or left a collection, or when the memberships become known. */
export const checkMembershipsAtom = atom(null, async (get, set) => {
  const { load, rest } = get(underWayAtom)
  const { collectionId, memberships, error } = get(contentStateAtom)
  const now = get(membershipsAtom)
  // Checked again when the load is complete, and when a closed collection is opened.
  if (!collectionId || now === null || load || rest || collectionId !== get(selectedCollectionIdAtom)) return
  if (memberships === null) set(patchContentAtom, { memberships: now })
  else if (get(outdatedAtom) && !error) await set(openAtom, collectionId)
})

/**
 * Fetches what changed since the stored revisions, or everything if a part is missing. Calls during a fetch lead to one more fetch after
 * it.
 */
export const refreshContentAtom = atom(null, (get, set, collectionId: string): Promise<void> => {
  const underWay = get(underWayAtom)
  const existing = get(contentStateAtom)
  if (existing.collectionId !== collectionId) return Promise.resolve()
  const whole = existing.complete && !get(outdatedAtom)
  if (!whole && !underWay.load && !underWay.rest) return set(openAtom, collectionId)
  if (underWay.refresh) {
    underWay.refresh.again = true
    return underWay.refresh.done
  }
  const entry = { again: false, done: Promise.resolve() }
  entry.done = (async () => {
    do {
      entry.again = false
      await set(catchUpAtom, collectionId)
    } while (entry.again && underWay.refresh === entry)
  })().finally(() => {
    if (underWay.refresh === entry) underWay.refresh = null
  })
  underWay.refresh = entry
  return entry.done
})

const catchUpAtom = atom(null, async (get, set, collectionId: string) => {
  const underWay = get(underWayAtom)
  const { generation } = underWay
  const isCurrent = () => underWay.generation === generation
  if (get(contentStateAtom).origin === null) await underWay.load
  const { collectionId: existing, origin, postsRevision, assetsRevision } = get(contentStateAtom)
  if (!isCurrent() || existing !== collectionId || origin === null) return
  underWay.refreshedAt = Date.now()
  try {
    const [posts, assets] = await Promise.all([
      allSince((query) => postsPage(collectionId, query), postsRevision),
      allSince((query) => assetsPage(collectionId, query), assetsRevision),
    ])
    if (!isCurrent()) return
    // A page that is still to come may bring back a row deleted here, so the revisions stay and the same delta is fetched again.
    const { complete } = get(contentStateAtom)
    const revisions = complete ? { postsRevision: posts.revision, assetsRevision: assets.revision } : {}
    // Rendered in slices: changes of others are less urgent than the user's own.
    startTransition(() => {
      set(applyDeltaAtom, { collectionId, posts, assets, ...revisions })
      if (complete) set(patchContentAtom, { error: null, origin: 'server', fetchedAt: performance.now() })
    })
  } catch (error) {
    if (!isCurrent()) return
    // The change log does not reach back that far: loads everything again, unless that is already under way.
    if (error instanceof ApiError && error.code === 'gone') return underWay.load ?? set(openAtom, collectionId)
    set(failAtom, collectionId, error)
  }
})

/**
 * After any create, update or delete of the user: refreshes the content and dispatches an event on the window. A fetch that has begun since the
 * server answered (`answeredAt`, by the clock) brings the change already.
 */
export const contentChangedAtom = atom(null, async (get, set, collectionId: string, answeredAt: number = Date.now()) => {
  const { refresh, refreshedAt } = get(underWayAtom)
  const brought = get(contentStateAtom).collectionId === collectionId && refreshedAt > answeredAt && !get(contentStateAtom).error
  if (!brought) await set(refreshContentAtom, collectionId)
  else await refresh?.done
  emitPostUpdated(collectionId)
})
