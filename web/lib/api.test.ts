import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CALLER_HEADER, getSession, signIn } from '../../contract/auth.ts'
import { updateCollection } from '../../contract/collections.ts'
import { getProfile } from '../../contract/users.ts'
import { ApiError, call, callAs, forgetCalls, onSignedOut, urlOf } from './api.ts'

const SESSION = { success: true, user: null, expiresAt: null }
const json = (body: unknown, status = 200, headers = {}) => new Response(JSON.stringify(body), { status, headers })
const failure = (code: string, message: string, fields?: object) => ({ success: false, error: { code, message, fields } })

function answers(...all: (Response | Error)[]) {
  const fetch = vi.fn(async (..._: Parameters<typeof globalThis.fetch>) => {
    const next = all.shift()
    if (next instanceof Response) return next
    throw next ?? new Error('no more answers')
  })
  vi.stubGlobal('fetch', fetch)
  return fetch
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function settled<T>(promise: Promise<T>): Promise<T | unknown> {
  const result = promise.catch((error: unknown) => error)
  await vi.runAllTimersAsync()
  return result
}

test('A response is parsed with the contract', async () => {
  answers(json(SESSION))
  expect(await settled(call(getSession))).toEqual(SESSION)
  answers(json({ success: true, user: 'Ada' }))
  expect(await settled(call(getSession))).toMatchObject({ code: 'unreadable' })
})

test('A read is retried up to three times while offline or unavailable', async () => {
  const fetch = answers(new TypeError('network'), json({}, 503), new TypeError('network'), json(SESSION))
  expect(await settled(call(getSession))).toEqual(SESSION)
  expect(fetch).toHaveBeenCalledTimes(4)
})

test('A read that never succeeds fails after three retries', async () => {
  const fetch = vi.fn(async () => json({}, 503))
  vi.stubGlobal('fetch', fetch)
  expect(await settled(call(getSession))).toMatchObject({ code: 'unavailable' })
  expect(fetch).toHaveBeenCalledTimes(4)
})

test('A write is never retried', async () => {
  const fetch = answers(new TypeError('network'), json(SESSION))
  const body = { email: 'ada@example.com', password: 'secret' }
  expect(await settled(call(signIn, { body }))).toMatchObject({ code: 'offline' })
  expect(fetch).toHaveBeenCalledTimes(1)
})

test('A failure contains its code, its fields and the time to wait', async () => {
  answers(json(failure('invalid', 'Look again', { name: 'The name must not be empty' }), 400, { 'retry-after': '7' }))
  const id = '01890a5d-ac96-774b-bcce-b302099a8057'
  const error = await settled(call(updateCollection, { params: { id }, body: { name: 'Kyoto' } }))
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ code: 'invalid', status: 400, message: 'Look again', retryAfter: 7 })
  expect((error as ApiError).fields).toEqual({ name: 'The name must not be empty' })
})

test('A body that the server would refuse is not sent, and the error names its fields', async () => {
  const fetch = answers(json({}))
  const error = await settled(call(signIn, { body: { email: '', password: '' } }))
  expect(error).toMatchObject({ code: 'invalid', fields: { email: 'Enter an e-mail address', password: 'Enter your password' } })
  expect(fetch).not.toHaveBeenCalled()
})

test('An error page of a proxy becomes a sentence, not a parse error', async () => {
  answers(new Response('<h1>Bad gateway</h1>', { status: 502 }))
  expect(await settled(call(getProfile))).toMatchObject({ code: 'unavailable' })
})

test('An expired session calls the listeners, a wrong password does not', async () => {
  const listener = vi.fn()
  const stop = onSignedOut(listener)
  answers(json(failure('unauthenticated', 'E-mail or password is wrong'), 401), json(failure('unauthenticated', 'Sign in'), 401))
  await settled(call(signIn, { body: { email: 'ada@example.com', password: 'x' } }))
  expect(listener).not.toHaveBeenCalled()
  await settled(call(getProfile))
  expect(listener).toHaveBeenCalledOnce()
  stop()
})

test('Calls name their user, and a session of another user is reported as such', async () => {
  const listener = vi.fn()
  const stop = onSignedOut(listener)
  callAs('ada')
  const refusal = json(failure('unauthenticated', 'Another'), 401, { [CALLER_HEADER]: 'another' })
  const fetch = answers(json(SESSION), refusal, json(failure('unauthenticated', 'Sign in'), 401))
  await settled(call(getSession))
  for (const _ of [1, 2]) await settled(call(getProfile))
  const sent = fetch.mock.calls.map(([, init]) => new Headers(init?.headers).get(CALLER_HEADER))
  expect(sent).toEqual([null, 'ada', 'ada'])
  expect(listener.mock.calls).toEqual([[true], [false]])
  callAs(null)
  stop()
})

test('An aborted call rejects with the reason of the abort', async () => {
  vi.stubGlobal('fetch', (_: string, { signal }: RequestInit) => Promise.reject(signal?.reason))
  const reason = new Error('left the page')
  expect(await settled(call(getSession, { signal: AbortSignal.abort(reason) }))).toBe(reason)
})

test('Parameters and queries are escaped, and undefined values are left out', () => {
  expect(
    urlOf('/api/collections/{id}/members/{userId}', { params: { id: 'a/b', userId: 'ü' }, query: { limit: 2, cursor: undefined } }),
  ).toBe('/api/collections/a%2Fb/members/%C3%BC?limit=2')
})

test('A response that arrives after sign-out is dropped and ends no session', async () => {
  const received: unknown[] = []
  const unsubscribe = onSignedOut(() => received.push('signed out'))
  const profile = { id: 'a', email: 'ada@example.org', firstName: null, lastName: null }
  answers(json(profile), json(failure('unauthenticated', 'Sign in first'), 401))
  for (const pending of [call(getProfile), call(getProfile)]) {
    pending.then(
      (answer) => received.push(answer),
      (error: unknown) => received.push(error),
    )
  }
  forgetCalls()
  await vi.runAllTimersAsync()
  expect(received).toEqual([])
  unsubscribe()
})

test('A call that waits for an earlier answer in vain is not made for the next user', async () => {
  const fetch = answers(json(SESSION))
  const early = Promise.withResolvers<undefined>()
  void call(getProfile, { early: early.promise })
  forgetCalls()
  early.resolve(undefined)
  await vi.runAllTimersAsync()
  expect(fetch).not.toHaveBeenCalled()
})

test('An answer that was asked for earlier is used; if there is none, the server is asked', async () => {
  const fetch = answers(json(SESSION))
  expect(await settled(call(getSession, { early: Promise.resolve(SESSION) }))).toEqual(SESSION)
  expect(fetch).not.toHaveBeenCalled()
  expect(await settled(call(getSession, { early: Promise.resolve(undefined) }))).toEqual(SESSION)
  expect(fetch).toHaveBeenCalledTimes(1)
})
