import { atom } from 'jotai'
import { startTransition } from 'react'
import { advance } from '../lib/content/merge.ts'
import { allSince, collectPages, portionsOf } from '../lib/content/pages.ts'
import { assetsPage, postsPage } from '../lib/content/source.ts'
import { storedContent } from '../lib/device/device.ts'
import { whenFirstRender } from '../lib/first-render.ts'
import { yieldToMain } from '../lib/scheduling.ts'
import { membershipsAtom } from './collections.ts'
import { applyDeltaAtom, behindAtom, type Content, contentStateAtom, EMPTY, failAtom, patchContentAtom, underWayAtom } from './content.ts'

// Loads a collection from this device or from the server. content-fetch.ts decides what happens after that.

/** The next step once a load is complete. */
export type Next = 'catch up' | 'begin anew' | 'nothing'

/** Something is on the screen; `next` resolves when the rest is there too. */
export interface Shown {
  next: Promise<Next>
}

const shown = (next: Next): Shown => ({ next: Promise.resolve(next) })

/** Shows the content stored on this device, newest first. Null if there is none. */
export const paintFromDeviceAtom = atom(null, async (get, set, collectionId: string, generation: number): Promise<Shown | null> => {
  const isCurrent = () => get(underWayAtom).generation === generation
  const stored = await storedContent(collectionId)
  if (!isCurrent()) return shown('nothing')
  if (!stored) return null
  const { first, postsRevision, assetsRevision, memberships } = stored
  set(applyDeltaAtom, { collectionId, posts: { rows: first.posts }, assets: { rows: first.assets } })
  set(patchContentAtom, { postsRevision, assetsRevision, memberships, loading: false, origin: 'device' })
  const finish = async (): Promise<Next> => {
    await whenFirstRender()
    const rest = isCurrent() ? await stored.rest() : null
    for (const { posts, assets } of rest ? portionsOf(rest) : []) {
      if (!isCurrent()) return 'nothing'
      set(applyDeltaAtom, { collectionId, posts: { rows: posts }, assets: { rows: assets } })
      await yieldToMain()
    }
    if (!isCurrent()) return 'nothing'
    get(underWayAtom).rest = false
    if (!rest) return 'begin anew'
    startTransition(() => set(patchContentAtom, { complete: true }))
    return 'catch up'
  }
  get(underWayAtom).rest = true
  return { next: finish() }
})

/** Loads everything from the server. The first page is painted at once, unless more than that is already on the screen. */
export const loadAtom = atom(null, async (get, set, collectionId: string, generation: number): Promise<Shown> => {
  const isCurrent = () => get(underWayAtom).generation === generation
  const memberships = get(membershipsAtom)
  try {
    const [posts, assets] = await Promise.all([postsPage(collectionId, {}), assetsPage(collectionId, {})])
    if (!isCurrent()) return shown('nothing')
    const revisions = { postsRevision: posts.revision, assetsRevision: assets.revision }
    const first: Content = {
      ...EMPTY,
      collectionId,
      memberships,
      ...revisions,
      posts: posts.rows,
      assets: assets.rows,
      loading: false,
      origin: 'server',
    }
    const rest = { posts: posts.nextCursor, assets: assets.nextCursor }
    if (get(contentStateAtom).origin) return shown(await set(replaceAtom, first, { rest, isCurrent }))
    set(patchContentAtom, { ...first, complete: !rest.posts && !rest.assets, fetchedAt: performance.now() })
    if (rest.posts || rest.assets) return { next: set(loadRestAtom, collectionId, { rest, isCurrent }) }
    // A change was announced while the first page was on its way.
    return shown(get(behindAtom) ? 'catch up' : 'nothing')
  } catch (error) {
    if (isCurrent()) set(failAtom, collectionId, error)
    return shown('nothing')
  }
})

interface Rest {
  rest: { posts: string | null; assets: string | null }
  isCurrent: () => boolean
}

/** Loads the remaining pages. Changes made in the meantime are fetched by `since` from the first page's revision. */
const loadRestAtom = atom(null, async (get, set, collectionId: string, { rest, isCurrent }: Rest): Promise<Next> => {
  get(underWayAtom).rest = true
  try {
    await Promise.all([
      collectPages(rest.assets, (cursor) => assetsPage(collectionId, { cursor }), {
        isCurrent,
        existing: () => get(contentStateAtom).assets.length,
        put: (rows) => isCurrent() && set(applyDeltaAtom, { collectionId, assets: { rows } }),
      }),
      collectPages(rest.posts, (cursor) => postsPage(collectionId, { cursor }), {
        isCurrent,
        existing: () => get(contentStateAtom).posts.length,
        put: (rows) => isCurrent() && set(applyDeltaAtom, { collectionId, posts: { rows } }),
      }),
    ])
    if (!isCurrent()) return 'nothing'
    get(underWayAtom).rest = false
    set(patchContentAtom, { complete: true })
    return 'catch up'
  } catch (error) {
    if (!isCurrent()) return 'nothing'
    get(underWayAtom).rest = false
    set(failAtom, collectionId, error)
    return 'nothing'
  }
})

/** Loads all pages before showing any, so that the content on the screen stays until it can be replaced as a whole. */
const replaceAtom = atom(null, async (get, set, first: Content, { rest, isCurrent }: Rest): Promise<Next> => {
  const collectionId = first.collectionId ?? ''
  let { posts, assets } = first
  try {
    await Promise.all([
      collectPages(rest.assets, (cursor) => assetsPage(collectionId, { cursor }), {
        isCurrent,
        existing: () => 0,
        put: (rows) => {
          assets = advance(assets, rows)
        },
      }),
      collectPages(rest.posts, (cursor) => postsPage(collectionId, { cursor }), {
        isCurrent,
        existing: () => 0,
        put: (rows) => {
          posts = advance(posts, rows)
        },
      }),
    ])
    const { postsRevision, assetsRevision } = get(contentStateAtom)
    const newer = postsRevision > first.postsRevision || assetsRevision > first.assetsRevision
    let revisions = {}
    // The content on the screen is newer than the first page: none of it may disappear, even for a moment.
    if (isCurrent() && newer) {
      const [newerPosts, newerAssets] = await Promise.all([
        allSince((query) => postsPage(collectionId, query), first.postsRevision),
        allSince((query) => assetsPage(collectionId, query), first.assetsRevision),
      ])
      posts = advance(posts, newerPosts.rows, newerPosts.deleted)
      assets = advance(assets, newerAssets.rows, newerAssets.deleted)
      revisions = { postsRevision: newerPosts.revision, assetsRevision: newerAssets.revision }
    }
    if (!isCurrent()) return 'nothing'
    set(patchContentAtom, { ...first, ...revisions, posts, assets, complete: true, fetchedAt: performance.now() })
    return rest.posts || rest.assets || newer || get(behindAtom) ? 'catch up' : 'nothing'
  } catch (error) {
    if (isCurrent()) set(failAtom, collectionId, error)
    return 'nothing'
  }
})
