import { SignJWT, UnsecuredJWT } from 'jose'
import { describe, expect, inject, test } from 'vitest'
import { CALLER_HEADER } from '../../contract/auth.ts'
import { Client } from '../../dev/http-client.ts'
import type { Session } from '../../worker/auth/provider.ts'
import { parseSessionKeys } from '../../worker/auth/sealed.ts'
import { SessionCookies, sealSession, unsealSession } from '../../worker/auth/session-cookie.ts'
import { type Actor, register } from '../support/world.ts'

const stack = inject('stack')
const keys = parseSessionKeys(stack.sessionKeys)
const cookies = new SessionCookies(stack.origin)

async function opened(actor: Client): Promise<Session> {
  const sealed = cookies.join(Object.fromEntries(actor.cookies)) ?? ''
  const session = (await unsealSession(sealed, keys))?.session
  if (!session) throw new Error('no session')
  return session
}

/** A browser with these cookies. */
function holding(cookies: Record<string, string>): Client {
  const client = new Client(stack.origin)
  for (const [name, value] of Object.entries(cookies)) client.cookies.set(name, value)
  return client
}

const holdingSession = async (session: Session) => holding({ session: await sealSession(session, keys) })

/** Splits the session into six cookies, as if it were that long. */
function sixths(sealed: string): Record<string, string> {
  const size = Math.ceil(sealed.length / 6)
  return Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`session.${n}`, sealed.slice(n * size, (n + 1) * size)]))
}

async function chunksOf(ada: Actor): Promise<Record<string, string>> {
  const session = await opened(ada)
  const sealed = await sealSession({ ...session, credential: `${session.credential}; padding=${'x'.repeat(4_000)}` }, keys)
  return Object.fromEntries(cookies.store(sealed, {}).map((line) => (line.split(';')[0] ?? '').split('=') as [string, string]))
}

describe('a forged session cookie', () => {
  test.each<[string, (sealed: string, ada: Actor) => Record<string, string> | Promise<Record<string, string>>]>([
    ['a cookie with one bit flipped', (sealed) => ({ session: flip(sealed) })],
    ['a cookie that was cut off', (sealed) => ({ session: sealed.slice(0, -7) })],
    ['an empty cookie', () => ({ session: '' })],
    ['something else', () => ({ session: 'admin' })],
    ['six chunks', (sealed) => sixths(sealed)],
    ['the second chunk alone', (sealed) => ({ 'session.1': sealed })],
    [
      'swapped chunks',
      async (_, ada) => {
        const cookies = await chunksOf(ada)
        return { ...cookies, 'session.0': cookies['session.1'] ?? '', 'session.1': cookies['session.0'] ?? '' }
      },
    ],
    [
      'chunks of which one is missing',
      async (_, ada) => {
        const { 'session.0': _first, ...cookies } = await chunksOf(ada)
        return cookies
      },
    ],
    ['a session under an unknown key', async (_, ada) => ({ session: await sealSession(await opened(ada), unknownKeys()) })],
    [
      'a session under another key of our key’s name',
      async (_, ada) => ({ session: await sealSession(await opened(ada), unknownKeys(keys[0]?.kid)) }),
    ],
  ])('A request with %s has no session, and its cookies are cleared', async (_, make) => {
    const ada = await register('ada')
    const cookies = await make(ada.cookies.get('session') ?? '', ada)
    const client = holding(cookies)
    expect((await client.get('/api/users/profile')).status).toBe(401)
    expect(client.cookies.size).toBe(0)
    expect((await holding(cookies).get('/api/auth/session')).body).toEqual({ success: true, user: null, expiresAt: null })
  })

  test('A cookie in ordered chunks is accepted', async () => {
    const ada = await register('ada')
    expect((await holding(await chunksOf(ada)).get('/api/users/profile')).body.id).toBe(ada.id)
  })
})

