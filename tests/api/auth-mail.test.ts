import { describe, expect, test } from 'vitest'
import type { Client } from '../../dev/http-client.ts'
import { browser, newAddress, signIn } from '../support/accounts.ts'
import { mailTo } from '../support/mail.ts'
import { scriptOf } from '../support/tokens.ts'
import { PASSWORD, register } from '../support/world.ts'

describe('a forgotten password', () => {
  const tokenOf = (link?: string) => new URL(link ?? '').searchParams.get('token') ?? ''

  test('The link in the mail resets the password once and ends every session', async () => {
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

  test('Resetting a password revokes all access tokens of this user only', async () => {
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

  test('An unknown address gets the same answer and no mail', async () => {
    const email = newAddress()
    const { status, body } = await browser().post('/api/auth/forgot-password', { email })
    expect([status, body]).toEqual([200, { success: true }])
    await expect(mailTo(email, 'password', 500)).rejects.toThrow('No mail')
  })

  test.each(['x', '../../token', 'ä🏔️', '%00', "' or 1=1 --"])('The token %j does not reset the password', async (token) => {
    expect((await browser().post('/api/auth/reset-password', { token, newPassword: PASSWORD })).status).toBe(400)
  })
})

describe('the link that confirms an address', () => {
  test('Registering sends a link, and the browser that opens it sees the confirmed address at once', async () => {
    const client = browser()
    const email = newAddress()
    await client.post('/api/auth/sign-up', { email, password: PASSWORD })
    const { link = '' } = await mailTo(email, 'Confirm')
    const { pathname, search } = new URL(link)
    const opened = await client.get(pathname + search)
    expect([opened.status, opened.headers.get('location')]).toEqual([302, '/collections?verified=1'])
    expect((await client.get('/api/auth/session')).body.user.emailVerified).toBe(true)
  })

  test('The link works without a session, and does not sign in', async () => {
    const [email, client] = [newAddress(), browser()]
    await browser().post('/api/auth/sign-up', { email, password: PASSWORD })
    const { pathname, search } = new URL((await mailTo(email, 'Confirm')).link ?? '')
    expect((await client.get(pathname + search)).headers.get('location')).toBe('/collections?verified=1')
    expect(client.cookies.size).toBe(0)
    expect((await signIn(email)).body.user.emailVerified).toBe(true)
  })

  test.each(['', '?token=', '?token=x', '?token=a.b.c', '?token=%00', `?token=${'x'.repeat(5_000)}`])(
    'Opening the link with the query %j redirects without confirming the address',
    async (search) => {
      const { status, headers } = await browser().get(`/api/auth/verify-email${search}`)
      expect([status, headers.get('location')]).toEqual([302, '/collections?verified=0'])
    },
  )

  test('The link is sent again on request, until the address is confirmed', async () => {
    const client = browser()
    const email = newAddress()
    await client.post('/api/auth/sign-up', { email, password: PASSWORD })
    await mailTo(email, 'Confirm')
    expect((await client.post('/api/auth/send-verification')).body).toEqual({ success: true })
    const confirmed = await register('ada')
    expect((await confirmed.post('/api/auth/send-verification')).status).toBe(200)
  })
})
