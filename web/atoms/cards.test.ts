import { createStore } from 'jotai'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { call } from '../lib/api.ts'
import { emitPostUpdated, onPostUpdated } from '../lib/content/events.ts'
import { refreshCardsAtom, watchCardsAtom } from './cards.ts'
import { liveStatusAtom } from './live.ts'

vi.mock('../lib/storage.ts')
vi.mock('../lib/api.ts', async (original) => ({ ...(await original<object>()), call: vi.fn() }))

beforeEach(() => {
  const window = new EventTarget()
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window))
  vi.stubGlobal('dispatchEvent', window.dispatchEvent.bind(window))
  vi.mocked(call)
    .mockReset()
    .mockResolvedValue({ collections: [] } as never)
})
afterEach(() => void vi.unstubAllGlobals())

/** A store that listens as the app does (start.ts), and how often it has fetched the cards. */
function listening() {
  const store = createStore()
  onPostUpdated(() => store.set(refreshCardsAtom))
  return { store, fetched: () => vi.mocked(call).mock.calls.length }
}

test('Without live updates, realtime-post-updated fetches the cards on the screen', () => {
  const { store, fetched } = listening()
  store.set(watchCardsAtom)
  emitPostUpdated('kyoto')
  expect(fetched()).toBe(1)
})

test('Without live updates, realtime-post-updated fetches hidden cards once, when they are shown', () => {
  const { store, fetched } = listening()
  emitPostUpdated('kyoto')
  emitPostUpdated('kyoto')
  expect(fetched()).toBe(0)
  const hide = store.set(watchCardsAtom)
  expect(fetched()).toBe(1)
  hide()
  store.set(watchCardsAtom)
  expect(fetched()).toBe(1)
})

test('With live updates, realtime-post-updated fetches nothing, since the message of the same change does', () => {
  const { store, fetched } = listening()
  store.set(watchCardsAtom)
  store.set(liveStatusAtom, 'connected')
  emitPostUpdated('kyoto')
  expect(fetched()).toBe(0)
})
