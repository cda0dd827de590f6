import { describe, expect, inject, test } from 'vitest'
import * as contract from '../../contract/auth.ts'
import { newId } from '../../contract/ids.ts'
import { LIMITS } from '../../contract/limits.ts'
import { localSql } from '../../dev/neon.ts'
import { account, browser, newAddress, signIn } from '../support/accounts.ts'
import { mailTo } from '../support/mail.ts'
import { sessionCookies } from '../support/sessions.ts'
import { PASSWORD, register } from '../support/world.ts'

const sql = localSql(inject('stack').databaseUrl)

describe('registering', () => {
  test('Registering signs in, and normalizes names and address', async () => {
    const client = browser()
    const address = newAddress()
    const given = { email: ` ${address.toUpperCase()} `, password: PASSWORD, firstName: ' Ada ', lastName: '' }
    const { status, body } = await client.post('/api/auth/sign-up', given)
    expect(status).toBe(201)
    const { user } = contract.signUp.response.parse(body)
    expect(user).toEqual({ id: expect.any(String), email: address, firstName: 'Ada', lastName: null, emailVerified: false })
    expect((await client.get('/api/auth/session')).body.user).toEqual(user)
    expect(await sql`select id, email, first_name, last_name from users where email = ${address}`).toEqual([
      { id: user?.id, email: address, first_name: 'Ada', last_name: null },
    ])
  })

  test('Registering a known address gets the same answer as a new one, and mails its owner', async () => {
    const { email } = await account()
    const client = browser()
    const answer = await client.post('/api/auth/sign-up', {
      email: email.toUpperCase(),
      password: 'another password',
      firstName: 'Mallory',
    })
    expect([answer.status, answer.body]).toEqual([201, { success: true, verify: true }])
    expect(sessionCookies(client)).toEqual([])
    expect((await mailTo(email, 'new password')).link).toContain('/reset-password?token=')
    expect(await sql`select first_name from users where email = ${email}`).toEqual([{ first_name: 'Eve' }])
  })

  test('Registering again with the same password signs in, since the first answer may have been lost', async () => {
    const { id, email } = await account()
    const { status, body } = await browser().post('/api/auth/sign-up', { email, password: PASSWORD })
    expect([status, body.user.id]).toEqual([201, id])
  })

  // Several times, since few meet in the middle of each other.
  test.each([1, 2, 3, 4, 5, 6, 7, 8])('Registering three times at once creates one account (%i)', async () => {
    const email = newAddress()
    const answers = await Promise.all([1, 2, 3].map(() => browser().post('/api/auth/sign-up', { email, password: PASSWORD })))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(await sql`select count(*)::int from auth."user" where email = ${email}`).toEqual([{ count: 1 }])
  })

  test.each([
    [{ password: 'short' }, 'password'],
    [{ password: 'x'.repeat(LIMITS.passwordMax + 1) }, 'password'],
    [{ email: 'nobody' }, 'email'],
    [{ email: undefined }, 'email'],
    [{ firstName: 'x'.repeat(LIMITS.profileName + 1) }, 'firstName'],
    [{ role: 'owner' }, 'role'],
    [{ id: 'mine' }, 'id'],
    [{ emailVerified: true }, 'emailVerified'],
    [{ constructor: {} }, 'constructor'],
  ])('Registering with %j is refused and creates nothing', async (wrong, field) => {
    const email = newAddress()
    const { status, body } = await browser().post('/api/auth/sign-up', { email, password: PASSWORD, ...wrong })
    expect([status, body.error.code, Object.keys(body.error.fields)]).toEqual([400, 'invalid', [field]])
    expect(await sql`select id from auth."user" where email = ${email}`).toEqual([])
  })

  test('Registering claims pending invitations, whatever the spelling of the address', async () => {
    const ada = await register('ada')
    const [collectionId, email] = [newId(), newAddress()]
    await sql`insert into collections (id, name, user_id) values (${collectionId}, 'Kyoto', ${ada.id})`
    await sql`insert into invites (id, collection_id, email, role, invited_by, expires_at)
      values (${newId()}, ${collectionId}, ${email.toUpperCase()}, 'read', ${ada.id}, now() + interval '1 day')`
    const { body } = await browser().post('/api/auth/sign-up', { email, password: PASSWORD })
    expect(await sql`select user_id from invites where collection_id = ${collectionId}`).toEqual([{ user_id: body.user.id }])
  })

  test('Registering with a former address of another account assigns the address to the new one and nothing else', async () => {
    const [email, old] = [newAddress(), newId()]
    await sql`insert into users (id, email, first_name) values (${old}, ${email}, 'Olga')`
    const { status, body } = await browser().post('/api/auth/sign-up', { email, password: PASSWORD })
    expect(status).toBe(201)
    expect(await sql`select first_name, email from users where id = ${old}`).toEqual([
      { first_name: 'Olga', email: `${old}@moved.invalid` },
    ])
    expect(await sql`select email from users where id = ${body.user.id}`).toEqual([{ email }])
  })
})

