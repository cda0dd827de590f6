import { atom, createStore } from 'jotai'
import { afterEach, expect, test, vi } from 'vitest'
import { prefetch } from '../lib/start/prefetch.ts'
import { revokeAllAccessAtom } from './access.ts'
import { deleteAccountAtom } from './account.ts'
import {
  askSessionAtom,
  ensureSessionAtom,
  forgetSessionAtom,
  refreshTickAtom,
  sessionConfirmedAtom,
  sessionEndedAtom,
  sessionUserIdAtom,
  signOutAtom,
} from './session.ts'
import { signInAtom } from './sign-in.ts'

const USER = { id: 'u1', email: 'ada@example.com', emailVerified: true }
const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status })
/** The answer to both calls that tell of the session. */
const answerOf = (user: object | null, expiresAt: string | null) => json({ success: true, user, expiresAt, session: { user, expiresAt } })
const session = (expiresAt: number) => answerOf(USER, new Date(expiresAt).toISOString())

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function server(answer: (path: string) => Response | Promise<Response>) {
  const fetch = vi.fn(async (path: string) => answer(path))
  vi.stubGlobal('fetch', fetch)
  return fetch
}

/** Storage of a browser, for tests about what outlives the page. */
function browserStorage() {
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  })
}

test('A sign-out that did not reach the server is sent before any other request', async () => {
  browserStorage()
  server(() => session(Date.now() + 900_000))
  const store = createStore()
  await store.set(ensureSessionAtom)
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  await expect(store.set(signOutAtom)).rejects.toMatchObject({ code: 'offline' })
  // The page is reloaded, and the cookie is still there.
  let cookie = true
  const fetch = server((path) => {
    if (path.endsWith('sign-out')) cookie = false
    return path.endsWith('sign-out') ? json({ success: true }) : cookie ? session(Date.now() + 900_000) : nobody()
  })
  const next = createStore()
  await next.set(ensureSessionAtom)
  expect(next.get(sessionUserIdAtom)).toBeNull()
  expect(fetch.mock.calls.map(([path]) => path)).toEqual(['/api/auth/sign-out', '/api/auth/session'])
  // The sign-out is sent only once.
  await next.set(askSessionAtom)
  expect(fetch).toHaveBeenCalledTimes(3)
})

test('Whoever signs in while a sign-out is still under way stays signed in', async () => {
  browserStorage()
  server(() => session(Date.now() + 900_000))
  const store = createStore()
  await store.set(ensureSessionAtom)
  // Each answer sets or deletes the one cookie of the browser.
  let cookie: string | null = 'ada'
  const left = Promise.withResolvers<void>()
  const BOB = { id: 'u2', email: 'bob@example.com', emailVerified: true }
  server(async (path) => {
    if (path.endsWith('sign-out')) await left.promise
    if (path.endsWith('sign-out')) cookie = null
    if (path.endsWith('sign-in')) cookie = 'bob'
    return cookie ? answerOf(BOB, new Date(Date.now() + 900_000).toISOString()) : nobody()
  })
  const leaving = store.set(signOutAtom)
  const entering = store.set(signInAtom, { email: 'bob@example.com', password: 'correct horse' })
  await new Promise((resolve) => setTimeout(resolve))
  left.resolve()
  await Promise.all([leaving, entering])
  expect([cookie, store.get(sessionUserIdAtom)]).toEqual(['bob', 'u2'])
})

test('A missed sign-out is sent when the connection returns, and does not sign out a later user', async () => {
  browserStorage()
  server(() => session(Date.now() + 900_000))
  const store = createStore()
  await store.set(ensureSessionAtom)
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  await store.set(signOutAtom).catch(() => undefined)
  const signOuts = server(() => json({ success: true }))
  await store.set(refreshTickAtom, Date.now())
  expect(signOuts.mock.calls.map(([path]) => path)).toEqual(['/api/auth/sign-out'])
  expect(store.get(sessionEndedAtom)).toBe('left')

  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  await store.set(signOutAtom).catch(() => undefined)
  const fetch = server((path) => (path.endsWith('sign-in') ? json({ success: true, user: USER }) : session(Date.now() + 900_000)))
  await store.set(signInAtom, { email: USER.email, password: 'correct horse' })
  expect(store.get(sessionUserIdAtom)).toBe('u1')
  expect(fetch.mock.calls.map(([path]) => path)).toEqual(['/api/auth/sign-in', '/api/bootstrap'])
})

test('A session that cannot be asked for is reported at once where nobody was signed in', async () => {
  const fetch = server(() => json({ success: false, error: { code: 'unavailable', message: 'Try again' } }, 503))
  await expect(createStore().set(ensureSessionAtom)).rejects.toMatchObject({ code: 'unavailable', message: 'Try again' })
  expect(fetch).toHaveBeenCalledTimes(1)
})

test('Concurrent callers share one request', async () => {
  const fetch = server(() => session(Date.now() + 900_000))
  const store = createStore()
  await Promise.all([store.set(ensureSessionAtom), store.set(ensureSessionAtom)])
  await store.set(ensureSessionAtom)
  expect(fetch).toHaveBeenCalledTimes(1)
  expect(store.get(sessionUserIdAtom)).toBe('u1')
})

