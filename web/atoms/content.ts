import { atom } from 'jotai'
import { t } from '#say'
import type { Asset } from '../../contract/assets.ts'
import type { Post } from '../../contract/posts.ts'
import { advance } from '../lib/content/merge.ts'
import { failureFrom, type ShownFailure } from '../lib/message-of.ts'
import { applyPending } from '../lib/outbox/overlay.ts'
import { collectionsAtom, membershipsAtom } from './collections.ts'
import { operationsAtom } from './pending.ts'
import { selectedCollectionIdAtom } from './selected-collection.ts'

export interface Content {
  collectionId: string | null
  posts: Post[]
  assets: Asset[]
  postsRevision: number
  assetsRevision: number
  /** Whether the first page is on its way. */
  loading: boolean
  /** Whether everything is loaded, not just the first pages. */
  complete: boolean
  error: ShownFailure | null
  /** `device` until the server has sent the changes since; null while there is nothing. */
  origin: 'device' | 'server' | null
  /** The memberships at the time the rows were requested; null while unknown. */
  memberships: string | null
  /** From `performance.now()`, which the user cannot set. */
  fetchedAt: number
}

export const EMPTY: Content = {
  collectionId: null,
  posts: [],
  assets: [],
  postsRevision: 0,
  assetsRevision: 0,
  loading: true,
  complete: false,
  error: null,
  origin: null,
  memberships: null,
  fetchedAt: Number.NEGATIVE_INFINITY,
}

const stateAtom = atom(EMPTY)

/** Content of the most recently opened collection, without pending changes. */
export const contentStateAtom = atom((get) => get(stateAtom))

export const patchContentAtom = atom(null, (get, set, change: Partial<Content>) => set(stateAtom, { ...get(stateAtom), ...change }))

/** Content of the open collection only, with pending changes applied. Empty as soon as another one is selected. */
export const contentAtom = atom((get) => {
  const existing = get(stateAtom)
  return existing.collectionId === get(selectedCollectionIdAtom) ? applyPending(existing, get(operationsAtom)) : EMPTY
})
export const postsAtom = atom((get) => get(contentAtom).posts)
export const assetsAtom = atom((get) => get(contentAtom).assets)
export const contentCompleteAtom = atom((get) => get(contentAtom).complete)
export const contentErrorAtom = atom((get) => get(contentAtom).error)
/** Loading failed and nothing of the collection is stored, not even that it is empty. */
export const contentFailedAtom = atom((get) => {
  const { error, origin, posts, assets } = get(contentAtom)
  return error !== null && origin === null && posts.length + assets.length === 0
})

/** For a change of user. */
export const clearContentAtom = atom(null, (_get, set) => void set(setContentAtom, EMPTY))

interface Rows<T> {
  rows: T[]
  deleted?: string[]
}

export interface Delta {
  collectionId: string
  posts?: Rows<Post>
  assets?: Rows<Asset>
  postsRevision?: number
  assetsRevision?: number
}

/** The only way in for rows: pages, deltas, live messages and the user's own writes. */
export const applyDeltaAtom = atom(null, (get, set, delta: Delta) => {
  const existing = get(stateAtom)
  if (existing.collectionId !== delta.collectionId) return
  set(stateAtom, {
    ...existing,
    posts: advance(existing.posts, delta.posts?.rows ?? [], delta.posts?.deleted),
    assets: advance(existing.assets, delta.assets?.rows ?? [], delta.assets?.deleted),
    postsRevision: Math.max(existing.postsRevision, delta.postsRevision ?? 0),
    assetsRevision: Math.max(existing.assetsRevision, delta.assetsRevision ?? 0),
  })
})

const latestRevisionAtom = atom<{ collectionId: string; revision: number } | null>(null)

/** Records a revision named by a live message. */
export const setRevisionAtom = atom(null, (get, set, collectionId: string, revision: number) => {
  const latest = get(latestRevisionAtom)
  if (latest?.collectionId === collectionId && latest.revision >= revision) return
  set(latestRevisionAtom, { collectionId, revision })
})

/** The newest revision of a collection that is known to exist. An answer requested from now on has it. */
export const knownRevisionAtom = atom((get) => (collectionId: string) => {
  const [latest, loaded] = [get(latestRevisionAtom), get(stateAtom)]
  return Math.max(
    latest?.collectionId === collectionId ? latest.revision : 0,
    loaded.collectionId === collectionId ? Math.min(loaded.postsRevision, loaded.assetsRevision) : 0,
    get(collectionsAtom)?.find(({ id }) => id === collectionId)?.revision ?? 0,
  )
})

/** The user has joined or left other collections since the rows were requested, so the rows may show what is no longer visible. */
export const outdatedAtom = atom((get) => {
  const { origin, memberships } = get(stateAtom)
  const now = get(membershipsAtom)
  return origin !== null && memberships !== null && now !== null && memberships !== now
})

/** Whether the server has changes that are not loaded, or the last fetch failed. False while nothing is loaded. */
export const behindAtom = atom((get) => {
  const { collectionId, origin, postsRevision, assetsRevision, error } = get(stateAtom)
  const latest = get(latestRevisionAtom)
  if (origin === null || latest?.collectionId !== collectionId) return false
  return error !== null || Math.min(postsRevision, assetsRevision) < latest.revision
})

/**
 * Requests under way for the current content. `generation` grows when other content replaces it; answers to earlier requests are dropped. A
 * derived atom, so that every store has its own.
 */
export const underWayAtom = atom(() => ({
  generation: 0,
  load: null as Promise<void> | null,
  /** Whether something is shown already and the rest is on its way. */
  rest: false,
  refresh: null as { again: boolean; done: Promise<void> } | null,
  /** When the last refresh began, by the clock. */
  refreshedAt: Number.NEGATIVE_INFINITY,
}))

/** Replaces the content. Compare the returned generation later to see whether the content is still current. */
export const setContentAtom = atom(null, (get, set, content: Content) => {
  const underWay = get(underWayAtom)
  underWay.generation++
  underWay.load = null
  underWay.rest = false
  underWay.refresh = null
  underWay.refreshedAt = Number.NEGATIVE_INFINITY
  set(stateAtom, content)
  return underWay.generation
})

/** Keeps the content on the screen, with the error that explains why it may be out of date. */
export const failAtom = atom(null, (get, set, collectionId: string, error: unknown) => {
  const existing = get(stateAtom)
  if (existing.collectionId !== collectionId) return
  const { code, message } = failureFrom(error)
  // The user is no longer a member: none of the content may stay on the screen.
  const remaining = code === 'not_found' ? { ...EMPTY, collectionId } : existing
  set(stateAtom, { ...remaining, loading: false, error: { code, message: t`Failed to fetch collection content: ${message}` } })
})
