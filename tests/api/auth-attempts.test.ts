import { beforeAll, describe, expect, inject, test } from 'vitest'
import { ATTEMPTS } from '../../contract/attempts.ts'
import type { Client } from '../../dev/http-client.ts'
import { localSql } from '../../dev/neon.ts'
import { parseSessionKeys, unseal } from '../../worker/auth/sealed.ts'
import { attemptKey } from '../../worker/services/accounts/limit-attempts.ts'
import { account, browser, newAddress, signIn } from '../support/accounts.ts'
import { mailedToken } from '../support/mail.ts'
import { PASSWORD } from '../support/world.ts'

const sql = localSql(inject('stack').databaseUrl)

describe('the rate limit of sign-in attempts', () => {
  type Action = 'signIn' | 'signUp' | 'reset'
  /** The tests’ stack allows a thousand times as many. */
  const set = async (action: Action, email: string, attempts: number) => {
    const key = await attemptKey(action, `email:${email}`)
    await sql`insert into rate_limits (key, tries, resets_at) values (${key}, ${attempts}, now() + interval '5 minutes')
      on conflict (key) do update set tries = excluded.tries`
    return key
  }
  const allowed = (action: Action) => ATTEMPTS[action].perEmail * 1000

  test('Too many attempts for one address get 429, and the right password works after the window', async () => {
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

  test('The rate limit does not reveal whether an address has an account', async () => {
    const [{ email }, stranger] = [await account(), newAddress()]
    for (const address of [email, stranger]) await set('signIn', address, allowed('signIn'))
    const [known, unknown] = [await signIn(email), await signIn(stranger)]
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body])
  })

  test('The rate limit of one address does not affect others', async () => {
    const [locked, other] = [await account(), await account()]
    await set('signIn', locked.email, allowed('signIn'))
    expect((await signIn(other.email)).status).toBe(200)
  })

  test('Registering does not get round the rate limit', async () => {
    const { email } = await account()
    await set('signIn', email, allowed('signIn'))
    expect((await browser().post('/api/auth/sign-up', { email, password: PASSWORD })).status).toBe(429)
  })

  test('Too many mails to one address get 429', async () => {
    const email = newAddress()
    await set('reset', email, allowed('reset'))
    expect((await browser().post('/api/auth/forgot-password', { email })).status).toBe(429)
  })

  test('Concurrent attempts are all counted', async () => {
    const email = newAddress()
    await Promise.all(Array.from({ length: 10 }, () => signIn(email)))
    const key = await attemptKey('signIn', `email:${email}`)
    expect(await sql`select tries from rate_limits where key = ${key}`).toEqual([{ tries: 10 }])
  })
})