test('The session is renewed when less than three ticks are left', async () => {
  const now = Date.now()
  const fetch = server((path) =>
    path.endsWith('refresh') ? json({ success: true, expiresAt: new Date(now + 900_000).toISOString() }) : session(now + 91_000),
  )
  const store = createStore()
  await store.set(ensureSessionAtom)
  await store.set(refreshTickAtom, now)
  expect(fetch).toHaveBeenCalledTimes(1)
  await store.set(refreshTickAtom, now + 2_000)
  expect(fetch).toHaveBeenCalledTimes(2)
  await store.set(refreshTickAtom, now + 32_000)
  expect(fetch).toHaveBeenCalledTimes(2)
})

test('An outage does not sign out, and a session ended by the server does', async () => {
  const now = Date.now()
  let status = 500
  const code = () => (status === 401 ? 'unauthenticated' : 'internal')
  server((path) =>
    path.endsWith('refresh') ? json({ success: false, error: { code: code(), message: 'No' } }, status) : session(now + 1_000),
  )
  const store = createStore()
  await store.set(ensureSessionAtom)
  await store.set(refreshTickAtom, now)
  expect(store.get(sessionUserIdAtom)).toBe('u1')
  status = 401
  await store.set(refreshTickAtom, now)
  expect(store.get(sessionUserIdAtom)).toBeNull()
  expect(store.get(sessionEndedAtom)).toBe('lost')
})

test('A renewal answered after a sign-out does not sign in, and a refused one does not sign out a later user', async () => {
  const now = Date.now()
  const store = createStore()
  for (const [status, next] of [
    [200, nobody],
    [401, bob],
  ] as const) {
    const renewal = Promise.withResolvers<Response>()
    server((path) => (path.endsWith('refresh') ? renewal.promise : session(now + 1_000)))
    await store.set(askSessionAtom)
    const tick = store.set(refreshTickAtom, now)
    server(next)
    await store.set(askSessionAtom)
    const known = store.get(sessionUserIdAtom)
    const code = { success: false, error: { code: 'unauthenticated', message: 'No' } }
    renewal.resolve(status === 200 ? json({ success: true, expiresAt: new Date(now + 900_000).toISOString() }) : json(code, 401))
    await tick
    expect(store.get(sessionUserIdAtom)).toBe(known)
  }
})

test('Signing out takes effect before the server has answered', async () => {
  server(() => session(Date.now() + 900_000))
  const store = createStore()
  await store.set(ensureSessionAtom)
  server(() => json({ success: true }))
  const done = store.set(signOutAtom)
  expect(store.get(sessionUserIdAtom)).toBeNull()
  await done
  store.set(forgetSessionAtom, 'lost')
  expect(store.get(sessionEndedAtom)).toBe('left')
})

test.each([
  ['Signing out', signOutAtom],
  ['Signing out everywhere', revokeAllAccessAtom],
  ['Deleting the account', atom(null, (_get, set) => set(deleteAccountAtom, { email: USER.email, items: 'leave', deleteCollections: [] }))],
])('%s goes on to the page where the sign-in service ends its own session', async (_what, leaveAtom) => {
  server(() => session(Date.now() + 900_000))
  const store = createStore()
  await store.set(ensureSessionAtom)
  const assign = vi.fn()
  vi.stubGlobal('location', { assign })
  server(() => json({ success: true, url: 'https://auth.example/end' }))
  await store.set(leaveAtom)
  expect(store.get(sessionEndedAtom)).toBe('left')
  expect(assign.mock.calls).toEqual([['https://auth.example/end']])
})

/** Ada was signed in here, and what the page has asked for stays unanswered until the test answers it. */
async function silentStart() {
  vi.useFakeTimers()
  vi.stubGlobal('localStorage', { getItem: () => JSON.stringify(USER), setItem: () => {}, removeItem: () => {} })
  const { promise, resolve } = Promise.withResolvers<Response>()
  server(() => promise)
  prefetch()
  const store = createStore()
  const ensured = store.set(ensureSessionAtom)
  await vi.runAllTimersAsync()
  expect((await ensured)?.id).toBe('u1')
  expect(store.get(sessionConfirmedAtom)).toBe(false)
  const answer = async (response: Response) => {
    resolve(response)
    await promise
    await vi.runAllTimersAsync()
  }
  return { store, answer }
}

const nobody = () => answerOf(null, null)
const bob = () => answerOf({ ...USER, id: 'u2' }, new Date(Date.now() + 900_000).toISOString())

test('A late answer without a user ends the session', async () => {
  const { store, answer } = await silentStart()
  await answer(nobody())
  expect(store.get(sessionUserIdAtom)).toBeNull()
  expect(store.get(sessionEndedAtom)).toBe('lost')
})

test('A late answer with another user replaces the assumed one', async () => {
  const { store, answer } = await silentStart()
  await answer(bob())
  expect(store.get(sessionUserIdAtom)).toBe('u2')
  expect(store.get(sessionConfirmedAtom)).toBe(true)
})

test('A late answer from before a sign-out does not sign in', async () => {
  const { store, answer } = await silentStart()
  server(() => json({ success: true }))
  await store.set(signOutAtom)
  await answer(session(Date.now() + 900_000))
  expect(store.get(sessionUserIdAtom)).toBeNull()
  expect(store.get(sessionEndedAtom)).toBe('left')
})

test('A late answer from before a sign-in does not sign out', async () => {
  const { store, answer } = await silentStart()
  server(bob)
  await store.set(askSessionAtom)
  await answer(nobody())
  expect(store.get(sessionUserIdAtom)).toBe('u2')
})