describe('a forged access token', () => {
  const claims = { sub: 'someone', email: 'someone@example.org', emailVerified: true }

  async function refused(accessToken: string): Promise<void> {
    const client = await holdingSession({ accessToken, expiresAt: Date.now() + 600_000, credential: 'better-auth.session_token=none' })
    const { status, body } = await client.get('/api/users/profile')
    expect([status, body.error.code, client.cookies.size]).toEqual([401, 'unauthenticated', 0])
  }

  test('An unsigned token is refused', async () => {
    const { iss, aud } = payloadOf((await opened(await register('ada'))).accessToken)
    await refused(new UnsecuredJWT(claims).setIssuer(iss).setAudience(aud).setExpirationTime('5m').encode())
  })

  test('A token signed by HMAC with the public key is refused', async () => {
    const { accessToken } = await opened(await register('ada'))
    const { iss, aud } = payloadOf(accessToken)
    const jwks = (await (await fetch(`${stack.authUrl}/.well-known/jwks.json`)).json()) as { keys: { x: string; kid: string }[] }
    for (const { x, kid } of jwks.keys) {
      const token = new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid }).setIssuer(iss).setAudience(aud).setExpirationTime('5m')
      await refused(await token.sign(Buffer.from(x, 'base64url')))
      await refused(await token.sign(Buffer.from(x)))
    }
  })

  test('A modified token is refused', async () => {
    const [ada, bob] = [await register('ada'), await register('bob')]
    const [header, payload, signature] = (await opened(ada)).accessToken.split('.')
    const forged = Buffer.from(JSON.stringify({ ...payloadOf(`.${payload}.`), sub: bob.id, id: bob.id })).toString('base64url')
    await refused(`${header}.${forged}.${signature}`)
  })

  test('A malformed token is refused', async () => {
    for (const token of ['', 'x', 'a.b.c', '..']) await refused(token)
  })
})

test('Twenty requests at the moment of a refresh all succeed with one refresh', async () => {
  const ada = await register('ada')
  const session = await opened(ada)
  const sealed = await sealSession({ ...session, expiresAt: Date.now() + 10_000 }, keys)
  const browsers = Array.from({ length: 20 }, () => holding({ session: sealed }))
  const answers = await Promise.all(browsers.map((browser) => browser.get('/api/users/profile')))
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
  const tokens = await Promise.all(browsers.map(async (browser) => (await opened(browser)).accessToken))
  expect(new Set(tokens).size).toBe(1)
})

test('An expired token is replaced silently', async () => {
  const session = await opened(await register('ada'))
  const client = await holdingSession({ ...session, accessToken: 'expired', expiresAt: Date.now() - 60_000 })
  expect((await client.get('/api/users/profile')).status).toBe(200)
  expect((await opened(client)).expiresAt).toBeGreaterThan(Date.now() + 600_000)
})

test('A screen of another user than the cookie’s reads and changes nothing', async () => {
  const [ada, bob] = [await register('ada'), await register('bob')]
  const ofAda = { headers: { [CALLER_HEADER]: ada.id } }
  for (const answer of [await bob.post('/api/collections', { name: 'Whose?' }, ofAda), await bob.get('/api/users/profile', ofAda)]) {
    expect(answer.status).toBe(401)
    expect(answer.headers.get(CALLER_HEADER)).toBe('another')
    expect(answer.body.error).toEqual({ code: 'unauthenticated', message: 'Somebody else has signed in in this browser' })
  }
  expect((await bob.get('/api/collections')).body.collections).toEqual([])
  expect((await ada.get('/api/users/profile', ofAda)).status).toBe(200)
})

test('A browser gets only sealed cookies that scripts cannot read', async () => {
  const client = new Client(stack.origin)
  const ada = await register('ada')
  const { headers, body } = await client.post('/api/auth/sign-in', { email: ada.email, password: 'correct horse battery' })
  const { accessToken, credential } = await opened(client)
  const lines = headers.getSetCookie()
  expect(lines).toHaveLength(2)
  expect(lines[0]).toMatch(/^session=[\w.-]+; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/)
  expect(lines[1]).toMatch(/^device=[\w.-]+; Max-Age=34560000; Path=\/api\/auth; HttpOnly; SameSite=Strict$/)
  for (const secret of [accessToken, credential]) {
    expect(JSON.stringify(body)).not.toContain(secret)
    expect(JSON.stringify([...headers])).not.toContain(secret)
  }
})

function flip(sealed: string): string {
  const parts = sealed.split('.')
  const bytes = Buffer.from(parts[3] ?? '', 'base64url')
  bytes[5] = (bytes[5] ?? 0) ^ 1
  return parts.with(3, bytes.toString('base64url')).join('.')
}

function unknownKeys(kid = 'unknown') {
  return parseSessionKeys(`${kid}:${Buffer.alloc(32, 7).toString('base64')}`)
}

function payloadOf(token: string): { iss: string; aud: string } {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
}
