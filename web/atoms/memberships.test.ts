import { createStore } from 'jotai'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { listCollections } from '../../contract/collections.ts'
import { call } from '../lib/api.ts'
import { assetsPage, type Page, postsPage } from '../lib/content/source.ts'
import { fetchCollectionsAtom, membershipsAtom } from './collections.ts'
import { applyDeltaAtom, contentStateAtom, postsAtom } from './content.ts'
import { checkMembershipsAtom, contentChangedAtom, fetchContentAtom } from './content-fetch.ts'
import { selectCollectionAtom } from './selected-collection.ts'

/** Content depends on what its reader may see of other collections. */

vi.mock('../lib/content/source.ts')
vi.mock('../lib/storage.ts')
vi.mock('../lib/api.ts', async (original) => ({ ...(await original<object>()), call: vi.fn() }))

let theirs: string[]
const page = <T>(rows: unknown[] = [], revision = 5): Page<T> => ({ rows: rows as T[], deleted: [], nextCursor: null, revision })

beforeEach(() => {
  vi.stubGlobal('dispatchEvent', vi.fn())
  theirs = ['kyoto']
  vi.mocked(call).mockImplementation((async (endpoint: unknown) =>
    endpoint === listCollections ? { collections: theirs.map((id) => ({ id, name: id, role: 'read' })) } : {}) as typeof call)
  vi.mocked(postsPage)
    .mockReset()
    .mockImplementation(async () => page())
  vi.mocked(assetsPage)
    .mockReset()
    .mockImplementation(async () => page())
})
afterEach(() => vi.unstubAllGlobals())

/** As follow-live.ts does it. */
function open() {
  const store = createStore()
  store.sub(membershipsAtom, () => void store.set(checkMembershipsAtom))
  store.set(selectCollectionAtom, 'kyoto')
  const content = () => store.get(contentStateAtom)
  const join = (...ids: string[]) => {
    theirs = ids
    return store.set(fetchCollectionsAtom)
  }
  return { store, content, join }
}

/** Holds back the next page of posts until it is released. */
function slowPosts(...[rows, revision]: Parameters<typeof page>) {
  const { promise, resolve } = Promise.withResolvers<void>()
  vi.mocked(postsPage).mockImplementationOnce(async () => {
    await promise
    return page(rows, revision)
  })
  return resolve
}

/** Opens Kyoto and reloads all of it, held back until released. */
async function asking() {
  const opened = open()
  await opened.join('kyoto')
  await opened.store.set(fetchContentAtom, 'kyoto')
  const release = slowPosts()
  await opened.join('kyoto', 'oslo')
  return { ...opened, release }
}

test('Memberships that arrive before the only page are recorded without another request', async () => {
  const { store, content, join } = open()
  const release = slowPosts()
  const loading = store.set(fetchContentAtom, 'kyoto')
  await join('kyoto')
  release()
  await loading
  await vi.waitFor(() => expect(content().memberships).toBe('kyoto'))
  expect(postsPage).toHaveBeenCalledTimes(1)
})

test('Joining or leaving another collection reloads the content, and shows the old one until then', async () => {
  const { store, content, join } = open()
  vi.mocked(postsPage).mockImplementation(async () => page([{ id: 'p', date: null, version: 1 }]))
  await join('kyoto')
  await store.set(fetchContentAtom, 'kyoto')
  const release = slowPosts([{ id: 'p', date: null, version: 1, assets: ['seen'] }])
  await join('kyoto', 'oslo')
  expect(store.get(postsAtom)).toEqual([{ id: 'p', date: null, version: 1 }])
  release()
  await vi.waitFor(() => expect(content().memberships).toBe('kyoto,oslo'))
  expect(store.get(postsAtom)).toMatchObject([{ assets: ['seen'] }])
})

test('Leaving again during a reload causes another reload', async () => {
  const { content, join, release } = await asking()
  await join('kyoto')
  release()
  await vi.waitFor(() => expect(content().memberships).toBe('kyoto'))
  await vi.waitFor(() => expect(postsPage).toHaveBeenCalledTimes(3))
  expect(content()).toMatchObject({ memberships: 'kyoto', complete: true, error: null })
})

test('A write during a reload stays', async () => {
  const { store, content, release } = await asking()
  const own = { id: 'own', date: null, date_zone: null, version: 1 }
  vi.mocked(postsPage).mockImplementation(async () => page([own], 6))
  store.set(applyDeltaAtom, { collectionId: 'kyoto', posts: page<never>([own]) })
  await store.set(contentChangedAtom, 'kyoto')
  const gone = vi.fn()
  store.sub(postsAtom, () => store.get(postsAtom).length === 0 && gone())
  release()
  await vi.waitFor(() => expect(content().memberships).toBe('kyoto,oslo'))
  expect(store.get(postsAtom)).toHaveLength(1)
  expect(gone).not.toHaveBeenCalled()
})
