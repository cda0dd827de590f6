import { createStore } from 'jotai'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { getSession } from '../../contract/auth.ts'
import { type FeedItem, putFeedVisit } from '../../contract/feed.ts'
import { ApiError, call } from '../lib/api.ts'
import { fetchCollectionsAtom } from './collections.ts'
import {
  countUnseenAtom,
  feedArrivalsAtom,
  feedErrorAtom,
  feedMoreAtom,
  feedVisitAtom,
  fetchMoreFeedAtom,
  markSeenAtom,
  openFeedAtom,
  refreshFeedAtom,
  showArrivalsAtom,
} from './feed.ts'
import { unseenAtom } from './feed-badge.ts'
import { askSessionAtom } from './session.ts'

vi.mock('../lib/storage.ts')
vi.mock('../lib/api.ts', async (original) => ({ ...(await original<object>()), call: vi.fn() }))

const MINUTE = 60_000
let items: FeedItem[]
let seenAt: string | null
let cursor: string | null

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-05-20T12:00:00Z') })
  items = [group('a', '2026-05-19T12:00:00Z')]
  seenAt = '2026-05-18T12:00:00Z'
  cursor = null
  vi.mocked(call).mockImplementation((async (endpoint: unknown, options?: { body: { seenAt: string } }) => {
    if (endpoint === getSession) return { user: { id: 'ada' }, expiresAt: null }
    if (endpoint === putFeedVisit) seenAt = options?.body.seenAt ?? null
    return { items, nextCursor: cursor, seenAt, asOf: new Date().toISOString() }
  }) as typeof call)
})
afterEach(() => void vi.useRealTimers())

const group = (id: string, at: string) =>
  ({ id, at, kind: 'asset', collection_id: 'kyoto', user_id: 'bob', samples: [] as FeedItem['samples'] }) as FeedItem

async function signedIn() {
  const store = createStore()
  await store.set(askSessionAtom)
  return store
}
type Store = Awaited<ReturnType<typeof signedIn>>

async function open(store: Store, back = false) {
  const close = store.set(openFeedAtom, back)
  await vi.advanceTimersByTimeAsync(0)
  return close
}
const shown = (store: Store) => store.get(feedVisitAtom)?.items.map(({ id }) => id)

test('New groups are counted until the feed has been seen', async () => {
  const store = await signedIn()
  await store.set(refreshFeedAtom)
  expect(store.get(unseenAtom)).toBe(1)
  await open(store)
  expect(store.get(feedVisitAtom)?.since).toBe('2026-05-18T12:00:00Z')
  await store.set(markSeenAtom)
  expect(store.get(unseenAtom)).toBe(0)
  // Sent only once.
  await store.set(markSeenAtom)
  expect(vi.mocked(call).mock.calls.filter(([endpoint]) => (endpoint as unknown) === putFeedVisit)).toHaveLength(1)
})

test('A late answer from before the visit does not make groups new again', async () => {
  const store = await signedIn()
  await store.set(refreshFeedAtom)
  await open(store)
  const late = Promise.withResolvers<void>()
  const before = { items, nextCursor: cursor, seenAt, asOf: new Date().toISOString() }
  vi.mocked(call).mockImplementationOnce((async () => {
    await late.promise
    return before
  }) as typeof call)
  const asking = store.set(refreshFeedAtom)
  await store.set(markSeenAtom)
  expect(store.get(unseenAtom)).toBe(0)
  late.resolve()
  await asking
  expect(store.get(unseenAtom)).toBe(0)
})

test('New groups do not move the list, and are not marked as seen before they are shown', async () => {
  const store = await signedIn()
  await open(store)
  await store.set(markSeenAtom)
  await vi.advanceTimersByTimeAsync(MINUTE)
  items = [group('b', '2026-05-20T12:00:30Z'), ...items]
  await store.set(refreshFeedAtom)
  await store.set(markSeenAtom)
  expect([shown(store), store.get(feedArrivalsAtom), store.get(unseenAtom)]).toEqual([['a'], 1, 1])
  store.set(showArrivalsAtom)
  await store.set(markSeenAtom)
  expect([shown(store), store.get(feedArrivalsAtom), store.get(unseenAtom)]).toEqual([['b', 'a'], 0, 0])
})

test('When more groups have come than a page holds, the list begins again with it, and scrolling brings the others', async () => {
  const store = await signedIn()
  await open(store)
  cursor = 'after c'
  items = [group('d', '2026-05-20T11:59:00Z'), group('c', '2026-05-20T11:58:00Z')]
  await store.set(refreshFeedAtom)
  store.set(showArrivalsAtom)
  expect(shown(store)).toEqual(['d', 'c'])
  cursor = null
  items = [group('b', '2026-05-20T11:57:00Z'), group('a', '2026-05-19T12:00:00Z')]
  await store.set(fetchMoreFeedAtom)
  expect(shown(store)).toEqual(['d', 'c', 'b', 'a'])
})

test('Going back restores the list, and opening the feed again shows the new groups', async () => {
  const store = await signedIn()
  const close = await open(store)
  close()
  items = [group('b', '2026-05-20T11:59:30Z'), ...items]
  await vi.advanceTimersByTimeAsync(MINUTE)
  const closeAgain = await open(store, true)
  expect([shown(store), store.get(feedArrivalsAtom)]).toEqual([['a'], 1])
  closeAgain()
  await open(store)
  expect([shown(store), store.get(feedArrivalsAtom)]).toEqual([['b', 'a'], 0])
})

test('A failure is reported, and the list stays', async () => {
  const store = await signedIn()
  await open(store)
  vi.mocked(call).mockRejectedValueOnce(new ApiError('offline', 'No connection.'))
  await store.set(refreshFeedAtom)
  expect([store.get(feedErrorAtom)?.code, shown(store)]).toEqual(['offline', ['a']])
  await store.set(refreshFeedAtom)
  expect(store.get(feedErrorAtom)).toBeNull()
})

test('A page that is never answered after a change of user does not block the next one', async () => {
  const store = await signedIn()
  const first = await open(store)
  const answered = vi.mocked(call).getMockImplementation()
  vi.mocked(call).mockImplementation(((endpoint: unknown, options?: { query?: { cursor?: string } }) =>
    options?.query?.cursor ? new Promise(() => {}) : answered?.(endpoint as never, options as never)) as typeof call)
  cursor = 'next'
  store.set(showArrivalsAtom)
  await store.set(refreshFeedAtom)
  store.set(showArrivalsAtom)
  void store.set(fetchMoreFeedAtom)
  expect(store.get(feedMoreAtom).loading).toBe(true)
  first()
  await open(store)
  expect(store.get(feedMoreAtom).loading).toBe(false)
})

test('Groups of a collection that was left go from the list and from the count', async () => {
  const store = await signedIn()
  items = [group('a', '2026-05-19T12:00:00Z'), { ...group('b', '2026-05-19T11:00:00Z'), collection_id: 'oslo' }]
  await open(store)
  expect([shown(store), store.get(unseenAtom)]).toEqual([['a', 'b'], 2])
  vi.mocked(call).mockResolvedValueOnce({ collections: [{ id: 'kyoto', name: 'Kyoto', revision: 1 }] })
  await store.set(fetchCollectionsAtom)
  store.set(countUnseenAtom)
  expect([shown(store), store.get(unseenAtom)]).toEqual([['a'], 1])
})
