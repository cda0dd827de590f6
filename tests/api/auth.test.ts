import { describe, expect, inject, test } from 'vitest'
import * as contract from '../../contract/auth.ts'
import { newId } from '../../contract/ids.ts'
import { LIMITS } from '../../contract/limits.ts'
import { Client } from '../../dev/http-client.ts'
import { localSql } from '../../dev/neon.ts'
import { tryKey } from '../../worker/services/limit-tries.ts'
import { mailTo } from '../support/mail.ts'
import { scriptOf } from '../support/tokens.ts'
import { PASSWORD, register } from '../support/world.ts'

const stack = inject('stack')
const sql = localSql(stack.databaseUrl)
const browser = () => new Client(stack.origin)
const newAddress = () => `p-${newId().slice(-12)}@example.org`

/** An account that is signed in nowhere. */
async function account() {
  const person = await register('eve')
  return { id: person.id, email: person.email }
}

async function signIn(email: string, password = PASSWORD) {
  const client = browser()
  return { client, ...(await client.post('/api/auth/sign-in', { email, password })) }
}

describe('registering', () => {
  test('signs in, and keeps the names and the address in one spelling', async () => {
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

  test('with a known address says what a confirmation would say, and writes to its owner', async () => {
    const { email } = await account()
    const client = browser()
    const answer = await client.post('/api/auth/sign-up', {
      email: email.toUpperCase(),
      password: 'another password',
      firstName: 'Mallory',
    })
    expect([answer.status, answer.body]).toEqual([201, { success: true, verify: true }])
    expect(client.cookies.size).toBe(0)
    expect((await mailTo(email, 'new password')).link).toContain('/reset-password?token=')
    expect(await sql`select first_name from users where email = ${email}`).toEqual([{ first_name: 'Eve' }])
  })

  test('again with the same password is a sign-in: the first answer may have been lost', async () => {
    const { id, email } = await account()
    const { status, body } = await browser().post('/api/auth/sign-up', { email, password: PASSWORD })
    expect([status, body.user.id]).toEqual([201, id])
  })

  test('twice at the same moment makes one account', async () => {
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
  ])('with %j is refused, and nothing is made', async (wrong, field) => {
    const email = newAddress()
    const { status, body } = await browser().post('/api/auth/sign-up', { email, password: PASSWORD, ...wrong })
    expect([status, body.error.code, Object.keys(body.error.fields)]).toEqual([400, 'invalid', [field]])
    expect(await sql`select id from auth."user" where email = ${email}`).toEqual([])
  })

  test('makes waiting invitations the person’s own, by whatever spelling of the address', async () => {
    const ada = await register('ada')
    const [collectionId, email] = [newId(), newAddress()]
    await sql`insert into collections (id, name, user_id) values (${collectionId}, 'Kyoto', ${ada.id})`
    await sql`insert into invites (id, collection_id, email, role, invited_by, expires_at)
      values (${newId()}, ${collectionId}, ${email.toUpperCase()}, 'read', ${ada.id}, now() + interval '1 day')`
    const { body } = await browser().post('/api/auth/sign-up', { email, password: PASSWORD })
    expect(await sql`select user_id from invites where collection_id = ${collectionId}`).toEqual([{ user_id: body.user.id }])
  })

  test('with an address that another account had gives it to the new one, and takes nothing else', async () => {
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
  test('works with the address in another case', async () => {
    const { id, email } = await account()
    const { status, body, client } = await signIn(email.toUpperCase())
    expect([status, body.user.id]).toEqual([200, id])
    expect(contract.signIn.response.safeParse(body).success).toBe(true)
    expect((await client.get('/api/users/profile')).body.email).toBe(email)
  })

  test('answers an unknown address and a wrong password alike', async () => {
    const { email } = await account()
    const [wrong, unknown] = [await signIn(email, 'wrong password'), await signIn(newAddress(), 'wrong password')]
    for (const { status, body, client } of [wrong, unknown]) {
      expect(status).toBe(401)
      expect(body).toEqual({ success: false, error: { code: 'unauthenticated', message: 'E-mail or password is wrong' } })
      expect(client.cookies.size).toBe(0)
    }
    expect([...wrong.headers.keys()]).toEqual([...unknown.headers.keys()])
  })

  test('takes as long for an unknown address as for a wrong password', async () => {
    const { email } = await account()
    const median = async (address: () => string) => {
      const times: number[] = []
      for (let n = 0; n < 7; n++) {
        const start = performance.now()
        await signIn(address(), 'wrong password')
        times.push(performance.now() - start)
      }
      return times.sort((a, b) => a - b)[3] ?? 0
    }
    const [known, unknown] = [await median(() => email), await median(newAddress)]
    expect(unknown).toBeGreaterThan(known / 2)
    expect(unknown).toBeLessThan(known * 2)
  })

  test('is refused without the app’s own origin', async () => {
    const { email } = await account()
    const call = (headers: Record<string, string>) => browser().post('/api/auth/sign-in', { email, password: PASSWORD }, { headers })
    expect((await call({ origin: 'https://evil.example' })).status).toBe(403)
    expect((await call({ origin: 'null' })).status).toBe(403)
    expect((await call({ 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await call({ 'content-type': 'text/plain' })).status).toBe(415)
  })

  test('fills in the name of an account that we have not seen', async () => {
    const { id, email } = await account()
    await sql`delete from users where id = ${id}`
    expect((await signIn(email)).body.user).toMatchObject({ id, firstName: 'Eve', lastName: 'Test' })
  })
})

describe('too many tries', () => {
  type Action = 'signIn' | 'signUp' | 'reset' | 'verification'
  /** The tests’ stack allows a thousand times as many. */
  const set = async (action: Action, email: string, tries: number) => {
    const key = await tryKey(action, `email:${email}`)
    await sql`insert into rate_limits (key, tries, resets_at) values (${key}, ${tries}, now() + interval '5 minutes')
      on conflict (key) do update set tries = excluded.tries`
    return key
  }
  const allowed = (action: Action) => LIMITS.tries[action].perEmail * 1000

  test('with one address get 429, and the right password works when the window has passed', async () => {
    const { email } = await account()
    const key = await set('signIn', email, allowed('signIn') - 1)
    expect((await signIn(email, 'wrong password')).status).toBe(401)
    const locked = await signIn(email)
    expect([locked.status, locked.body.error.code]).toEqual([429, 'rate_limited'])
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(280)
    expect(Number(locked.headers.get('retry-after'))).toBeLessThanOrEqual(300)
    await sql`update rate_limits set resets_at = now() - interval '1 second' where key = ${key}`
    expect((await signIn(email)).status).toBe(200)
    expect(await sql`select tries from rate_limits where key = ${key}`).toEqual([{ tries: 1 }])
  })

  test('tell nothing of whether the address is known', async () => {
    const [{ email }, stranger] = [await account(), newAddress()]
    for (const address of [email, stranger]) await set('signIn', address, allowed('signIn'))
    const [known, unknown] = [await signIn(email), await signIn(stranger)]
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body])
  })

  test('do not stop anybody else', async () => {
    const [locked, other] = [await account(), await account()]
    await set('signIn', locked.email, allowed('signIn'))
    expect((await signIn(other.email)).status).toBe(200)
  })

  test('cannot be gone round by registering', async () => {
    const { email } = await account()
    await set('signIn', email, allowed('signIn'))
    expect((await browser().post('/api/auth/sign-up', { email, password: PASSWORD })).status).toBe(429)
  })

  test('at mail for one address get 429', async () => {
    const email = newAddress()
    await set('reset', email, allowed('reset'))
    expect((await browser().post('/api/auth/forgot-password', { email })).status).toBe(429)
  })

  test('are all counted when they come at the same moment', async () => {
    const email = newAddress()
    await Promise.all(Array.from({ length: 10 }, () => signIn(email)))
    const key = await tryKey('signIn', `email:${email}`)
    expect(await sql`select tries from rate_limits where key = ${key}`).toEqual([{ tries: 10 }])
  })
})

describe('a session', () => {
  test('is nobody’s without a cookie', async () => {
    const { status, body, headers } = await browser().get('/api/auth/session')
    expect([status, body]).toEqual([200, { success: true, user: null, expiresAt: null }])
    expect(headers.get('cache-control')).toBe('no-store')
    expect((await browser().post('/api/auth/refresh')).status).toBe(401)
    expect((await browser().post('/api/auth/send-verification')).status).toBe(401)
  })

  test('says who and until when, and can be renewed', async () => {
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

  test('ends with signing out, here and at the service', async () => {
    const ada = await register('ada')
    const cookie = ada.cookieHeader()
    expect((await ada.post('/api/auth/sign-out')).body).toEqual({ success: true })
    expect(ada.cookies.size).toBe(0)
    expect((await ada.get('/api/users/profile')).status).toBe(401)
    expect((await browser().post('/api/auth/refresh', undefined, { headers: { cookie } })).status).toBe(401)
  })

  test('that is none is signed out of, too', async () => {
    expect((await browser().post('/api/auth/sign-out')).status).toBe(200)
  })

  test('on one device stays when another signs out', async () => {
    const ada = await register('ada')
    const phone = await signIn(ada.email)
    await ada.post('/api/auth/sign-out')
    expect((await phone.client.post('/api/auth/refresh')).status).toBe(200)
  })
})

describe('a forgotten password', () => {
  const tokenOf = (link?: string) => new URL(link ?? '').searchParams.get('token') ?? ''

  test('is replaced by the link in the mail, once, and every session ends', async () => {
    const ada = await register('ada')
    expect((await browser().post('/api/auth/forgot-password', { email: ada.email })).body).toEqual({ success: true })
    const token = tokenOf((await mailTo(ada.email, 'new password')).link)
    const reset = { token, newPassword: 'a quite new password' }
    expect((await browser().post('/api/auth/reset-password', { ...reset, newPassword: 'short' })).status).toBe(400)
    expect((await browser().post('/api/auth/reset-password', reset)).body).toEqual({ success: true })
    expect((await signIn(ada.email)).status).toBe(401)
    expect((await signIn(ada.email, reset.newPassword)).status).toBe(200)
    expect((await ada.post('/api/auth/refresh')).status).toBe(401)
    const again = await browser().post('/api/auth/reset-password', reset)
    expect([again.status, again.body.error.code]).toEqual([400, 'invalid'])
    expect(again.body.error.fields.token).toContain('Ask for a new one')
  })

  test('once replaced ends every access token of this person, and of nobody else', async () => {
    const [ada, bob] = [await register('ada'), await register('bob')]
    const [script, other] = [await scriptOf(ada, 'read'), await scriptOf(bob, 'read')]
    await browser().post('/api/auth/forgot-password', { email: ada.email.toUpperCase() })
    const token = tokenOf((await mailTo(ada.email, 'new password')).link)
    const status = async (client: Client) => (await client.get('/api/collections')).status
    expect((await browser().post('/api/auth/reset-password', { token: `x${token}`, newPassword: 'a quite new password' })).status).toBe(400)
    expect(await status(script)).toBe(200)
    expect((await browser().post('/api/auth/reset-password', { token, newPassword: 'a quite new password' })).status).toBe(200)
    expect([await status(script), await status(other)]).toEqual([401, 200])
  })

  test('of an unknown address gets the same answer and no mail', async () => {
    const email = newAddress()
    const { status, body } = await browser().post('/api/auth/forgot-password', { email })
    expect([status, body]).toEqual([200, { success: true }])
    await expect(mailTo(email, 'password', 500)).rejects.toThrow('No mail')
  })

  test.each(['x', '../../token', 'ä🏔️', '%00', "' or 1=1 --"])('is not replaced with the token %j', async (token) => {
    expect((await browser().post('/api/auth/reset-password', { token, newPassword: PASSWORD })).status).toBe(400)
  })
})

describe('the link that confirms an address', () => {
  test('is in a mail after registering; the browser that opens it knows at once', async () => {
    const client = browser()
    const email = newAddress()
    await client.post('/api/auth/sign-up', { email, password: PASSWORD })
    const { link = '' } = await mailTo(email, 'Confirm')
    const { pathname, search } = new URL(link)
    const opened = await client.get(pathname + search)
    expect([opened.status, opened.headers.get('location')]).toEqual([302, '/collections?verified=1'])
    expect((await client.get('/api/auth/session')).body.user.emailVerified).toBe(true)
  })

  test('works where nobody is signed in, and signs nobody in', async () => {
    const [email, client] = [newAddress(), browser()]
    await browser().post('/api/auth/sign-up', { email, password: PASSWORD })
    const { pathname, search } = new URL((await mailTo(email, 'Confirm')).link ?? '')
    expect((await client.get(pathname + search)).headers.get('location')).toBe('/collections?verified=1')
    expect(client.cookies.size).toBe(0)
    expect((await signIn(email)).body.user.emailVerified).toBe(true)
  })

  test.each(['', '?token=', '?token=x', '?token=a.b.c', '?token=%00', `?token=${'x'.repeat(5_000)}`])(
    'leads on without success as %j',
    async (search) => {
      const { status, headers } = await browser().get(`/api/auth/verify-email${search}`)
      expect([status, headers.get('location')]).toEqual([302, '/collections?verified=0'])
    },
  )

  test('is sent again when asked for, and not once it is confirmed', async () => {
    const client = browser()
    const email = newAddress()
    await client.post('/api/auth/sign-up', { email, password: PASSWORD })
    await mailTo(email, 'Confirm')
    expect((await client.post('/api/auth/send-verification')).body).toEqual({ success: true })
    const confirmed = await register('ada')
    expect((await confirmed.post('/api/auth/send-verification')).status).toBe(200)
  })
})

test('the ways to sign in are public', async () => {
  const { body } = await browser().get('/api/auth/config')
  expect(contract.authConfig.response.parse(body).features).toEqual({ password: true, social: [], reset: true })
})
