import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../contract/ids.ts'
import { userRoom } from '../../contract/live.ts'
import { Client } from '../../dev/http-client.ts'
import { parseSessionKeys, seal, unseal } from '../../worker/auth/sealed.ts'
import { sendFilm, upload, video } from '../support/files.ts'
import { visitService } from '../support/oidc-peer.ts'
import { beginSignIn, comeBack, type OidcStack, signInByService, startOidcStack } from '../support/oidc-stack.ts'

let own: OidcStack
const browser = () => new Client(own.stack.origin)
const newLogin = () => `p${newId().slice(-12)}`
const attemptOf = (client: Client) => [...client.cookies].find(([name]) => name.startsWith('sign-in.')) ?? ['', '']

beforeAll(async () => {
  own = await startOidcStack()
})
afterEach(() => Object.assign(own.peer.front, { fault: null, only: '/', delay: 0 }))
afterAll(() => own?.stop())

/** Expects a redirect to the sign-in page with a reason, and no session. */
async function expectFailure(client: Client, location: string | null, why: string) {
  expect(location).toBe(`/login?failed=${why}`)
  expect(client.cookies.has('session')).toBe(false)
  expect((await client.get('/api/auth/session')).body.user).toBeNull()
}

describe('signing in at an OpenID Connect service', () => {
  test('Signing in redirects to the service with code, PKCE, state and nonce, and stores the attempt out of reach of scripts', async () => {
    const client = browser()
    const { status, headers } = await client.get('/api/auth/social/oidc')
    expect([status, headers.get('cache-control')]).toEqual([302, 'private, no-store'])
    const url = new URL(headers.get('location') ?? '')
    expect(url.origin + url.pathname).toBe(`${own.peer.issuer}/auth`)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      ...{ client_id: 'cairn', response_type: 'code', code_challenge_method: 'S256', scope: 'openid email profile offline_access' },
      redirect_uri: `${own.stack.origin}/api/auth/callback`,
      ...{ state: expect.any(String), nonce: expect.any(String), code_challenge: expect.any(String) },
    })
    expect(headers.getSetCookie()[0]).toMatch(/^sign-in\.[\w-]{12}=[\w.-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/)
  })

  test('Signing in creates the user and claims pending invitations', async () => {
    const [login, collection] = [newLogin(), newId()]
    const ada = await signInByService(own.stack.origin)
    await own.stack.sql`insert into collections (id, name, user_id) values (${collection}, 'Kyoto', ${ada.login})`
    await own.stack.sql`insert into invites (id, collection_id, email, role, invited_by, expires_at)
      values (${newId()}, ${collection}, ${`${login}@EXAMPLE.org`}, 'read', ${ada.login}, now() + interval '1 day')`
    const bob = await signInByService(own.stack.origin, login)
    expect((await bob.get('/api/auth/session')).body.user).toEqual({
      ...{ id: login, email: `${login}@example.org`, firstName: 'Ada', lastName: 'Test', emailVerified: true },
    })
    expect((await bob.post(`/api/collections/${collection}/invites/accept`)).status).toBe(200)
  })

  test('A user with any form of id gets a live room of their own with its messages', async () => {
    const [login, collection] = [`auth0|${newLogin()}:a.b`, newId()]
    own.peer.emails.set(login, 'ada.any@example.org')
    const ada = await signInByService(own.stack.origin, login)
    const { status, body } = await ada.post('/api/live/ticket', { room: userRoom(login) })
    expect(status).toBe(200)
    const socket = new WebSocket(`${body.url}?ticket=${body.ticket}`)
    const received: unknown[] = []
    socket.addEventListener('message', ({ data }) => received.push(JSON.parse(String(data))))
    await expect.poll(() => received[0]).toMatchObject({ type: 'hello', room: userRoom(login) })
    expect((await ada.post('/api/collections', { id: collection, name: 'Kyoto' })).status).toBe(201)
    await expect.poll(() => received.slice(1)).toContainEqual(expect.objectContaining({ type: 'change', collection_id: collection }))
    expect((await (await signInByService(own.stack.origin)).post('/api/live/ticket', { room: userRoom(login) })).status).toBe(404)
    socket.close()
  })

  test('Signing in leaves no attempt behind, and works in two tabs at once', async () => {
    const client = browser()
    const [first, second] = [await beginSignIn(client, '/feed'), await beginSignIn(client, '/collections')]
    const login = newLogin()
    expect(await comeBack(client, await visitService(second, login))).toBe('/collections')
    expect(await comeBack(client, await visitService(first, login))).toBe('/feed')
    expect([...client.cookies.keys()]).toEqual(['session'])
  })

  test('Only a few attempts are kept, however many are started', async () => {
    const client = browser()
    for (let n = 0; n < 9; n++) await beginSignIn(client)
    expect(client.cookies.size).toBeLessThanOrEqual(4)
  })

  test('Signing in works for a client without a secret', async () => {
    const origin = await own.another({ AUTH_CLIENT_ID: 'cairn-public', AUTH_CLIENT_SECRET: '' })
    const client = await signInByService(origin)
    expect((await client.post('/api/auth/refresh')).status).toBe(200)
  })

  test('Cancelling at the service is not an error', async () => {
    const client = browser()
    const location = await comeBack(client, await visitService(await beginSignIn(client), newLogin(), { agree: false }))
    await expectFailure(client, location, 'cancelled')
  })

  test('Signing in without a confirmed address takes no address from another account', async () => {
    const [owner, thief] = [await signInByService(own.stack.origin), newLogin()]
    own.peer.unverified.add(thief)
    own.peer.emails.set(thief, `${owner.login}@example.org`)
    const client = browser()
    await expectFailure(client, await comeBack(client, await visitService(await beginSignIn(client), thief)), 'taken')
    expect(await own.stack.sql`select id from users where email = ${`${owner.login}@example.org`}`).toEqual([{ id: owner.login }])
  })

  test('Signing in without a confirmed address works, but accepts no invitation', async () => {
    const login = newLogin()
    own.peer.unverified.add(login)
    const client = await signInByService(own.stack.origin, login)
    const refused = await client.post(`/api/collections/${newId()}/invites/accept`)
    expect([refused.status, refused.body.error.message]).toEqual([403, expect.stringContaining('Confirm your e-mail address')])
    own.peer.unverified.delete(login)
    expect((await client.post(`/api/collections/${newId()}/invites/accept`)).status).toBe(404)
  })

  test.each(['sign-up', 'sign-in', 'forgot-password', 'reset-password'])('Signing in by password is not offered: %s', async (call) => {
    const bodies: Record<string, object> = {
      'forgot-password': { email: 'x@example.org' },
      'reset-password': { token: 'x', newPassword: 'long enough' },
    }
    const { status, body } = await browser().post(`/api/auth/${call}`, bodies[call] ?? { email: 'x@example.org', password: 'long enough' })
    expect([status, body.error.code]).toEqual([404, 'not_found'])
  })

  test.each(['google', 'OIDC', '%2e%2e', '__proto__'])('Signing in by %s is not offered', async (way) => {
    expect((await browser().get(`/api/auth/social/${way}`)).status).toBe(404)
  })
})

