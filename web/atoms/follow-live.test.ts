import { createStore } from 'jotai'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { deleteAccount } from '../../contract/account.ts'
import { listAssets } from '../../contract/assets.ts'
import { getSession } from '../../contract/auth.ts'
import * as contract from '../../contract/collections.ts'
import { listAssetComments } from '../../contract/comments.ts'
import { getFeed } from '../../contract/feed.ts'
import { type ChangeTable, ownRevision, type ServerMessage } from '../../contract/live.ts'
import { getProfile } from '../../contract/users.ts'
import { ApiError, call } from '../lib/api.ts'
import { assetsPage, postsPage } from '../lib/content/source.ts'
import type { LiveHandlers } from '../lib/live/live.ts'
import { deleteAccountAtom } from './account.ts'
import { watchCardsAtom } from './cards.ts'
import { fetchAllAtom, lostCollectionAtom } from './collections.ts'
import { contentErrorAtom } from './content.ts'
import { fetchContentAtom } from './content-fetch.ts'
import { refreshFeedAtom } from './feed.ts'
import { unseenAtom } from './feed-badge.ts'
import { followLive } from './follow-live.ts'
import { isLiveAtom, ownViewAtom } from './live.ts'
import { morePresentAtom, presentAtom } from './presence.ts'
import { profileAtom } from './profile.ts'
import { selectCollectionAtom, selectedCollectionIdAtom } from './selected-collection.ts'
import { askSessionAtom, forgetSessionAtom } from './session.ts'
import { watchThreadAtom } from './threads.ts'
import { toastsAtom } from './toasts.ts'

vi.mock('../lib/content/source.ts')
vi.mock('../lib/storage.ts')
vi.mock('../lib/live/live.ts')
vi.mock('../lib/api.ts', async (original) => ({ ...(await original<object>()), call: vi.fn() }))

const KYOTO = '0198b2c4-0000-7000-8000-000000000001'
const OTHER = '0198b2c4-0000-7000-8000-0000000000ff'
const room = `collection:${KYOTO}`
let mine: string[]
/** Of the collection in the list. */
let revision: number

