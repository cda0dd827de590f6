import { createStore } from 'jotai'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { getCollection } from '../../contract/collections.ts'
import { getGuest } from '../../contract/guest.ts'
import { call } from '../lib/api.ts'
import { assetsPage, postsPage } from '../lib/content/source.ts'
import type { LiveHandlers } from '../lib/live/live.ts'
import { fetchAllAtom, selectedCollectionAtom } from './collections.ts'
import { followLive } from './follow-live.ts'
import { guestAtom } from './guest.ts'
import { selectCollectionAtom } from './selected-collection.ts'
import { askSessionAtom } from './session.ts'

vi.mock('../lib/content/source.ts')
vi.mock('../lib/storage.ts')
vi.mock('../lib/live/live.ts')
vi.mock('../lib/guest/link.ts', () => ({ guestLink: '0198b2c4-0000-7000-8000-00000000000b', asGuest: (address: string) => address }))
vi.mock('../lib/api.ts', async (original) => ({ ...(await original<object>()), call: vi.fn() }))

const KYOTO = '0198b2c4-0000-7000-8000-000000000001'
const room = `collection:${KYOTO}`

beforeEach(() => {
  vi.useFakeTimers({ now: 1_800_000_000_000 })
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
  vi.stubGlobal('location', { search: `?c=${KYOTO}` })
  const page = { rows: [], deleted: [], nextCursor: null, revision: 5 }
  vi.mocked(postsPage).mockResolvedValue(page)
  vi.mocked(assetsPage).mockResolvedValue(page)
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('A guest asks what their link is when its collection has another name or others may answer, and after a lost connection', async () => {
  const collection = { id: KYOTO, name: 'Kyoto', role: 'guest', answers: null as string | null, revision: 5 }
  vi.mocked(call).mockImplementation((async (endpoint: unknown) => {
    if (endpoint === getCollection) return { collection: { ...collection } }
    return { guest: { user_id: 'guest:1', name: null, link: { title: collection.name } } }
  }) as typeof call)
  const store = createStore()
  let handlers: LiveHandlers | undefined
  followLive(store, (given) => {
    handlers = given
    return { follow: () => {}, say: () => {}, close: () => {} }
  })
  await store.set(askSessionAtom)
  store.set(selectCollectionAtom, KYOTO)
  await store.set(fetchAllAtom)
  const asked = async (act: () => void) => {
    vi.mocked(call).mockClear()
    act()
    await vi.advanceTimersByTimeAsync(5_000)
    return vi.mocked(call).mock.calls.filter(([endpoint]) => endpoint === getGuest).length
  }
  const change = (what: Partial<typeof collection>) => () => {
    Object.assign(collection, what)
    const revision = ++collection.revision
    handlers?.onMessage(room, { type: 'change', table: 'collections', event: 'UPDATE', collection_id: KYOTO, revision })
  }
  const hello = () => handlers?.onMessage(room, { type: 'hello', room, revision: collection.revision, present: [] })
  expect(await asked(hello)).toBe(0)
  expect(await asked(change({}))).toBe(0)
  expect(store.get(selectedCollectionAtom)?.revision).toBe(6)
  expect(await asked(change({ name: 'Osaka' }))).toBe(1)
  expect(store.get(guestAtom)?.link.title).toBe('Osaka')
  expect(await asked(change({ answers: 'read' }))).toBe(1)
  expect(await asked(hello)).toBe(1)
})