describe('an invalid sign-in', () => {
  test('A used answer does not sign in', async () => {
    const client = browser()
    const to = await visitService(await beginSignIn(client), newLogin())
    const cookies = new Map(client.cookies)
    expect(await comeBack(client, to)).toBe('/')
    // The same browser again: it is signed in, so it simply continues.
    expect(await comeBack(client, to)).toBe('/')
    await expectFailure(browser(), await comeBack(browser(), to), 'expired')
    const thief = browser()
    for (const [name, value] of cookies) thief.cookies.set(name, value)
    await expectFailure(thief, await comeBack(thief, to), 'refused')
  })

  test('A state that is forged, missing or of another browser does not sign in', async () => {
    const [victim, attacker] = [browser(), browser()]
    await beginSignIn(victim)
    const to = await visitService(await beginSignIn(attacker), newLogin())
    await expectFailure(victim, await comeBack(victim, to), 'expired')
    for (const state of ['', 'x', 'ä', `${to.searchParams.get('state')?.slice(0, 12)}forged`]) {
      const forged = new URL(to)
      forged.searchParams.set('state', state)
      await expectFailure(victim, await comeBack(victim, forged), 'expired')
    }
    to.searchParams.delete('state')
    await expectFailure(victim, await comeBack(victim, to), 'expired')
  })

  test('A code of another attempt does not sign in', async () => {
    const [victim, attacker] = [browser(), browser()]
    const stolen = await visitService(await beginSignIn(attacker), newLogin())
    const own = await visitService(await beginSignIn(victim), newLogin())
    own.searchParams.set('code', stolen.searchParams.get('code') ?? '')
    await expectFailure(victim, await comeBack(victim, own), 'refused')
  })

  test('A made-up code does not sign in', async () => {
    for (const code of ['', 'x', 'x'.repeat(5_000)]) {
      const client = browser()
      const to = await visitService(await beginSignIn(client), newLogin())
      to.searchParams.set('code', code)
      await expectFailure(client, await comeBack(client, to), 'refused')
    }
  })

  test('An ID token of another attempt does not sign in', async () => {
    const client = browser()
    const begin = new URL(await beginSignIn(client))
    begin.searchParams.set('nonce', 'of somebody else')
    await expectFailure(client, await comeBack(client, await visitService(begin.href, newLogin())), 'refused')
  })

  test('An answer of another issuer does not sign in', async () => {
    for (const iss of ['https://evil.example', '']) {
      const client = browser()
      const to = await visitService(await beginSignIn(client), newLogin())
      to.searchParams.set('iss', iss)
      await expectFailure(client, await comeBack(client, to), 'refused')
    }
  })

  test('A service with an unexpected issuer name does not sign in', async () => {
    const origin = await own.another({ AUTH_ISSUER: 'https://auth.example' })
    const { headers, status } = await new Client(origin).get('/api/auth/social/oidc')
    expect([status, headers.get('location')]).toEqual([302, '/login?failed=unavailable'])
  })

  test.each(['expired', 'changed', 'of an unknown key', 'a session'])('An attempt whose cookie is %s does not sign in', async (what) => {
    const client = browser()
    const to = await visitService(await beginSignIn(client), newLogin())
    const [name, sealed] = attemptOf(client)
    const keys = parseSessionKeys(own.stack.vars.SESSION_KEYS ?? '')
    const { content } = (await unseal(sealed, keys)) ?? {}
    const unknown = parseSessionKeys(`unknown:${Buffer.alloc(32, 7).toString('base64')}`)
    const cookies: Record<string, () => Promise<string>> = {
      expired: () => seal({ ...(content as object), until: Date.now() - 1 }, keys),
      changed: async () => `${sealed.slice(0, -4)}AAAA`,
      'of an unknown key': () => seal(content, unknown),
      'a session': async () => (await signInByService(own.stack.origin)).cookies.get('session') ?? '',
    }
    client.cookies.set(name, (await cookies[what]?.()) ?? '')
    await expectFailure(client, await comeBack(client, to), 'expired')
    expect(client.cookies.size).toBe(0)
  })

  test('An attempt in place of a session does not sign in', async () => {
    const client = browser()
    await beginSignIn(client)
    client.cookies.set('session', attemptOf(client)[1])
    expect((await client.get('/api/users/profile')).status).toBe(401)
  })
})

