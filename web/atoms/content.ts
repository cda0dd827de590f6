import { atom } from 'jotai'
import type { Asset } from '../../contract/assets.ts'
import type { Post } from '../../contract/posts.ts'
import { ApiError } from '../lib/api.ts'
import { advance } from '../lib/content/merge.ts'
import type { Page } from '../lib/content/source.ts'
import { messageOf } from '../lib/message-of.ts'
import { applyPending } from '../lib/outbox/overlay.ts'
import { membershipsAtom } from './collections.ts'
import { operationsAtom } from './pending.ts'
import { selectedCollectionIdAtom } from './selected-collection.ts'

export interface ContentError {
  message: string
  /** `offline`, `forbidden`, `not_found` and so on, for choosing what to show. */
  code: string
}

export interface Content {
  collectionId: string | null
  posts: Post[]
  assets: Asset[]
  postsRevision: number
  assetsRevision: number
  /** The first page is on its way. */
  loading: boolean
  /** Everything is here, not just the first pages. */
  complete: boolean
  error: ContentError | null
  /** From `device` until the server has said what changed since; null while there is nothing. */
  origin: 'device' | 'server' | null
  /** With which memberships the rows were asked for; null while that is not known. */
  memberships: string | null
  /** By the clock that counts since the page was opened, which nobody can set. */
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

/** What the server has said of the collection that was opened last. */
export const contentStateAtom = atom((get) => get(stateAtom))

/** What changes of it besides the rows. */
export const patchContentAtom = atom(null, (get, set, change: Partial<Content>) => set(stateAtom, { ...get(stateAtom), ...change }))

/** Content of the open collection only: another selection shows nothing of the last one, not even for a moment. */
export const contentAtom = atom((get) => {
  const existing = get(stateAtom)
  return existing.collectionId === get(selectedCollectionIdAtom) ? applyPending(existing, get(operationsAtom)) : EMPTY
})
export const postsAtom = atom((get) => get(contentAtom).posts)
export const assetsAtom = atom((get) => get(contentAtom).assets)
export const contentCompleteAtom = atom((get) => get(contentAtom).complete)
export const contentErrorAtom = atom((get) => get(contentAtom).error)
/** It could not be loaded, and nothing of it is held: not even that there is nothing. */
export const contentFailedAtom = atom((get) => {
  const { error, origin, posts, assets } = get(contentAtom)
  return error !== null && origin === null && posts.length + assets.length === 0
})

/** Another person is signed in, or nobody is: what is held was not theirs. */
export const clearContentAtom = atom(null, (_get, set) => void set(setContentAtom, EMPTY))

export interface Delta {
  collectionId: string
  posts?: Pick<Page<Post>, 'rows' | 'deleted'>
  assets?: Pick<Page<Asset>, 'rows' | 'deleted'>
  postsRevision?: number
  assetsRevision?: number
}

/** The one door: pages, changes since a revision, live messages and own writes all come in here. */
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

/** A live message named a revision of a collection. */
export const setRevisionAtom = atom(null, (get, set, collectionId: string, revision: number) => {
  const latest = get(latestRevisionAtom)
  if (latest?.collectionId === collectionId && latest.revision >= revision) return
  set(latestRevisionAtom, { collectionId, revision })
})

/** This person has joined or left other collections since the rows were asked for: they may tell what is no longer to be seen. */
export const outdatedAtom = atom((get) => {
  const { origin, memberships } = get(stateAtom)
  const now = get(membershipsAtom)
  return origin !== null && memberships !== null && now !== null && memberships !== now
})

/** Whether there is more than what is held, or it is not known because asking has failed. Not while nothing is held. */
export const behindAtom = atom((get) => {
  const { collectionId, origin, postsRevision, assetsRevision, error } = get(stateAtom)
  const latest = get(latestRevisionAtom)
  if (origin === null || latest?.collectionId !== collectionId) return false
  return error !== null || Math.min(postsRevision, assetsRevision) < latest.revision
})

/**
 * Requests under way for the current content. `generation` grows when other content replaces it; answers to earlier requests are dropped.
 * A derived atom, so that every store has its own.
 */
export const underWayAtom = atom(() => ({
  generation: 0,
  load: null as Promise<void> | null,
  /** Something is shown already, and what is missing is on its way. */
  rest: false,
  refresh: null as { again: boolean; done: Promise<void> } | null,
}))

/** Replaces the content; the generation that it returns tells later whether it is still current. */
export const setContentAtom = atom(null, (get, set, content: Content) => {
  const underWay = get(underWayAtom)
  underWay.generation++
  underWay.load = null
  underWay.rest = false
  underWay.refresh = null
  set(stateAtom, content)
  return underWay.generation
})

/** What is held stays on the screen, with why it may be old. */
export const failAtom = atom(null, (get, set, collectionId: string, error: unknown) => {
  const existing = get(stateAtom)
  if (existing.collectionId !== collectionId) return
  const code = error instanceof ApiError ? error.code : 'internal'
  // Not theirs any more: nothing of it stays on the screen.
  const kept = code === 'not_found' ? { ...EMPTY, collectionId } : existing
  set(stateAtom, { ...kept, loading: false, error: { code, message: `Failed to fetch collection content: ${messageOf(error)}` } })
})