describe('signing in', () => {
  test('Signing in ignores the case of the address', async () => {
    const { id, email } = await account()
    const { status, body, client } = await signIn(email.toUpperCase())
    expect([status, body.user.id]).toEqual([200, id])
    expect(contract.signIn.response.safeParse(body).success).toBe(true)
    expect((await client.get('/api/users/profile')).body.email).toBe(email)
  })

  test('An unknown address and a wrong password get the same answer', async () => {
    const { email } = await account()
    const [wrong, unknown] = [await signIn(email, 'wrong password'), await signIn(newAddress(), 'wrong password')]
    for (const { status, body, client } of [wrong, unknown]) {
      expect(status).toBe(401)
      expect(body).toEqual({ success: false, error: { code: 'unauthenticated', message: 'E-mail or password is wrong' } })
      expect(sessionCookies(client)).toEqual([])
    }
    expect([...wrong.headers.keys()]).toEqual([...unknown.headers.keys()])
  })

  test('An unknown address takes as long as a wrong password', async () => {
    const { email } = await account()
    const timeOf = async (address: string) => {
      const start = performance.now()
      await signIn(address, 'wrong password')
      return performance.now() - start
    }
    // Alternates, and takes the minimum of each: other load only adds time.
    let [known, unknown] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    for (let n = 0; n < 15; n++) {
      known = Math.min(known, await timeOf(email))
      unknown = Math.min(unknown, await timeOf(newAddress()))
    }
    expect(unknown).toBeGreaterThan(known / 2)
    expect(unknown).toBeLessThan(known * 2)
  })

  test('Signing in without the app’s origin is refused', async () => {
    const { email } = await account()
    const call = (headers: Record<string, string>) => browser().post('/api/auth/sign-in', { email, password: PASSWORD }, { headers })
    expect((await call({ origin: 'https://evil.example' })).status).toBe(403)
    expect((await call({ origin: 'null' })).status).toBe(403)
    expect((await call({ 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await call({ 'content-type': 'text/plain' })).status).toBe(415)
  })

  test('Signing in stores the name of an account that is new to the app', async () => {
    const { id, email } = await account()
    await sql`delete from users where id = ${id}`
    expect((await signIn(email)).body.user).toMatchObject({ id, firstName: 'Eve', lastName: 'Test' })
  })
})

describe('a session', () => {
  test('A request without a cookie has no session', async () => {
    const { status, body, headers } = await browser().get('/api/auth/session')
    expect([status, body]).toEqual([200, { success: true, user: null, expiresAt: null }])
    expect(headers.get('cache-control')).toBe('private, no-store')
    expect((await browser().post('/api/auth/refresh')).status).toBe(401)
    expect((await browser().post('/api/auth/send-verification')).status).toBe(401)
  })

  test('A session returns its user and expiry, and can be renewed', async () => {
    const ada = await register('ada')
    const { body } = await ada.get('/api/auth/session')
    expect(contract.getSession.response.parse(body).user).toMatchObject({
      id: ada.id,
      email: ada.email,
      firstName: 'Ada',
      lastName: 'Test',
    })
    expect(Date.parse(body.expiresAt) - Date.now()).toBeGreaterThan(800_000)
    const renewed = await ada.post('/api/auth/refresh')
    expect(renewed.status).toBe(200)
    expect(Date.parse(renewed.body.expiresAt)).toBeGreaterThanOrEqual(Date.parse(body.expiresAt))
    expect((await ada.get('/api/users/profile')).status).toBe(200)
  })

  test('Signing out ends the session in the app and at the service', async () => {
    const ada = await register('ada')
    const cookie = ada.cookieHeader()
    expect((await ada.post('/api/auth/sign-out')).body).toEqual({ success: true })
    expect(sessionCookies(ada)).toEqual([])
    expect((await ada.get('/api/users/profile')).status).toBe(401)
    expect((await browser().post('/api/auth/refresh', undefined, { headers: { cookie } })).status).toBe(401)
  })

  test('Signing out with an invalid session succeeds', async () => {
    expect((await browser().post('/api/auth/sign-out')).status).toBe(200)
  })

  test('Signing out on one device keeps the session of another', async () => {
    const ada = await register('ada')
    const phone = await signIn(ada.email)
    await ada.post('/api/auth/sign-out')
    expect((await phone.client.post('/api/auth/refresh')).status).toBe(200)
  })
})

test('The ways to sign in are public', async () => {
  const { body } = await browser().get('/api/auth/config')
  expect(contract.authConfig.response.parse(body).features).toEqual({ password: true, social: [], reset: true })
})

test('The patterns of the access guard are public', async () => {
  const { body } = await browser().get('/api/auth/config')
  expect(body.guard).toEqual({
    include: ['/', '/blog', '/blog/*'],
    exclude: ['/register', '/forgot-password', '/reset-password', '/verify-email'],
    login: '/login',
    callback: '/api/auth/callback',
  })
})