describe('wrong passwords', () => {
  /** Inserts so many tries that the next is the last before waits begin. The tests' stack allows a thousand times as many. */
  const exhaust = async (action: 'signIn' | 'knownSignIn' | 'confirm', subject: string, more = 0) => {
    const key = await attemptKey(action, subject)
    const free = Object.entries(ATTEMPTS[action]).find(([kind]) => /^per(Pair|Device|Session)$/.test(kind))?.[1] ?? 0
    await sql`insert into rate_limits (key, tries, resets_at) values (${key}, ${free * 1000 - 1 + more}, now() + interval '1 day')
      on conflict (key) do update set tries = excluded.tries, next_at = null`
    return key
  }
  const later = (key: string) => sql`update rate_limits set next_at = null where key = ${key}`
  /** Key under which attempts from this test's address are counted. */
  const pairKey = (email: string) => attemptKey('signIn', `pair:${address} ${email}`)
  const deviceOf = async (client: Client) => {
    const opened = await unseal(client.cookies.get('device') ?? '', parseSessionKeys(inject('stack').sessionKeys))
    return (opened?.content as { device?: string } | undefined)?.device
  }
  const waitOf = ({ status, headers }: { status: number; headers: Headers }) => [status, Number(headers.get('retry-after'))]

  /** As the platform says it, if at all. */
  let address = ''
  beforeAll(async () => {
    const email = newAddress()
    await signIn(email)
    for (const possible of ['', '127.0.0.1', '0:0:0:0']) {
      const key = await attemptKey('signIn', `pair:${possible} ${email}`)
      if ((await sql`select from rate_limits where key = ${key}`).length > 0) address = possible
    }
  })

  test('Each wrong password makes the next wait twice as long, and the right one begins anew', async () => {
    const { email } = await account()
    const key = await exhaust('signIn', `pair:${address} ${email}`)
    for (const wait of [1, 2, 4, 8]) {
      expect((await signIn(email, 'wrong password')).status).toBe(401)
      expect(waitOf(await signIn(email))).toEqual([429, wait])
      await later(key)
    }
    expect((await signIn(email)).status).toBe(200)
    expect(await sql`select tries from rate_limits where key = ${await pairKey(email)}`).toEqual([])
  })

  test('No wait is longer than a quarter of an hour', async () => {
    const { email } = await account()
    await exhaust('signIn', `pair:${address} ${email}`, 100)
    await signIn(email, 'wrong password')
    expect(waitOf(await signIn(email))).toEqual([429, 15 * 60])
  })

  test('Whoever knows the password gets in on a known device, whatever strangers have tried', async () => {
    const { email } = await account()
    const { client } = await signIn(email)
    await client.post('/api/auth/sign-out')
    for (const subject of [`email:${email}`, `address:${address}`]) {
      const key = await attemptKey('signIn', subject)
      await sql`insert into rate_limits (key, tries, resets_at) values (${key}, 1000000, now() + interval '1 minute')
        on conflict (key) do update set tries = excluded.tries`
    }
    await exhaust('signIn', `pair:${address} ${email}`, 100)
    await signIn(email, 'wrong password')
    try {
      expect((await signIn(email)).status).toBe(429)
      expect((await client.post('/api/auth/sign-in', { email, password: PASSWORD })).status).toBe(200)
    } finally {
      await sql`delete from rate_limits where key = ${await attemptKey('signIn', `address:${address}`)}`
    }
  })

  test('A known device is slowed down as well, and is known for its own accounts only', async () => {
    const { email } = await account()
    const { client } = await signIn(email)
    const wrong = (to: string) => client.post('/api/auth/sign-in', { email: to, password: 'wrong password' })
    await exhaust('knownSignIn', `device:${await deviceOf(client)} ${email}`)
    expect((await wrong(email)).status).toBe(401)
    expect(waitOf(await wrong(email))).toEqual([429, 1])

    const other = await account()
    await exhaust('signIn', `pair:${address} ${other.email}`)
    expect((await wrong(other.email)).status).toBe(401)
    expect(waitOf(await wrong(other.email))).toEqual([429, 1])
  })

  test.each([
    ['confirming who one is', (who: Client, password: string) => who.post('/api/auth/confirm', { password })],
    [
      'changing the password',
      (who: Client, currentPassword: string) =>
        who.post('/api/auth/change-password', { currentPassword, newPassword: 'a quite new password' }),
    ],
  ])('%s has attempts of its own in each session, which strangers cannot use up', async (_, confirm) => {
    const { email } = await account()
    const [{ client }, { client: stolen }] = [await signIn(email), await signIn(email)]
    const sessionOf = async (who: Client) =>
      (await who.get('/api/access')).body.sessions.find(({ current }: { current: boolean }) => current).id
    const ceiling = await attemptKey('signIn', `email:${email}`)
    await sql`insert into rate_limits (key, tries, resets_at) values (${ceiling}, 1000000, now() + interval '1 minute')
      on conflict (key) do update set tries = excluded.tries`
    const key = await exhaust('confirm', `session:${await sessionOf(stolen)}`)
    expect((await confirm(stolen, 'wrong password')).status).toBe(400)
    expect(waitOf(await confirm(stolen, PASSWORD))).toEqual([429, 1])
    expect((await confirm(client, PASSWORD)).status).toBe(200)
    await later(key)
  })

  test.each([
    [
      'resetting the password',
      async (who: Client, email: string) => {
        await browser().post('/api/auth/forgot-password', { email })
        return who.post('/api/auth/reset-password', { token: await mailedToken(email, 'new password'), newPassword: PASSWORD })
      },
    ],
    ['confirming who one is', async (who: Client) => who.post('/api/auth/confirm', { password: PASSWORD })],
    [
      'changing the password',
      async (who: Client) => who.post('/api/auth/change-password', { currentPassword: PASSWORD, newPassword: PASSWORD }),
    ],
  ])('After %s, the device is known', async (what, act) => {
    const { email } = await account()
    const { client } = await signIn(email)
    if (what === 'resetting the password') client.cookies.clear()
    else client.cookies.delete('device')
    expect((await act(client, email)).status).toBe(200)
    const ceiling = await attemptKey('signIn', `email:${email}`)
    await sql`insert into rate_limits (key, tries, resets_at) values (${ceiling}, 1000000, now() + interval '1 minute')
      on conflict (key) do update set tries = excluded.tries`
    expect((await signIn(email)).status).toBe(429)
    expect((await client.post('/api/auth/sign-in', { email, password: PASSWORD })).status).toBe(200)
  })
})
