import { createStore } from 'jotai'
import { beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '../lib/api.ts'
import { assetsPage, type Page, postsPage } from '../lib/content/source.ts'
import { applyDeltaAtom, assetsAtom, contentAtom, contentErrorAtom, postsAtom } from './content.ts'
import { contentChangedAtom, fetchContentAtom, refreshContentAtom } from './content-fetch.ts'
import { selectCollectionAtom } from './selected-collection.ts'

vi.mock('../lib/content/source.ts')
vi.mock('../lib/storage.ts')

const page = <T>(rows: unknown[] = [], more: Partial<Page<T>> = {}): Page<T> => ({
  rows: rows as T[],
  deleted: [],
  nextCursor: null,
  revision: 1,
  ...more,
})
const row = (id: string, version = 1, date = '2025-01-01T00:00:00Z') => ({ id, date, date_zone: 'UTC', version })

beforeEach(() => {
  vi.useFakeTimers({ now: 1_800_000_000_000 })
  vi.mocked(postsPage)
    .mockReset()
    .mockImplementation(async () => page())
  vi.mocked(assetsPage)
    .mockReset()
    .mockImplementation(async () => page([row('a')]))
})

function open(id = 'one') {
  const store = createStore()
  store.set(selectCollectionAtom, id)
  return store
}

test('A fetch under way is reused, and so is a result younger than 1500 ms', async () => {
  const store = open()
  await Promise.all([store.set(fetchContentAtom, 'one'), store.set(fetchContentAtom, 'one')])
  vi.advanceTimersByTime(1499)
  await store.set(fetchContentAtom, 'one')
  expect(assetsPage).toHaveBeenCalledTimes(1)
  expect(store.get(assetsAtom)).toHaveLength(1)
})

test('After 1500 ms only changes are fetched', async () => {
  const store = open()
  await store.set(fetchContentAtom, 'one')
  vi.advanceTimersByTime(1500)
  vi.mocked(assetsPage).mockImplementation(async () => page([row('b')], { deleted: ['a'], revision: 5 }))
  await store.set(fetchContentAtom, 'one')
  expect(assetsPage).toHaveBeenLastCalledWith('one', { since: 1 })
  expect(store.get(assetsAtom).map(({ id }) => id)).toEqual(['b'])
  expect(store.get(contentAtom).assetsRevision).toBe(5)
})

test('An empty result is not reused', async () => {
  vi.mocked(assetsPage).mockImplementation(async () => page())
  const store = open()
  await store.set(fetchContentAtom, 'one')
  await store.set(fetchContentAtom, 'one')
  expect(assetsPage).toHaveBeenCalledTimes(2)
})

test('Selecting another collection clears posts and assets at once, and a late answer is dropped', async () => {
  const store = open()
  await store.set(fetchContentAtom, 'one')
  const late = Promise.withResolvers<void>()
  vi.mocked(assetsPage).mockImplementation(async (id) => {
    if (id === 'two') await late.promise
    return page([row(id)])
  })
  store.set(selectCollectionAtom, 'two')
  expect(store.get(assetsAtom)).toEqual([])
  const two = store.set(fetchContentAtom, 'two')
  store.set(selectCollectionAtom, 'three')
  await store.set(fetchContentAtom, 'three')
  late.resolve()
  await two
  expect(store.get(assetsAtom).map(({ id }) => id)).toEqual(['three'])
})

test('The first page paints, the others follow, and changes made in the meantime are fetched', async () => {
  const second = Promise.withResolvers<void>()
  vi.mocked(assetsPage)
    .mockResolvedValueOnce(page([row('d', 1, '2025-04-01T00:00:00Z')], { nextCursor: 'x', revision: 7 }))
    .mockImplementationOnce(async () => {
      await second.promise
      return page([row('c', 1, '2025-03-01T00:00:00Z')], { nextCursor: 'y', revision: 8 })
    })
    .mockResolvedValueOnce(page([row('b', 1, '2025-02-01T00:00:00Z')], { revision: 9 }))
    .mockResolvedValueOnce(page([row('c', 2, '2025-05-01T00:00:00Z')], { revision: 9 }))
  const store = open()
  await store.set(fetchContentAtom, 'one')
  expect(store.get(contentAtom)).toMatchObject({ loading: false, complete: false })
  second.resolve()
  await vi.waitFor(() => expect(store.get(assetsAtom).map(({ id }) => id)).toEqual(['c', 'd', 'b']))
  expect(assetsPage).toHaveBeenLastCalledWith('one', { since: 7 })
})

test('A failure shows the specified message and keeps the content', async () => {
  const store = open()
  await store.set(fetchContentAtom, 'one')
  vi.mocked(postsPage).mockRejectedValue(new ApiError('offline', 'No connection.'))
  await store.set(refreshContentAtom, 'one')
  expect(store.get(contentErrorAtom)).toEqual({ code: 'offline', message: 'Failed to fetch collection content: No connection.' })
  expect(store.get(assetsAtom)).toHaveLength(1)
})

test('A log that does not reach back leads to a full load', async () => {
  const store = open()
  await store.set(fetchContentAtom, 'one')
  vi.mocked(assetsPage)
    .mockRejectedValueOnce(new ApiError('gone', 'Too old'))
    .mockResolvedValueOnce(page([row('z')]))
  await store.set(refreshContentAtom, 'one')
  expect(store.get(assetsAtom).map(({ id }) => id)).toEqual(['z'])
})

test("The user's own writes are merged like deltas, in any order", async () => {
  const store = open()
  await store.set(fetchContentAtom, 'one')
  const posts = page<never>([row('p', 2)])
  store.set(applyDeltaAtom, { collectionId: 'one', posts })
  store.set(applyDeltaAtom, { collectionId: 'one', posts: page<never>([row('p', 1)]) })
  store.set(applyDeltaAtom, { collectionId: 'other', posts: page<never>([row('q')]) })
  expect(store.get(postsAtom)).toEqual([row('p', 2)])
})

test('A change refetches the content and dispatches the event', async () => {
  const dispatched = vi.fn()
  vi.stubGlobal('dispatchEvent', dispatched)
  const store = open()
  await store.set(fetchContentAtom, 'one')
  await store.set(contentChangedAtom, 'one')
  expect(assetsPage).toHaveBeenCalledTimes(2)
  expect(dispatched.mock.calls[0]?.[0]).toMatchObject({ type: 'realtime-post-updated' })
  vi.unstubAllGlobals()
})

test("A user's change that a refresh has brought since its answer is not fetched again", async () => {
  const store = open()
  await store.set(fetchContentAtom, 'one')
  const answeredAt = Date.now()
  vi.advanceTimersByTime(10)
  await Promise.all([store.set(refreshContentAtom, 'one'), store.set(contentChangedAtom, 'one', answeredAt)])
  expect(assetsPage).toHaveBeenCalledTimes(2)
  await store.set(contentChangedAtom, 'one', Date.now())
  expect(assetsPage).toHaveBeenCalledTimes(3)
})