describe('while the service is down', () => {
  test('Starting to sign in shows the reason on the sign-in page', async () => {
    const fresh = new Client(await own.another())
    own.peer.front.fault = 'down'
    await expectFailure(fresh, (await fresh.get('/api/auth/social/oidc')).headers.get('location'), 'unavailable')
    own.peer.front.fault = null
    expect(await beginSignIn(fresh)).toContain(own.peer.issuer)
  })

  test.each(['/token', '/jwks', '/me'])('A service whose %s is down on return does not sign in', async (only) => {
    const origin = await own.another()
    const client = new Client(origin)
    const to = await visitService(await beginSignIn(client), newLogin())
    Object.assign(own.peer.front, { fault: 503, only })
    await expectFailure(client, await comeBack(client, to), 'unavailable')
  })
})

describe('the address after signing out', () => {
  const end = { items: 'leave', deleteCollections: [] }
  test.each<[string, (client: Client & { login: string }) => ReturnType<Client['delete']>]>([
    ['Signing out', (client) => client.post('/api/auth/sign-out')],
    ['Signing out everywhere', (client) => client.delete('/api/access')],
    ['Deleting the account', (client) => client.delete('/api/users/profile', { ...end, email: `${client.login}@example.org` })],
  ])('%s leads to the page where the service ends its own session', async (_what, leave) => {
    const { status, body } = await leave(await signInByService(own.stack.origin))
    expect([status, body.url]).toEqual([200, expect.stringContaining(`${own.peer.issuer}/session/end?`)])
  })
})

