import { createStore } from 'jotai'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { assetsPage, postsPage } from '../lib/content-source.ts'
import { provokeCollecting } from '../lib/garbage.ts'
import { fetchContentAtom } from './content-fetch.ts'
import { followGarbage } from './follow-garbage.ts'
import { selectCollectionAtom } from './selection.ts'

vi.mock('../lib/content-source.ts')
vi.mock('../lib/storage.ts')
vi.mock('../lib/drawn.ts')
vi.mock('../lib/garbage.ts')

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.resetAllMocks()
})

/** Somebody at a collection of so many posts, and a way to open another page. */
async function open(posts: number) {
  const none = { rows: [], deleted: [], nextCursor: null, revision: 1 }
  const row = (nth: number) => ({ id: `${nth}`, date: null, collections: [], people: [], assets: [], title: '', body: '' })
  const rows = Array.from({ length: posts }, (_, nth) => row(nth))
  vi.mocked(postsPage).mockResolvedValue({ ...none, rows } as unknown as Awaited<ReturnType<typeof postsPage>>)
  vi.mocked(assetsPage).mockResolvedValue(none)
  const store = createStore()
  const listeners: ((state: { location: { pathname: string } }) => void)[] = []
  const router = { state: { location: { pathname: '/media' } }, subscribe: (listen: never) => listeners.push(listen) }
  followGarbage(store, router as unknown as Parameters<typeof followGarbage>[1])
  store.set(selectCollectionAtom, 'one')
  await store.set(fetchContentAtom, 'one')
  await vi.advanceTimersByTimeAsync(5_000)
  return (pathname: string) => {
    for (const listen of listeners) listen({ location: { pathname } })
  }
}

test('a large collection that has come, and each other page of it, are followed by collecting garbage', async () => {
  const goTo = await open(10_000)
  expect(provokeCollecting).toHaveBeenCalledTimes(1)
  goTo('/media')
  goTo('/timeline')
  goTo('/map')
  await vi.advanceTimersByTimeAsync(5_000)
  expect(provokeCollecting).toHaveBeenCalledTimes(2)
})

test('a small one is not', async () => {
  const goTo = await open(9)
  goTo('/timeline')
  await vi.advanceTimersByTimeAsync(5_000)
  expect(provokeCollecting).not.toHaveBeenCalled()
})
