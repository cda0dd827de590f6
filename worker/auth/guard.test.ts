import { Hono } from 'hono'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { FakeAuth } from '../../tests/support/fake-auth.ts'
import type { AppEnv } from '../context.ts'
import { connect } from '../db/client.ts'
import { onError } from '../http/errors.ts'
import { auth } from '../routes/auth.ts'
import { hasVerifiedEmail, requireVerifiedEmail, signedIn } from './guard.ts'
import type { Session } from './provider.ts'
import { parseSessionKeys } from './sealed.ts'
import { sealSession, unsealSession } from './session-cookie.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const KEYS = `new:${Buffer.alloc(32, 2).toString('base64')},old:${Buffer.alloc(32, 1).toString('base64')}`
const keys = parseSessionKeys(KEYS)

const DATABASE = { DATABASE_URL: 'postgres://cairn:x@db.example/cairn', NEON_PROXY: 'db.example' }

const app = new Hono<AppEnv>()
  .get('/me', signedIn, (c) => c.json(c.var.user))
  .get('/file', signedIn, () => new Response('bytes', { headers: { 'x-file': '1' } }))
  .get('/broken', signedIn, () => {
    throw new Error('broken')
  })
  .get('/verified', signedIn, async (c) => {
    await requireVerifiedEmail(c)
    return c.json(c.var.user)
  })
  .get('/confirmed', signedIn, async (c) => c.json(await hasVerifiedEmail(c)))
  .use(async (c, next) => {
    c.set('written', [])
    c.set('db', connect(c.env.DATABASE_URL, c.env.NEON_PROXY))
    await next()
  })
  .route('/api/auth', auth)
  .onError(onError)

let service: FakeAuth

/** Calls the app with the session in a cookie, like a browser. */
async function call(path: string, session: Session | string, init: RequestInit = {}) {
  const sealed = typeof session === 'string' ? session : await sealSession(session, keys)
  const env = { APP_ORIGIN: 'http://127.0.0.1:4747', AUTH_URL: service.url, SESSION_KEYS: KEYS, ...DATABASE }
  const context = { waitUntil: () => {}, passThroughOnException: () => {}, props: {} }
  const request = new Request(`http://127.0.0.1:4747${path}`, { ...init, headers: { cookie: `session=${sealed}` } })
  const response = await app.fetch(request, env as never, context as never)
  const cookies = response.headers.getSetCookie()
  return {
    status: response.status,
    headers: response.headers,
    body: await response.text(),
    cookies,
    cleared: cookies.some((line) => line.startsWith('session=; Max-Age=0')),
  }
}

async function stored(cookies: string[]) {
  const value = /^session=([^;]+)/.exec(cookies.at(-1) ?? '')?.[1] ?? ''
  return unsealSession(value, keys)
}

