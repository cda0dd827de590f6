import { describe, expect, inject, test } from 'vitest'
import { LIMITS } from '../../contract/limits.ts'
import { localSql } from '../../dev/neon.ts'
import { attemptKey } from '../../worker/services/accounts/limit-attempts.ts'
import { account, browser, newAddress, signIn } from '../support/accounts.ts'
import { PASSWORD } from '../support/world.ts'

const sql = localSql(inject('stack').databaseUrl)

describe('the rate limit of sign-in attempts', () => {
  type Action = 'signIn' | 'signUp' | 'reset' | 'verification'
  /** The tests’ stack allows a thousand times as many. */
  const set = async (action: Action, email: string, attempts: number) => {
    const key = await attemptKey(action, `email:${email}`)
    await sql`insert into rate_limits (key, tries, resets_at) values (${key}, ${attempts}, now() + interval '5 minutes')
      on conflict (key) do update set tries = excluded.tries`
    return key
  }
  const allowed = (action: Action) => LIMITS.attempts[action].perEmail * 1000

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
