import { createHash } from 'node:crypto'
import { describe, expect, inject, test } from 'vitest'
import { newId } from '../../contract/ids.ts'
import { LIMITS } from '../../contract/limits.ts'
import { ENDPOINTS } from '../../contract/routes.ts'
import { Client } from '../../dev/http-client.ts'
import { localSql } from '../../dev/neon.ts'
import { scriptOf, TokenClient } from '../support/tokens.ts'
import { register, world } from '../support/world.ts'

const NEW = { name: 'Backup', scope: 'read' }

describe('an access token', () => {
  test('A token is shown once, stored as a hash, and listed without its secret', async () => {
    const { as, sql } = await world()
    const made = await as('ada').post('/api/users/tokens', NEW)
    expect(made.status).toBe(201)
    expect(made.headers.get('cache-control')).toBe('private, no-store')
    expect(made.body.secret).toMatch(/^cairn_[\w-]{43}$/)
    const [row] = await sql`select * from tokens where id = ${made.body.token.id}`
    expect(row?.hash).toBe(createHash('sha256').update(made.body.secret).digest('hex'))
    expect(JSON.stringify(row)).not.toContain(made.body.secret)
    const { tokens } = (await as('ada').get('/api/users/tokens')).body
    expect(tokens).toEqual([{ ...made.body.token, last_used_at: null }])
  })

  test('Creating the same id again creates no second token', async () => {
    const { as } = await world({ eve: null })
    const id = newId()
    expect((await as('ada').post('/api/users/tokens', { ...NEW, id })).status).toBe(201)
    const again = await as('ada').post('/api/users/tokens', { ...NEW, id })
    expect([again.status, again.body.token.id, again.body.secret]).toEqual([200, id, undefined])
    expect((await as('eve').post('/api/users/tokens', { ...NEW, id })).status).toBe(409)
  })

  test('A token acts for its user, records its last use, and needs no Origin', async () => {
    const { as, origin, collection } = await world()
    const script = await scriptOf(as('ada'), 'write')
    expect((await script.get('/api/users/profile')).body.email).toBe(as('ada').email)
    const response = await fetch(`${origin}/api/post`, {
      method: 'POST',
      headers: { authorization: `Bearer ${script.secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'note', title: 'From a script', collectionIds: [collection.id] }),
    })
    expect(response.status).toBe(201)
    expect(response.headers.getSetCookie()).toEqual([])
    const { tokens } = (await as('ada').get('/api/users/tokens')).body
    expect(Date.parse(tokens[0].last_used_at)).toBeGreaterThan(Date.now() - 60_000)
  })

  test('A read token changes nothing', async () => {
    const { as, collection, changes } = await world()
    const script = await scriptOf(as('ada'), 'read')
    expect((await script.get(`/api/collections/${collection.id}`)).status).toBe(200)
    expect((await script.head(`/api/collections/${collection.id}`)).status).toBe(200)
    const answers = await Promise.all([
      script.put(`/api/collections/${collection.id}`, { name: 'Mine' }),
      script.patch(`/api/post/${newId()}`, { title: 'x' }),
      script.post('/api/post', { type: 'note', title: 'x', collectionIds: [collection.id] }),
      script.delete(`/api/collections/${collection.id}`),
    ])
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403])
    expect(await changes()).toEqual([])
  })

  test('A token is told what it may do in a collection, which is less than its user may', async () => {
    const { as, collection } = await world()
    const permitted = async (script: Client) => {
      const { body } = await script.get(`/api/collections/${collection.id}`)
      return Object.keys(body.permissions).filter((action) => body.permissions[action])
    }
    const all = await permitted(as('ada'))
    expect(await permitted(await scriptOf(as('ada'), 'write'))).toEqual(all.filter((action) => action !== 'links.make'))
    expect(await permitted(await scriptOf(as('ada'), 'read', collection.id))).toEqual([
      'collection.see',
      'comment.seeHidden',
      'members.seeEmails',
      'invites.see',
    ])
  })

  test('A revoked or expired token is refused, even with valid cookies', async () => {
    const { as, sql, origin } = await world({ eve: null })
    const script = await scriptOf(as('ada'), 'read')
    const { tokens } = (await as('ada').get('/api/users/tokens')).body
    expect((await as('eve').delete(`/api/users/tokens/${tokens[0].id}`)).status).toBe(404)
    expect((await script.get('/api/collections')).status).toBe(200)
    expect((await as('ada').delete(`/api/users/tokens/${tokens[0].id}`)).status).toBe(200)
    expect((await script.get('/api/collections')).status).toBe(401)
    const both = await as('ada').get('/api/collections', { headers: { authorization: `Bearer ${script.secret}` } })
    expect([both.status, both.headers.getSetCookie()]).toEqual([401, []])

    const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
    const { body } = await as('ada').post('/api/users/tokens', { ...NEW, expiresAt })
    const brief = new TokenClient(origin, body.secret)
    expect((await brief.get('/api/collections')).status).toBe(200)
    await sql`update tokens set expires_at = now() - interval '1 second' where id = ${body.token.id}`
    expect((await brief.get('/api/collections')).status).toBe(401)
  })

  test('A token ends after 90 days, unless its maker wants another end or none', async () => {
    const { as } = await world()
    const endOf = async (more: object) => (await as('ada').post('/api/users/tokens', { ...NEW, ...more })).body.token.expires_at
    const days = (Date.parse(await endOf({})) - Date.now()) / 86_400_000
    expect([days > LIMITS.tokenDays - 0.01, days <= LIMITS.tokenDays]).toEqual([true, true])
    expect(await endOf({ expiresAt: null })).toBeNull()
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
    expect(Date.parse(await endOf({ expiresAt }))).toBe(Date.parse(expiresAt))
  })

  test('A token is valid only while its user has the confirmed address it was created with', async () => {
    const { as, sql } = await world()
    const script = await scriptOf(as('ada'), 'read')
    const status = async () => (await script.get('/api/collections')).status
    expect(await status()).toBe(200)
    await sql`update users set email = ${`moved-${as('ada').email}`} where id = ${as('ada').id}`
    expect(await status()).toBe(401)
    await sql`update users set email = ${as('ada').email.toUpperCase()} where id = ${as('ada').id}`
    expect(await status()).toBe(200)
    await sql`update tokens set verified_email = null where user_id = ${as('ada').id}`
    expect(await status()).toBe(401)
  })

  test('A user with an unconfirmed address cannot create a token', async () => {
    const ada = await register('ada')
    await localSql(inject('stack').databaseUrl)`update auth."user" set "emailVerified" = false where id = ${ada.id}`
    const { status, body } = await ada.post('/api/users/tokens', NEW)
    expect([status, body.error.message]).toEqual([403, expect.stringContaining('Confirm your e-mail address')])
    expect((await ada.get('/api/users/tokens')).body.tokens).toEqual([])
  })
})

test.each([
  ['another scheme', 'Basic YWRhOng='],
  ['a word', 'Bearer'],
  ['an unknown token', `Bearer cairn_${'A'.repeat(43)}`],
  ['a token with something behind it', `Bearer cairn_${'A'.repeat(43)} x`],
  ['10 KB', `Bearer cairn_${'A'.repeat(10_000)}`],
])('Authorization with %s gets 401, whatever the cookies', async (_what, authorization) => {
  const ada = await register('ada')
  expect((await ada.get('/api/collections', { headers: { authorization } })).status).toBe(401)
})

test.each([
  ['no name', { scope: 'read' }],
  ['an empty name', { ...NEW, name: ' ' }],
  ['another scope', { ...NEW, scope: 'admin' }],
  ['a past end', { ...NEW, expiresAt: '2020-01-01T00:00:00Z' }],
  ['a secret of its own', { ...NEW, secret: 'cairn_x' }],
])('Creating a token with %s is refused', async (_what, input) => {
  const ada = await register('ada')
  expect((await ada.post('/api/users/tokens', input)).status).toBe(400)
  expect((await ada.get('/api/users/tokens')).body.tokens).toEqual([])
})

test('A user cannot exceed the limit of tokens, even with two at once', async () => {
  const { as, sql } = await world()
  await sql`insert into tokens (id, user_id, name, scope, hash)
    select gen_random_uuid(), ${as('ada').id}, 'T', 'read', ${newId()} || n from generate_series(1, ${LIMITS.tokensPerUser - 1}) n`
  const answers = await Promise.all([1, 2, 3].map(() => as('ada').post('/api/users/tokens', NEW)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
})

/** Sign-in, the account and tokens need a session. */
const forPeople = ENDPOINTS.filter(({ path, sessionOnly }) => sessionOnly || path.startsWith('/api/auth/'))

test.each(forPeople.map(({ method, path }) => [`${method} ${path}`, method, path] as const))(
  '%s refuses a token',
  async (_name, method, path) => {
    const { as, origin } = await world()
    const script = await scriptOf(as('ada'), 'write')
    const body = method === 'GET' || method === 'DELETE' ? undefined : {}
    const answer = await script.call(method, path.replace('{id}', newId()), body)
    expect([answer.status, answer.body.error.code]).toEqual([403, 'forbidden'])
    expect(answer.headers.getSetCookie()).toEqual([])
    // An invalid token is refused as well.
    expect((await new TokenClient(origin, 'cairn_x').call(method, path.replace('{id}', newId()), body)).status).toBe(403)
  },
)

test('A foreign page without Authorization is still refused', async () => {
  const ada = await register('ada')
  expect((await ada.post('/api/users/tokens', NEW, { headers: { origin: 'https://evil.example' } })).status).toBe(403)
  expect((await new Client(ada.origin).post('/api/users/tokens', NEW)).status).toBe(401)
})
