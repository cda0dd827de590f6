import { createStore } from 'jotai'
import { beforeEach, expect, test, vi } from 'vitest'
import { getSession } from '../../contract/auth.ts'
import { getProfile } from '../../contract/users.ts'
import { ApiError, call } from '../lib/api.ts'
import { parseJson, readLocal, writeLocal } from '../lib/storage.ts'
import { fetchProfileAtom, followUserAtom, profileAtom, profileErrorAtom, profileLoadingAtom } from './profile.ts'
import { askSessionAtom } from './session.ts'

vi.mock('../lib/storage.ts')
vi.mock('../lib/api.ts', async (original) => ({ ...(await original<object>()), call: vi.fn() }))

const answers = (id: string) => vi.mocked(call).mockResolvedValue({ id, email: `${id}@example.org` })

beforeEach(() => void vi.mocked(call).mockReset())

test('Signing in fetches the profile if it is missing or belongs to another user', async () => {
  const store = createStore()
  answers('ada')
  await store.set(followUserAtom, 'ada')
  expect(store.get(profileAtom)?.id).toBe('ada')
  answers('bob')
  await store.set(followUserAtom, 'bob')
  expect(store.get(profileAtom)?.id).toBe('bob')
  expect(call).toHaveBeenCalledTimes(2)
})

test('Signing out clears the profile and its error', async () => {
  const store = createStore()
  answers('ada')
  await store.set(followUserAtom, 'ada')
  vi.mocked(call).mockRejectedValue(new ApiError('unavailable', 'The database does not answer'))
  await expect(store.set(fetchProfileAtom)).rejects.toThrow()
  expect(store.get(profileErrorAtom)).toBe('Failed to fetch profile: The database does not answer')
  await store.set(followUserAtom, null)
  expect([store.get(profileAtom), store.get(profileErrorAtom)]).toEqual([null, null])
})

test('The profile is stored on the device until its user signs out', async () => {
  const store = createStore()
  answers('ada')
  await store.set(followUserAtom, 'ada')
  expect(writeLocal).toHaveBeenLastCalledWith('profile', JSON.stringify({ id: 'ada', email: 'ada@example.org' }))
  await store.set(followUserAtom, null)
  expect(writeLocal).toHaveBeenLastCalledWith('profile', null)
})

test('An answer without a profile is an error, and a missing session is not', async () => {
  const store = createStore()
  vi.mocked(call).mockRejectedValue(new ApiError('unreadable', 'The answer could not be read'))
  await expect(store.set(fetchProfileAtom)).rejects.toThrow()
  expect(store.get(profileErrorAtom)).toBe('Failed to fetch profile: No profile data received')
  vi.mocked(call).mockRejectedValue(new ApiError('unauthenticated', 'Sign in'))
  await store.set(fetchProfileAtom)
  expect([store.get(profileAtom), store.get(profileErrorAtom)]).toEqual([null, null])
})

test('A profile is loading until it is answered', async () => {
  const store = createStore()
  answers('ada')
  const fetched = store.set(fetchProfileAtom)
  expect(store.get(profileLoadingAtom)).toBe(true)
  await fetched
  expect(store.get(profileLoadingAtom)).toBe(false)
})

test('A stored profile is shown after a reload, and fetched again only if the answer about the session differs', async () => {
  const stored = { id: 'ada', email: 'ada@example.org', firstName: 'Ada', lastName: null, sharesPresence: true }
  for (const [firstName, fetched] of [
    ['Ada', 0],
    ['Adele', 1],
  ] as const) {
    vi.mocked(call).mockReset()
    vi.mocked(call).mockImplementation((async (endpoint: unknown) => {
      const { id, email, lastName } = stored
      const user = { id, email, firstName, lastName, emailVerified: true }
      return endpoint === getSession ? { user, expiresAt: null, profile: { ...stored, firstName } } : { ...stored, firstName }
    }) as typeof call)
    const store = createStore()
    vi.mocked(readLocal).mockReturnValue(JSON.stringify(stored))
    vi.mocked(parseJson).mockReturnValue(stored)
    await store.set(askSessionAtom)
    const following = store.set(followUserAtom, 'ada')
    expect(store.get(profileAtom)?.firstName).toBe('Ada')
    await following
    expect(store.get(profileAtom)?.firstName).toBe(firstName)
    expect(vi.mocked(call).mock.calls.filter(([endpoint]) => endpoint === getProfile)).toHaveLength(fetched)
  }
})
