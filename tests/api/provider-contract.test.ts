import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { authConfig, getSession } from '../../contract/auth.ts'
import { newId } from '../../contract/ids.ts'
import { Client } from '../../dev/http-client.ts'
import type { Session } from '../../worker/auth/provider.ts'
import { type AuthFront, forwardTo, startAuthFront } from '../support/auth-front.ts'
import { type OidcStack, sessionsOf, signInByService, startOidcStack } from '../support/oidc-stack.ts'
import { sessionCookies } from '../support/sessions.ts'
import { PASSWORD } from '../support/world.ts'

// Guarantees of a session, whichever service users sign in with.

interface Subject {
  origin: string
  front: AuthFront
  features: { password: boolean; social: string[]; reset: boolean }
  signIn(): Promise<Client>
  /** Calls by which the worker asked for a new token. */
  refreshes(): number
  /** Ends the session at the service only. */
  endAtService(session: Session): Promise<void>
}

let own: OidcStack
let passwords: { origin: string; front: AuthFront }
const subjects: Record<string, () => Subject> = { 'better-auth': byPassword, oidc: byService }

beforeAll(async () => {
  own = await startOidcStack()
  const front = await startAuthFront(() => forwardTo(() => own.stack.auth.origin))
  const vars = { AUTH_PROVIDER: 'better-auth', AUTH_URL: `${front.origin}/auth`, AUTH_ISSUER: 'https://auth.cairn.local' }
  passwords = { front, origin: await own.another(vars) }
})

afterAll(async () => {
  await own?.stop()
  await passwords?.front.stop()
})

function byPassword(): Subject {
  const { origin, front } = passwords
  return {
    ...{ origin, front, features: { password: true, social: [], reset: true } },
    async signIn() {
      const client = new Client(origin)
      const { status } = await client.post('/api/auth/sign-up', { email: `p-${newId().slice(-12)}@example.org`, password: PASSWORD })
      expect(status).toBe(201)
      return client
    },
    refreshes: () => front.calls.filter((path) => path === '/auth/token').length,
    async endAtService({ credential }) {
      const headers = { cookie: credential, origin: own.stack.origin, 'content-type': 'application/json' }
      expect((await fetch(`${own.stack.auth.url}/sign-out`, { method: 'POST', headers, body: '{}' })).status).toBe(200)
    },
  }
}

function byService(): Subject {
  const { stack, peer } = own
  return {
    ...{ origin: stack.origin, front: peer.front, features: { password: false, social: ['oidc'], reset: false } },
    signIn: () => signInByService(stack.origin),
    refreshes: () => peer.refreshes.granted,
    endAtService: ({ credential }) => peer.revoke(credential.replace('refresh:', '')),
  }
}

