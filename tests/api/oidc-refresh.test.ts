import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { Client } from '../../dev/http-client.ts'
import type { Session } from '../../worker/auth/provider.ts'
import { type OidcStack, sessionsOf, signInByService, startOidcStack } from '../support/oidc-stack.ts'

// The service's refresh tokens are single-use, and using one twice ends the session there.

const SOON = 30_000

let own: OidcStack
/** Two workers on one database, like two isolates. */
let origins: string[]

beforeAll(async () => {
  own = await startOidcStack()
  origins = [own.stack.origin, await own.another()]
})
afterEach(() => Object.assign(own.peer.front, { fault: null, only: '/', delay: 0 }))
afterAll(() => own?.stop())

const sessions = () => sessionsOf(own.stack)

/** Copies of one browser, alternating between the workers, whose token expires in `left`. */
async function copies(count: number, left = SOON): Promise<Client[]> {
  const client = await signInByService(own.stack.origin)
  const session = await sessions().holding(own.stack.origin, await sessions().open(client), left)
  return Array.from({ length: count }, (_, n) => copyOf(session, origins[n % origins.length]))
}

function copyOf(client: Client, origin = client.origin): Client {
  const copy = new Client(origin)
  for (const [name, value] of client.cookies) copy.cookies.set(name, value)
  return copy
}

/** The worker's name for the row of this session's refresh. */
async function keyOf({ credential, expiresAt }: Session): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${expiresAt}:${credential}`))
  return Buffer.from(hash).toString('hex')
}

async function claimFor(client: Client, seconds: number): Promise<string> {
  const key = await keyOf(await sessions().open(client))
  await own.stack
    .sql`insert into refreshes (key, claim, claimed_until) values (${key}, 'of a worker that died', now() + make_interval(secs => ${seconds}))`
  return key
}

test('Twenty requests at two workers share one refresh and keep the session', async () => {
  const browsers = await copies(20)
  const before = { ...own.peer.refreshes }
  own.peer.front.delay = 150
  const answers = await Promise.all(browsers.map((browser) => browser.get('/api/users/profile')))
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
  expect(own.peer.refreshes).toEqual({ ...before, granted: before.granted + 1 })
  const credentials = await Promise.all(browsers.map(async (browser) => (await sessions().open(browser)).credential))
  expect(new Set(credentials).size).toBe(1)
  expect((await browsers[5]?.post('/api/auth/refresh'))?.status).toBe(200)
})

test('A browser that lost the answer gets the same session again, however often it asks', async () => {
  const [client] = await copies(1)
  if (!client) throw new Error('no browser')
  const lost = copyOf(client, origins[1])
  expect((await client.get('/api/users/profile')).status).toBe(200)
  const before = { ...own.peer.refreshes }
  expect((await lost.get('/api/users/profile')).status).toBe(200)
  expect(await sessions().open(lost)).toEqual(await sessions().open(client))
  expect(own.peer.refreshes).toEqual(before)
})

test('Another worker takes over after the timeout of one that died before refreshing', async () => {
  const browsers = await copies(4, -1_000)
  const [first] = browsers
  if (!first) throw new Error('no browser')
  await claimFor(first, 2)
  const before = own.peer.refreshes.granted
  const begin = performance.now()
  const answers = await Promise.all(browsers.map((browser) => browser.get('/api/users/profile')))
  expect(answers.map(({ status }) => status)).toEqual(Array(4).fill(200))
  expect(performance.now() - begin).toBeGreaterThan(1_000)
  expect(own.peer.refreshes.granted - before).toBe(1)
})

test('A service that fails to answer once is not asked by all waiting requests, and answers the next', async () => {
  const browsers = await copies(10, -1_000)
  Object.assign(own.peer.front, { fault: 503, only: '/token', delay: 300, calls: [] })
  const answers = await Promise.all(browsers.map((browser) => browser.get('/api/users/profile')))
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(503))
  expect(own.peer.front.calls.filter((path) => path === '/token').length).toBeLessThanOrEqual(2)
  Object.assign(own.peer.front, { fault: null, delay: 0 })
  expect((await browsers[0]?.get('/api/users/profile'))?.status).toBe(200)
})

test('All waiting requests get a refusal, and the service is not asked again', async () => {
  const browsers = await copies(6)
  const { credential } = await sessions().open(browsers[0] as Client)
  await own.peer.revoke(credential.replace('refresh:', ''))
  const before = own.peer.refreshes.refused
  const answers = await Promise.all(browsers.map((browser) => browser.get('/api/users/profile')))
  expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(401))
  expect(browsers.map((browser) => browser.cookies.size)).toEqual(Array(6).fill(0))
  expect(own.peer.refreshes.refused - before).toBe(1)
})

test('Signing out with an old cookie ends the refreshed session', async () => {
  const [client] = await copies(1)
  if (!client) throw new Error('no browser')
  const old = copyOf(client, origins[1])
  expect((await client.get('/api/users/profile')).status).toBe(200)
  expect((await old.post('/api/auth/sign-out')).status).toBe(200)
  expect((await client.post('/api/auth/refresh')).status).toBe(401)
})

test('Signing out during a refresh leaves no session behind', async () => {
  const [client, out] = await copies(2)
  if (!client || !out) throw new Error('no browser')
  Object.assign(own.peer.front, { delay: 800, only: '/token', calls: [] })
  const late = client.get('/api/users/profile')
  await expect.poll(() => own.peer.front.calls).toContain('/token')
  expect((await out.post('/api/auth/sign-out')).status).toBe(200)
  expect((await late).status).toBe(401)
  expect(client.cookies.size).toBe(0)
})

test('A failure of one endpoint of the service does not lose the new credential', async () => {
  for (const only of ['/me', '/jwks']) {
    const [client] = await copies(1, -1_000)
    if (!client) throw new Error('no browser')
    Object.assign(own.peer.front, { fault: 503, only })
    expect((await client.get('/api/users/profile')).status).toBe(200)
    own.peer.front.fault = null
    expect((await client.post('/api/auth/refresh')).status).toBe(200)
  }
})

test('An address confirmed in the meantime is known after the next refresh', async () => {
  const login = 'late-to-confirm'
  own.peer.unverified.add(login)
  const client = await signInByService(own.stack.origin, login)
  expect((await client.get('/api/auth/session')).body.user.emailVerified).toBe(false)
  own.peer.unverified.delete(login)
  await client.post('/api/auth/refresh')
  expect((await client.get('/api/auth/session')).body.user.emailVerified).toBe(true)
})

test('The database contains no credential', async () => {
  const [client] = await copies(1)
  const { credential } = await sessions().open(client as Client)
  await client?.get('/api/users/profile')
  const fresh = await sessions().open(client as Client)
  const text = JSON.stringify(await own.stack.sql`select * from refreshes`)
  for (const secret of [credential, fresh.credential]) expect(text).not.toContain(secret.replace('refresh:', ''))
})