describe('signing in after deleting the account', () => {
  /** Columns of all tables in which this user is named, as `table.column`. */
  async function columnsNaming(id: string) {
    const columns = await own.stack.sql`select c.table_name || '.' || c.column_name as at, c.table_name, c.column_name
      from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where table_schema = 'public' and t.table_type = 'BASE TABLE' and c.data_type = 'text' order by 1`
    const found = await Promise.all(
      columns.map(({ table_name, column_name }) =>
        own.stack.sql.query(`select from ${table_name} where ${column_name} = $1 limit 1`, [id]),
      ),
    )
    return columns.filter((_, n) => found[n]?.length).map(({ at }) => at)
  }

  test('The account starts empty, and what it left stays with others as that of a former member', async () => {
    const [ada, eve] = [await signInByService(own.stack.origin), await signInByService(own.stack.origin)]
    const { sql } = own.stack
    const { collection } = (await ada.post('/api/collections', { name: 'Kyoto' })).body
    const path = `/api/collections/${collection.id}`
    await sql`insert into members (collection_id, user_id, role) values (${collection.id}, ${eve.login}, 'admin')`
    const film = await upload(eve, video(), { name: 'lake.mp4', type: 'video/mp4', collectionIds: [collection.id] })
    await sendFilm(eve, film.id)
    const { post } = (
      await eve.post('/api/post', { type: 'note', title: 'Plan', collectionIds: [collection.id], existingAssetIds: [film.id] })
    ).body
    const say = (who: Client, text: string) => who.post(`/api/post/${post.id}/comments`, { collection_id: collection.id, text })
    const made = [
      await say(eve, 'Soon'),
      await eve.patch(`/api/comments/${(await say(ada, 'Never')).body.comment.id}`, { hidden: true }),
      await eve.put(`/api/post/${post.id}/reactions/👍?collection_id=${collection.id}`),
      await eve.put('/api/users/zones', { zones: [{ name: 'Home', lat: 48.2, lon: 16.3, radius: 500 }] }),
      await eve.post(`${path}/links`, { kind: 'collection', allows: 'look', location: 'hidden' }),
      await eve.post(`${path}/invites/invite`, { email: 'cy@example.org', role: 'read' }),
    ]
    expect(made.filter(({ status }) => status >= 300).map(({ body }) => body)).toEqual([])
    const named = await columnsNaming(eve.login)
    const items = async (who: Client) => [(await who.get('/api/post')).body.posts.length, (await who.get('/api/asset')).body.assets.length]
    expect(await items(eve)).toEqual([1, 1])
    expect((await ada.delete(`${path}/members/${eve.login}`)).status).toBe(200)
    const end = { email: `${eve.login}@example.org`, items: 'leave', deleteCollections: [] }
    expect((await eve.delete('/api/users/profile', end)).status).toBe(200)
    expect((await ada.patch(`/api/post/${post.id}`, { title: 'Of the family' })).status).toBe(200)

    const [again] = await Promise.all([1, 2].map(() => signInByService(own.stack.origin, eve.login)))
    if (!again) throw new Error('Nobody signed in')
    expect((await again.get('/api/auth/session')).body.user).toMatchObject({ id: eve.login, firstName: 'Ada' })
    expect(await items(again)).toEqual([0, 0])
    expect((await again.get(`/api/post/${post.id}`)).status).toBe(404)
    expect((await again.get('/api/usage')).body.usage).toMatchObject({ bytes: 0, items: 0 })
    expect(named).toEqual(
      expect.arrayContaining(['comments.hidden_by', 'films.user_id', 'home_zones.user_id', 'links.user_id', 'posts.user_id']),
    )
    expect(await columnsNaming(eve.login)).toEqual(['sessions.user_id', 'users.id'])

    const seen = (await ada.get(`/api/post/${post.id}`)).body.post
    expect([seen.title, seen.user_name]).toEqual(['Of the family', 'Former member'])
    const [left] = await sql`select bytes::int, items from account_usage where user_id = ${seen.user_id}`
    expect(left).toEqual({ bytes: expect.any(Number), items: 2 })
    expect((await ada.put('/api/post/bulk.collections.remove', { ids: [post.id], collectionId: collection.id })).status).toBe(200)
  })
})

describe('the address after signing in', () => {
  const landing = async (returnTo?: string) => {
    const client = browser()
    return comeBack(client, await visitService(await beginSignIn(client, returnTo), newLogin()))
  }

  test.each(['/collections/media?c=1&view=masonry#day', '/profile/settings?x=%C3%A9', '/a?next=https://evil.example/'])(
    'Signing in returns to the remembered path %s',
    async (path) => {
      expect(await landing(path)).toBe(path)
    },
  )

  test('Signing in without a remembered path goes home', async () => {
    expect(await landing()).toBe('/')
  })

  test.each([
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    '/%2f%2fevil.example',
    '/%5cevil.example',
    '/\tevil',
    '/a\r\nset-cookie: x=1',
    '/.//evil.example',
    '/login',
    '/LOGIN/',
    '/register?x',
    '/api/auth/callback',
    '/api/auth/social/oidc',
    `/${'a'.repeat(5_000)}`,
  ])('Signing in goes home instead of %j', async (path) => {
    const client = browser()
    const begin = await beginSignIn(client, path)
    const keys = parseSessionKeys(own.stack.vars.SESSION_KEYS ?? '')
    expect((await unseal(attemptOf(client)[1], keys))?.content).toMatchObject({ returnTo: '/' })
    const to = await visitService(begin, newLogin())
    // The same if such an address got into the cookie.
    const [name, sealed] = attemptOf(client)
    const { content } = (await unseal(sealed, keys)) ?? {}
    client.cookies.set(name, await seal({ ...(content as object), returnTo: path.slice(0, 1_000) }, keys))
    expect(await comeBack(client, to)).toBe(path.length > 2_048 ? `/${'a'.repeat(999)}` : '/')
  })
})
