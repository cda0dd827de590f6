import { atom, createStore } from 'jotai'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { unseenAtom } from './feed-badge.ts'
import { followBadge } from './follow-badge.ts'

const { invitedAtom, userIdAtom } = await vi.hoisted(async () => {
  const { atom: make } = await import('jotai')
  return { invitedAtom: make<object[] | null>(null), userIdAtom: make<string | null>('ada') }
})
vi.mock('./collections.ts', () => ({ invitedCollectionsAtom: atom((get) => get(invitedAtom)) }))
vi.mock('./session.ts', () => ({ sessionUserIdAtom: atom((get) => get(userIdAtom)) }))

const setAppBadge = vi.fn(async (_count: number) => {})
const clearAppBadge = vi.fn(async () => {})

beforeEach(() => {
  vi.clearAllMocks()
  vi.stubGlobal('navigator', { setAppBadge, clearAppBadge })
})
afterEach(() => void vi.unstubAllGlobals())

function opened() {
  const store = createStore()
  followBadge(store)
  return store
}

test('The badge shows the number of new feed groups and invitations, and disappears at zero', () => {
  const store = opened()
  store.set(unseenAtom, 3)
  store.set(invitedAtom, [{}, {}])
  expect(setAppBadge.mock.calls).toEqual([[3], [5]])
  store.set(invitedAtom, [])
  store.set(unseenAtom, 0)
  expect(setAppBadge).toHaveBeenLastCalledWith(3)
  expect(clearAppBadge).toHaveBeenCalledOnce()
})

test('A badge set by a notification stays until the count is known, and disappears if it is zero', () => {
  const store = opened()
  store.set(invitedAtom, [{}])
  expect(setAppBadge).not.toHaveBeenCalled()
  store.set(invitedAtom, [])
  expect(clearAppBadge).not.toHaveBeenCalled()
  store.set(unseenAtom, 0)
  expect(clearAppBadge).toHaveBeenCalledOnce()
})

test('A count known before the badge is followed is shown at once', () => {
  const store = createStore()
  store.set(unseenAtom, 4)
  followBadge(store)
  expect(setAppBadge).toHaveBeenCalledExactlyOnceWith(4)
})

test('Another user’s count is not shown', () => {
  const store = opened()
  store.set(unseenAtom, 4)
  store.set(userIdAtom, 'bob')
  expect(setAppBadge).toHaveBeenCalledExactlyOnceWith(4)
  store.set(unseenAtom, 1)
  expect(setAppBadge).toHaveBeenLastCalledWith(1)
})

test('A browser that lacks or refuses badges causes no error', async () => {
  setAppBadge.mockRejectedValueOnce(new DOMException('no', 'NotAllowedError'))
  opened().set(unseenAtom, 1)
  vi.stubGlobal('navigator', {})
  opened().set(unseenAtom, 2)
  expect(setAppBadge).toHaveBeenCalledOnce()
})