describe.each(Object.keys(subjects))('sessions with %s', (name) => {
  const subject = () => subjects[name]?.() as Subject
  const sessions = () => sessionsOf(own.stack)
  const soon = 30_000

  afterEach(() => Object.assign(subject().front, { fault: null, delay: 0 }))

  /** A new user whose token expires in `left`. */
  async function somebody(left: number) {
    const client = await subject().signIn()
    return sessions().holding(subject().origin, await sessions().open(client), left)
  }

  test('The app states how to sign in', async () => {
    const { body } = await new Client(subject().origin).get('/api/auth/config')
    expect(authConfig.response.parse(body).features).toEqual(subject().features)
  })

  test('A session returns its user and expiry, and can be renewed', async () => {
    const client = await subject().signIn()
    const { body } = await client.get('/api/auth/session')
    const { user, expiresAt } = getSession.response.parse(body)
    expect((await client.get('/api/users/profile')).body).toMatchObject({ id: user?.id, email: user?.email })
    expect(Date.parse(expiresAt ?? '') - Date.now()).toBeGreaterThan(290_000)
    const renewed = await client.post('/api/auth/refresh')
    expect(renewed.status).toBe(200)
    expect(Date.parse(renewed.body.expiresAt)).toBeGreaterThanOrEqual(Date.parse(expiresAt ?? ''))
    expect((await client.get('/api/auth/session')).body.user).toEqual(user)
  })

  test('The browser gets only a sealed cookie that scripts cannot read', async () => {
    const client = await subject().signIn()
    const { credential, accessToken } = await sessions().open(client)
    const { headers, body } = await client.post('/api/auth/refresh')
    expect(headers.getSetCookie()).toHaveLength(1)
    expect(headers.getSetCookie()[0]).toMatch(/^session=[\w.-]+; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/)
    const seen = JSON.stringify([body, [...headers]])
    for (const secret of [credential, accessToken].filter(Boolean)) expect(seen).not.toContain(secret)
    expect(sessionCookies(client)).toEqual(['session'])
  })

  test('Twenty requests at the moment of a refresh all succeed with one refresh', async () => {
    const { origin, front, refreshes } = subject()
    const client = await somebody(soon)
    const before = refreshes()
    front.delay = 100
    const browsers = Array.from({ length: 20 }, () => {
      const browser = new Client(origin)
      for (const [cookie, value] of client.cookies) browser.cookies.set(cookie, value)
      return browser
    })
    const answers = await Promise.all(browsers.map((browser) => browser.get('/api/users/profile')))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(refreshes() - before).toBe(1)
    const fresh = await Promise.all(browsers.map((browser) => sessions().open(browser)))
    expect(new Set(fresh.map(({ credential, expiresAt }) => `${credential} ${expiresAt}`)).size).toBe(1)
    expect((await browsers[7]?.post('/api/auth/refresh'))?.status).toBe(200)
  })

  test.each(['down', 500, 429] as const)(
    'While the service is %j a valid token still works, and an expired one does not sign out',
    async (fault) => {
      const [living, ended] = [await somebody(soon), await somebody(-1_000)]
      subject().front.fault = fault
      expect((await living.get('/api/users/profile')).status).toBe(200)
      const refused = await ended.get('/api/users/profile')
      expect([refused.status, refused.body.error.code]).toEqual([503, 'unavailable'])
      expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
      expect((await ended.post('/api/auth/refresh')).status).toBe(503)
      expect(sessionCookies(ended)).toHaveLength(1)
      subject().front.fault = null
      expect((await ended.get('/api/users/profile')).status).toBe(200)
    },
  )

  test('A session ended by the service ends at the next refresh', async () => {
    const client = await somebody(soon)
    await subject().endAtService(await sessions().open(client))
    expect((await client.get('/api/users/profile')).status).toBe(401)
    expect(sessionCookies(client)).toEqual([])
  })

  test('Signing out ends the session in the app and at the service', async () => {
    const client = await somebody(soon)
    const copy = await sessions().holding(subject().origin, await sessions().open(client))
    const { status, body } = await client.post('/api/auth/sign-out')
    expect([status, body.success, sessionCookies(client).length]).toEqual([200, true, 0])
    expect((await client.get('/api/users/profile')).status).toBe(401)
    expect((await copy.post('/api/auth/refresh')).status).toBe(401)
    expect(sessionCookies(copy)).toEqual([])
  })

  test('Signing out succeeds while the service is down', async () => {
    const client = await subject().signIn()
    subject().front.fault = 'down'
    expect((await client.post('/api/auth/sign-out')).status).toBe(200)
    expect(sessionCookies(client)).toEqual([])
  })

  test('A modified session is refused', async () => {
    const client = await subject().signIn()
    const sealed = client.cookies.get('session') ?? ''
    client.cookies.set('session', `${sealed.slice(0, -4)}AAAA`)
    expect((await client.get('/api/users/profile')).status).toBe(401)
    expect(sessionCookies(client)).toEqual([])
  })

  test('A session of another provider is refused', async () => {
    const client = await subject().signIn()
    const other = Object.entries(subjects).find(([key]) => key !== name)?.[1]() as Subject
    const stranger = await sessions().holding(other.origin, { ...(await sessions().open(client)), claims: undefined })
    expect((await stranger.get('/api/users/profile')).status).toBe(401)
    expect(sessionCookies(stranger)).toEqual([])
  })
})