beforeEach(() => {
  service = new FakeAuth()
  vi.stubGlobal('fetch', service.fetch)
  // Delays between retries are fifty times as short.
  const { setTimeout } = globalThis
  vi.stubGlobal('setTimeout', (done: () => void, wait = 0) => setTimeout(done, wait / 50))
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('sessions', () => {
  test('a session with more than 90 seconds left is not refreshed', async () => {
    const { status, cookies } = await call('/me', await service.session(92 * SECOND))
    expect([status, cookies, service.count('/token')]).toEqual([200, [], 0])
  })

  test('a session with less than 90 seconds left is refreshed and stored, even after an error or with a custom Response', async () => {
    for (const [path, status] of [
      ['/me', 200],
      ['/file', 200],
      ['/broken', 500],
    ] as const) {
      service.calls = []
      const old = { ...(await service.session(80 * SECOND)), credential: service.credential }
      const answer = await call(path, old)
      expect(answer.status).toBe(status)
      const fresh = await stored(answer.cookies)
      expect(fresh?.session.expiresAt).toBeGreaterThan(Date.now() + 10 * MINUTE)
      expect(fresh?.session.credential).toBe(service.credential)
    }
  })

  test('twenty concurrent requests, and a later one with the old cookie, refresh the session once', async () => {
    const old = await service.session(30 * SECOND)
    const answers = await Promise.all(Array.from({ length: 20 }, () => call('/me', old)))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect((await call('/me', old)).status).toBe(200)
    expect(service.count('/token')).toBe(1)
  })

  test('a session sealed with a retired key is sealed again with the newest', async () => {
    const sealed = await sealSession(await service.session(), keys.slice(1))
    const { status, cookies } = await call('/me', sealed)
    expect(status).toBe(200)
    expect(await stored(cookies)).toMatchObject({ retired: false })
    expect(service.count('/token')).toBe(0)
  })

  test('an altered session cookie gets 401 and is cleared', async () => {
    const sealed = await sealSession(await service.session(), keys)
    const { status, cleared } = await call('/me', sealed.slice(0, -4))
    expect([status, cleared]).toEqual([401, true])
  })

  test('a session with a forged token gets 401 and is cleared', async () => {
    const other = new FakeAuth()
    const session = { ...(await service.session()), accessToken: await other.token(), credential: 'x.session_token=stolen' }
    const { status, cleared } = await call('/me', session)
    expect([status, cleared]).toEqual([401, true])
  })
})

describe('outages of the sign-in service', () => {
  const down = Array<'down'>(8).fill('down')

  test('a token that has not expired is used during an outage, without waiting again', async () => {
    service.faults = { '/token': [...down] }
    const session = await service.session(60 * SECOND)
    for (let n = 0; n < 3; n++) {
      const { status, cookies } = await call('/me', session)
      expect([status, cookies]).toEqual([200, []])
    }
    // The first call made four attempts, the others did not wait.
    expect(service.count('/token')).toBe(4)
  })

  test('an expired session gets 503 during an outage and is kept', async () => {
    service.faults = { '/token': [...down] }
    const { status, headers, cookies } = await call('/me', await service.session(-MINUTE))
    expect([status, headers.get('retry-after'), cookies]).toEqual([503, '2', []])
  })

  test.each([500, 502, 503, 429])('a response with status %i counts as an outage', async (fault) => {
    service.faults = { '/token': Array(8).fill(fault) }
    const { status, cookies } = await call('/me', await service.session(-MINUTE))
    expect([status, cookies]).toEqual([503, []])
  })

  test('a refresh is retried three times', async () => {
    service.faults = { '/token': ['down', 503, 'down'] }
    expect((await call('/me', await service.session(-MINUTE))).status).toBe(200)
    expect(service.count('/token')).toBe(4)
  })

  test('a malformed response counts as an outage', async () => {
    service.faults = { '/token': [200] }
    const { status, cookies } = await call('/me', await service.session(-MINUTE))
    expect([status, cookies]).toEqual([503, []])
  })

  test('signing out clears the cookies during an outage', async () => {
    service.faults = { '/sign-out': [...down] }
    const { status, cleared } = await call('/api/auth/sign-out', await service.session(), { method: 'POST' })
    expect([status, cleared]).toEqual([200, true])
  })
})

describe('refusals by the sign-in service', () => {
  test('a session that the service refuses ends although its token has not expired', async () => {
    service.signedOut = true
    const { status, cleared } = await call('/me', await service.session(60 * SECOND))
    expect([status, cleared, service.count('/token')]).toEqual([401, true, 1])
  })
})

describe('unconfirmed addresses', () => {
  test('an unconfirmed address is refused after a refresh', async () => {
    const { status } = await call('/verified', await service.session())
    expect([status, service.count('/token')]).toEqual([403, 1])
  })

  test('an address counts as confirmed after a refresh says so', async () => {
    const old = await service.session()
    service.emailVerified = true
    const { status, cookies } = await call('/verified', old)
    expect([status, cookies.length]).toEqual([200, 1])
    const fresh = await stored(cookies)
    expect((await call('/verified', fresh?.session ?? '')).status).toBe(200)
    expect(service.count('/token')).toBe(1)
  })
})

describe('hasVerifiedEmail', () => {
  test.each([false, true])('hasVerifiedEmail refreshes the session and returns %j', async (verified) => {
    const session = await service.session()
    service.emailVerified = verified
    const { status, body, cookies } = await call('/confirmed', session)
    expect([status, body, cookies.length, service.count('/token')]).toEqual([200, String(verified), 1, 1])
  })

  test('hasVerifiedEmail returns false during an outage and keeps the session', async () => {
    service.faults = { '/token': Array(8).fill('down') }
    const { status, body, cookies } = await call('/confirmed', await service.session())
    expect([status, body, cookies]).toEqual([200, 'false', []])
  })
})

describe('signing out during a refresh', () => {
  test.each([
    ['/me', 'GET'],
    ['/api/auth/refresh', 'POST'],
  ])('%s does not restore the session if its refresh finishes after the sign-out', async (path, method) => {
    const gate = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<void>()
    vi.stubGlobal('fetch', async (input: string | URL | Request, init?: RequestInit) => {
      const answer = await service.fetch(input, init)
      if (!String(input).endsWith('/token')) return answer
      arrived.resolve()
      await gate.promise
      return answer
    })
    const session = await service.session(30 * SECOND)
    const slow = call(path, session, { method })
    await arrived.promise
    expect((await call('/api/auth/sign-out', session, { method: 'POST' })).cleared).toBe(true)
    gate.resolve()
    expect((await slow).cookies).toEqual([])
  })
})

test('calls to the service have the app’s origin and the service’s cookie, not the browser’s headers', async () => {
  await call('/api/auth/sign-out', await service.session(), { method: 'POST' })
  expect(service.calls).toEqual([{ path: '/sign-out', origin: 'http://127.0.0.1:4747', cookie: service.credential, body: {} }])
})