beforeEach(() => {
  vi.useFakeTimers({ now: 1_800_000_000_000 })
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
  mine = [KYOTO]
  revision = 5
  vi.mocked(call).mockImplementation((async (endpoint: unknown) => {
    if (endpoint === getSession) return { user: { id: 'ada' }, expiresAt: null }
    if (endpoint === contract.listCollections) return { collections: mine.map((id) => ({ id, name: 'Kyoto', role: 'read', revision })) }
    if (endpoint === getProfile) return { id: 'ada' }
    return { invitedCollections: [] }
  }) as typeof call)
  const page = { rows: [], deleted: [], nextCursor: null, revision: 5 }
  vi.mocked(postsPage).mockReset().mockResolvedValue(page)
  vi.mocked(assetsPage).mockReset().mockResolvedValue(page)
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Signs in as Ada with Kyoto open and live updates under the test's control. */
async function signedIn() {
  const store = createStore()
  const rooms: string[][] = []
  const sent: object[] = []
  let handlers: LiveHandlers | undefined
  const stop = followLive(store, (given) => {
    handlers = given
    return {
      follow: (wanted) => void rooms.push([...wanted]),
      say: (_, message) => void sent.push(message),
      close: () => void rooms.push([]),
    }
  })
  await store.set(askSessionAtom)
  store.set(selectCollectionAtom, KYOTO)
  await store.set(fetchAllAtom)
  await store.set(fetchContentAtom, KYOTO)
  vi.mocked(postsPage).mockClear()
  vi.mocked(call).mockClear()
  const receive = (message: Exclude<ServerMessage, { type: 'bye' }>, from = room) => handlers?.onMessage(from, message)
  const change = (revision: number, table: ChangeTable = 'asset_collections', from = room) =>
    receive({ type: 'change', table, event: 'UPDATE', collection_id: KYOTO, revision }, from)
  const calls = (endpoint: unknown) => vi.mocked(call).mock.calls.filter(([called]) => called === endpoint).length
  return { store, rooms, sent, stop, receive, change, calls, handlers: handlers as LiveHandlers }
}

test("The rooms are the user's own and that of the open collection, and none after signing out", async () => {
  const { store, rooms } = await signedIn()
  expect(rooms.at(-1)).toEqual(['user:ada', room])
  store.set(selectCollectionAtom, null)
  expect(rooms.at(-1)).toEqual(['user:ada'])
  store.set(forgetSessionAtom, 'left')
  expect(rooms.at(-1)).toEqual([])
  expect(store.get(isLiveAtom)).toBe(false)
})

test('A thread of another collection is live in its room, which says nothing else', async () => {
  mine = [KYOTO, OTHER]
  const { store, rooms, receive, calls } = await signedIn()
  const subject = { collectionId: OTHER, item: { kind: 'asset' as const, id: KYOTO } }
  vi.mocked(call).mockResolvedValue({ comments: [], deleted: [], nextCursor: null, revision: 5 } as never)
  const close = store.set(watchThreadAtom, subject)
  const there = `collection:${OTHER}`
  expect(rooms.at(-1)).toEqual(['user:ada', room, there])
  await vi.advanceTimersByTimeAsync(0)
  const hear = async (table: ChangeTable, revision: number) => {
    receive({ type: 'change', table, event: 'UPDATE', collection_id: OTHER, revision }, there)
    await vi.advanceTimersByTimeAsync(2_000)
  }
  expect(calls(listAssetComments)).toBe(1)
  await hear('comments', 5)
  await hear('asset_collections', 6)
  expect(calls(listAssetComments)).toBe(1)
  await hear('comments', 7)
  expect(calls(listAssetComments)).toBe(2)
  receive({ type: 'presence', present: [{ name: 'Bob', view: 'media' }] }, there)
  expect(store.get(presentAtom)).toEqual([])
  close()
  expect(rooms.at(-1)).toEqual(['user:ada', room])
})

test('A room is not joined before membership is confirmed', async () => {
  const { store, rooms } = await signedIn()
  store.set(selectCollectionAtom, OTHER)
  expect(rooms.at(-1)).toEqual(['user:ada'])
})

test('A burst of 500 changes makes two requests for posts', async () => {
  const { change } = await signedIn()
  vi.mocked(postsPage).mockResolvedValue({ rows: [], deleted: [], nextCursor: null, revision: 506 })
  for (let i = 1; i <= 500; i++) change(5 + i)
  await vi.advanceTimersByTimeAsync(60)
  expect(postsPage).toHaveBeenCalledTimes(1)
  expect(postsPage).toHaveBeenLastCalledWith(KYOTO, { since: 5 })
  change(506)
  change(507)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(postsPage).toHaveBeenCalledTimes(2)
})

test('Changes that are known, repeated or late cause no request', async () => {
  const { change, receive } = await signedIn()
  for (const revision of [5, 3, 4, 5]) change(revision)
  receive({ type: 'hello', room, revision: 5, present: [] })
  await vi.advanceTimersByTimeAsync(10_000)
  expect(postsPage).not.toHaveBeenCalled()
})

test('A hello fetches missed changes', async () => {
  const { receive } = await signedIn()
  receive({ type: 'hello', room, revision: 9, present: [] })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(postsPage).toHaveBeenLastCalledWith(KYOTO, { since: 5 })
})

test('A failed request is repeated at growing intervals until it succeeds or the user signs out', async () => {
  const { store, change } = await signedIn()
  vi.mocked(postsPage).mockRejectedValue(new ApiError('unavailable', 'Later', { status: 503 }))
  change(6)
  await vi.advanceTimersByTimeAsync(60_000)
  const requests = vi.mocked(postsPage).mock.calls.length
  // After about 1, 2, 4, 8, 16 and 30 seconds.
  expect(requests).toBeGreaterThanOrEqual(5)
  expect(requests).toBeLessThanOrEqual(7)
  expect(store.get(contentErrorAtom)?.code).toBe('unavailable')
  vi.mocked(postsPage).mockResolvedValue({ rows: [], deleted: [], nextCursor: null, revision: 6 })
  await vi.advanceTimersByTimeAsync(32_000)
  expect(store.get(contentErrorAtom)).toBeNull()
  vi.mocked(postsPage).mockClear()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(postsPage).not.toHaveBeenCalled()

  vi.mocked(postsPage).mockRejectedValue(new ApiError('unavailable', 'Later', { status: 503 }))
  change(7)
  await vi.advanceTimersByTimeAsync(500)
  store.set(forgetSessionAtom, 'left')
  vi.mocked(postsPage).mockClear()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(postsPage).not.toHaveBeenCalled()
})

test('A change announced while the first page is loading is not lost', async () => {
  const { store, change } = await signedIn()
  // Another collection's content replaces the current one.
  await store.set(fetchContentAtom, '0198b2c4-0000-7000-8000-000000000002')
  const late = Promise.withResolvers<void>()
  vi.mocked(postsPage).mockImplementationOnce(async () => {
    await late.promise
    return { rows: [], deleted: [], nextCursor: null, revision: 5 }
  })
  const loading = store.set(fetchContentAtom, KYOTO)
  change(6)
  await vi.advanceTimersByTimeAsync(2_000)
  late.resolve()
  await loading
  await vi.advanceTimersByTimeAsync(0)
  expect(postsPage).toHaveBeenLastCalledWith(KYOTO, { since: 5 })
})

test('The lists are fetched after messages in the own room, and names after messages in either', async () => {
  const { receive, change, calls } = await signedIn()
  change(6, 'members')
  await vi.advanceTimersByTimeAsync(2_000)
  expect(calls(contract.listCollections)).toBe(0)
  change(6, 'members', 'user:ada')
  await vi.advanceTimersByTimeAsync(2_000)
  expect([calls(contract.listCollections), calls(contract.listInvitedCollections)]).toEqual([1, 1])
  change(7, 'collections')
  await vi.advanceTimersByTimeAsync(2_000)
  expect([calls(contract.listCollections), calls(contract.listInvitedCollections)]).toEqual([2, 1])
  receive({ type: 'hello', room: 'user:ada', revision: 0, present: [] }, 'user:ada')
  await vi.advanceTimersByTimeAsync(2_000)
  expect([calls(contract.listCollections), calls(contract.listInvitedCollections)]).toEqual([3, 2])
  expect(calls(listAssets)).toBe(0)
})

test('Messages about what the lists show ask for nothing, nor does a hello for what they stand for', async () => {
  const { receive, change, calls } = await signedIn()
  for (const table of ['members', 'collections', 'invites'] as const) change(5, table, 'user:ada')
  receive({ type: 'change', table: 'invites', event: 'DELETE', collection_id: OTHER, revision: 9 }, 'user:ada')
  receive({ type: 'hello', room: 'user:ada', revision: ownRevision([{ revision: 5 }], 0), present: [] }, 'user:ada')
  await vi.advanceTimersByTimeAsync(2_000)
  expect([calls(contract.listCollections), calls(contract.listInvitedCollections)]).toEqual([0, 0])
  receive({ type: 'hello', room: 'user:ada', revision: ownRevision([{ revision: 5 }], 1), present: [] }, 'user:ada')
  await vi.advanceTimersByTimeAsync(2_000)
  expect([calls(contract.listCollections), calls(contract.listInvitedCollections)]).toEqual([1, 1])
})

test('A message during a request of the lists asks again only for what its answer lacks', async () => {
  const { store, change, calls } = await signedIn()
  revision = 7
  const asked = store.set(fetchAllAtom)
  change(7, 'members', 'user:ada')
  await asked
  await vi.advanceTimersByTimeAsync(5_000)
  expect(calls(contract.listCollections)).toBe(1)
  change(8, 'members', 'user:ada')
  await vi.advanceTimersByTimeAsync(5_000)
  expect(calls(contract.listCollections)).toBe(2)
})

test('A count of new groups is asked for again when the user is back in the window, because they may have been seen on another device', async () => {
  const { store, calls } = await signedIn()
  const back = async () => {
    document.dispatchEvent(new Event('visibilitychange'))
    await vi.advanceTimersByTimeAsync(30_000)
  }
  await back()
  expect(calls(getFeed)).toBe(0)
  const items = [{ id: 'a', kind: 'asset', at: '2026-05-19T12:00:00Z', collection_id: KYOTO, user_id: 'bob', samples: [] }]
  const feed = (seenAt: string | null) =>
    vi.mocked(call).mockResolvedValueOnce({ items, nextCursor: null, seenAt, asOf: '2026-05-20T12:00:00Z' })
  feed(null)
  await store.set(refreshFeedAtom)
  expect(store.get(unseenAtom)).toBe(1)
  Object.assign(document, { visibilityState: 'hidden' })
  await back()
  expect(store.get(unseenAtom)).toBe(1)
  Object.assign(document, { visibilityState: 'visible' })
  feed('2026-05-20T12:00:00Z')
  await back()
  expect(store.get(unseenAtom)).toBe(0)
})

test('A profile that changed elsewhere is fetched, also after a second hello', async () => {
  const { store, receive, calls } = await signedIn()
  receive({ type: 'change', table: 'users', event: 'UPDATE', id: 'ada', user_id: 'ada', revision: 0 }, 'user:ada')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(calls(getProfile)).toBe(1)
  expect(store.get(profileAtom)?.id).toBe('ada')
  const hello = () => receive({ type: 'hello', room: 'user:ada', revision: 5, present: [] }, 'user:ada')
  hello()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(calls(getProfile)).toBe(1)
  hello()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(calls(getProfile)).toBe(2)
})

test('Cards shown within a second of a change also show the changes after it, which are not announced', async () => {
  const { store, calls, change } = await signedIn()
  change(9, 'asset_collections', 'user:ada')
  const unwatch = store.set(watchCardsAtom)
  await vi.advanceTimersByTimeAsync(500)
  expect(calls(contract.listCollections)).toBe(1)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(calls(contract.listCollections)).toBe(2)
  unwatch()
})

test('Removal from the open collection closes it at once with a calm message', async () => {
  const { store, handlers, rooms } = await signedIn()
  handlers.onEnded(room, 'removed')
  expect(store.get(selectedCollectionIdAtom)).toBeNull()
  expect(store.get(lostCollectionAtom)?.id).toBe(KYOTO)
  expect(rooms.at(-1)).toEqual(['user:ada'])
  expect(store.get(toastsAtom).map(({ title }) => title)).toEqual(['You are no longer a member of “Kyoto”'])
})

test('The end of memberships is not reported while the account is deleted', async () => {
  const { store, handlers } = await signedIn()
  vi.stubGlobal('location', { assign: () => undefined })
  const answer = Promise.withResolvers<{ url: string | null }>()
  vi.mocked(call).mockImplementation(((endpoint: unknown) =>
    endpoint === deleteAccount ? answer.promise : Promise.resolve({})) as typeof call)
  const deleted = store.set(deleteAccountAtom, { email: 'ada@example.org', items: 'leave', deleteCollections: [] })
  handlers.onEnded(room, 'removed')
  answer.resolve({ url: null })
  await deleted
  expect(store.get(toastsAtom)).toEqual([])
})

test('A list without the open collection shows the same message, once', async () => {
  const { store, change, handlers } = await signedIn()
  mine = []
  change(6, 'members', 'user:ada')
  await vi.advanceTimersByTimeAsync(1_000)
  handlers.onEnded(room, 'removed')
  await vi.advanceTimersByTimeAsync(2_000)
  expect(store.get(selectedCollectionIdAtom)).toBeNull()
  expect(store.get(toastsAtom)).toHaveLength(1)
  mine = [KYOTO]
  await store.set(fetchAllAtom)
  expect(store.get(lostCollectionAtom)).toBeNull()
})

test('A loss before live updates are loaded is reported too', async () => {
  const { store, stop } = await signedIn()
  stop()
  mine = []
  await store.set(fetchAllAtom)
  expect(store.get(toastsAtom)).toEqual([])
  followLive(store, () => ({ follow() {}, say() {}, close() {} }) as never)
  expect(store.get(toastsAtom)).toHaveLength(1)
})

test('Only users who look at the open collection are shown', async () => {
  const { store, receive, handlers } = await signedIn()
  handlers.onStatus('connected')
  const present = [
    { id: 'ada', name: 'Ada', view: 'media' },
    { id: 'bob', name: 'Bob', view: 'timeline' },
    { id: 'cy', name: 'Cy', view: 'elsewhere' },
    { id: 'dan', name: 'Dan' },
    { id: 'guest:1', name: 'Oma (guest)', guest: true as const },
  ]
  receive({ type: 'presence', present, more: 3 })
  expect(store.get(presentAtom).map(({ name }) => name)).toEqual(['Bob', 'Oma (guest)'])
  expect(store.get(morePresentAtom)).toBe(3)
  receive({ type: 'presence', present })
  expect(store.get(morePresentAtom)).toBe(0)
  store.set(selectCollectionAtom, null)
  expect(store.get(presentAtom)).toEqual([])
})

test('The own view is sent on every hello and change of view, at most every 300 ms', async () => {
  const { store, sent, receive } = await signedIn()
  store.set(ownViewAtom, { view: 'media', itemId: null })
  await vi.advanceTimersByTimeAsync(1)
  for (let i = 0; i < 20; i++) {
    store.set(ownViewAtom, { view: 'media', itemId: KYOTO.replace(/1$/, String(i % 10)) })
    await vi.advanceTimersByTimeAsync(10)
  }
  await vi.advanceTimersByTimeAsync(1_000)
  expect(sent.length).toBeLessThanOrEqual(3)
  expect(sent.at(-1)).toEqual({ type: 'presence', view: 'media', itemId: KYOTO.replace(/1$/, '9') })
  store.set(ownViewAtom, null)
  receive({ type: 'hello', room, revision: 5, present: [] })
  expect(sent.at(-1)).toEqual({ type: 'presence', view: 'elsewhere' })
})

test('A tab that nobody looks at says that its user is elsewhere, and where they are once they look again', async () => {
  const { store, sent, receive, stop } = await signedIn()
  const turn = async (visibilityState: string) => {
    Object.assign(document, { visibilityState })
    document.dispatchEvent(new Event('visibilitychange'))
    await vi.advanceTimersByTimeAsync(1_000)
  }
  store.set(ownViewAtom, { view: 'media', itemId: KYOTO })
  await turn('hidden')
  expect(sent.at(-1)).toEqual({ type: 'presence', view: 'elsewhere' })
  receive({ type: 'hello', room, revision: 5, present: [] })
  expect(sent.at(-1)).toEqual({ type: 'presence', view: 'elsewhere' })
  await turn('visible')
  expect(sent.at(-1)).toEqual({ type: 'presence', view: 'media', itemId: KYOTO })
  stop()
  const before = sent.length
  await turn('hidden')
  expect(sent).toHaveLength(before)
})
