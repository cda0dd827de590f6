import { describe, expect, inject, test } from 'vitest'
import { Client } from '../../dev/http-client.ts'
import { browser, newAddress, signIn, unconfirmed } from '../support/accounts.ts'
import { countMails, mailedToken, mailTo } from '../support/mail.ts'
import { sessionCookies } from '../support/sessions.ts'
import { scriptOf } from '../support/tokens.ts'
import { PASSWORD, register } from '../support/world.ts'

describe('a forgotten password', () => {
  test('The link in the mail resets the password once and ends every session', async () => {
    const ada = await register('ada')
    expect((await browser().post('/api/auth/forgot-password', { email: ada.email })).body).toEqual({ success: true })
    const token = await mailedToken(ada.email, 'new password')
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
    const token = await mailedToken(ada.email, 'new password')
    const status = async (client: Client) => (await client.get('/api/collections')).status
    expect((await browser().post('/api/auth/reset-password', { token: `${token}x`, newPassword: 'a quite new password' })).status).toBe(400)
    expect(await status(script)).toBe(200)
    expect((await browser().post('/api/auth/reset-password', { token, newPassword: 'a quite new password' })).status).toBe(200)
    expect([await status(script), await status(other)]).toEqual([401, 200])
  })

  test('Only the newest link resets the password, and none works once one was used', async () => {
    const ada = await register('ada')
    const tokens: string[] = []
    for (let asked = 0; asked < 3; asked++) {
      await browser().post('/api/auth/forgot-password', { email: ada.email })
      await expect.poll(() => mailedToken(ada.email, 'new password')).not.toBe(tokens.at(-1))
      tokens.push(await mailedToken(ada.email, 'new password'))
    }
    const [oldest, older, newest] = tokens
    const reset = async (token: string | undefined) =>
      (await browser().post('/api/auth/reset-password', { token, newPassword: 'a quite new password' })).status
    expect([await reset(oldest), await reset(older)]).toEqual([400, 400])
    expect((await signIn(ada.email)).status).toBe(200)
    expect([await reset(newest), await reset(newest), await reset(older)]).toEqual([200, 400, 400])
    expect((await signIn(ada.email, 'a quite new password')).status).toBe(200)
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
  const confirm = (client: Client, token: string, password?: string) =>
    client.post('/api/auth/verify-email', { token, ...(password !== undefined && { password }) })
  const isConfirmed = async (email: string) => (await signIn(email)).body.user.emailVerified
  /** Also leaves the session of the service itself, as a program that reads mail does. */
  const scan = async (token: string) => {
    const client = browser()
    const page = await fetch(`${client.origin}/verify-email?${new URLSearchParams({ token })}`)
    await page.body?.cancel()
    return client.get(`/api/auth/verify-email?${new URLSearchParams({ token })}`)
  }

  test('The address is confirmed in the session that asked, and this browser sees it at once', async () => {
    const { client, email, token } = await unconfirmed()
    const read = await client.get(`/api/auth/verify-email?${new URLSearchParams({ token })}`)
    expect(read.body).toEqual({ success: true, address: email, account: email, needsPassword: false })
    expect((await confirm(client, token)).status).toBe(200)
    expect((await client.get('/api/auth/session')).body.user.emailVerified).toBe(true)
  })

  test('The mail names the browser that asked, and says what to do if it was somebody else', async () => {
    const [client, email] = [browser(), newAddress()]
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0'
    await client.post('/api/auth/sign-up', { email, password: PASSWORD }, { headers: { 'user-agent': agent } })
    const { text, link } = await mailTo(email, 'Confirm')
    expect(text).toContain(`Somebody gave ${email} as the address of an account at Cairn, from Firefox on Linux.`)
    expect(text).toContain('If it was not you, ignore this e-mail')
    expect(link).toMatch(`${client.origin}/verify-email?token=`)
  })

  test('A program that opens the link confirms nothing', async () => {
    const { client, email, token } = await unconfirmed()
    expect((await scan(token)).body).toEqual({ success: true, address: email, account: email, needsPassword: true })
    expect(await isConfirmed(email)).toBe(false)
    expect((await confirm(client, token)).status).toBe(200)
  })

  test('Another browser needs the password, also one with another session of the same account or of somebody else', async () => {
    const { email, token } = await unconfirmed()
    const { client: phone } = await signIn(email)
    for (const client of [browser(), phone, await register('eve')]) {
      const refused = await confirm(client, token)
      expect([refused.status, Object.keys(refused.body.error.fields)]).toEqual([403, ['password']])
      const wrong = await confirm(client, token, 'not the password')
      expect([wrong.status, wrong.body.error.fields]).toEqual([400, { password: 'The password is wrong' }])
    }
    expect(await isConfirmed(email)).toBe(false)
    const stranger = browser()
    expect((await confirm(stranger, token, PASSWORD)).status).toBe(200)
    expect(sessionCookies(stranger)).toEqual([])
    expect(await isConfirmed(email)).toBe(true)
  })

  test('A new address voids the links that were mailed to the old one to choose a new password', async () => {
    const ada = await register('ada')
    const next = newAddress()
    await ada.post('/api/auth/change-email', { email: next })
    await browser().post('/api/auth/forgot-password', { email: ada.email })
    const reset = await mailedToken(ada.email, 'new password')
    expect((await confirm(ada, await mailedToken(next, 'Confirm'))).status).toBe(200)
    expect((await browser().post('/api/auth/reset-password', { token: reset, newPassword: 'a quite new password' })).status).toBe(400)
    expect((await signIn(next)).status).toBe(200)
  })

  test('A new password voids the links that were mailed before to choose one', async () => {
    const ada = await register('ada')
    await browser().post('/api/auth/forgot-password', { email: ada.email })
    const reset = await mailedToken(ada.email, 'new password')
    const next = 'a quite new password'
    expect((await ada.post('/api/auth/change-password', { currentPassword: PASSWORD, newPassword: next })).status).toBe(200)
    expect((await browser().post('/api/auth/reset-password', { token: reset, newPassword: 'another password' })).status).toBe(400)
    expect((await signIn(ada.email, next)).status).toBe(200)
  })

  test('A session that has ended no longer confirms without the password', async () => {
    const { client, email, token } = await unconfirmed()
    const copy = new Client(client.origin)
    for (const [name, value] of client.cookies) copy.cookies.set(name, value)
    await client.post('/api/auth/sign-out')
    expect((await confirm(copy, token)).status).toBe(403)
    expect(await isConfirmed(email)).toBe(false)
    expect((await confirm(copy, token, PASSWORD)).status).toBe(200)
    expect(await isConfirmed(email)).toBe(true)
  })

  test('Only the newest link works, and only once', async () => {
    const { client, email, token } = await unconfirmed()
    expect((await client.post('/api/auth/send-verification')).body).toEqual({ success: true })
    await expect.poll(() => mailedToken(email, 'Confirm')).not.toBe(token)
    const newer = await mailedToken(email, 'Confirm')
    for (const password of [undefined, PASSWORD]) expect((await confirm(client, token, password)).status).toBe(410)
    expect(await isConfirmed(email)).toBe(false)
    expect((await confirm(client, newer)).status).toBe(200)
    expect([(await confirm(client, newer)).status, (await scan(newer)).status]).toEqual([410, 410])
  })

  test.each(['x', 'a.b.c', '%00', '~', 'x~y', 'x'.repeat(4_000)])('The token %j confirms nothing', async (token) => {
    expect((await confirm(await register('ada'), token)).status).toBe(410)
    expect((await browser().get(`/api/auth/verify-email?${new URLSearchParams({ token })}`)).status).toBe(410)
  })

  test('A confirmed address is not mailed again', async () => {
    const confirmed = await register('ada')
    expect((await confirmed.post('/api/auth/send-verification')).status).toBe(200)
  })
})

describe('the mail about a changed account', () => {
  const { authUrl, origin } = inject('stack')
  const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0'
  const NEXT = 'a quite new password'
  const [PASSWORD_CHANGED, ADDRESS_CHANGED] = ['The password of your', 'The address of your']
  const TODAY = /\n\d{1,2} \p{L}+ 20\d\d/u

  const changePassword = (who: Client, currentPassword: string) =>
    who.post('/api/auth/change-password', { currentPassword, newPassword: NEXT }, { headers: { 'user-agent': FIREFOX } })
  /** A new address that is not yet confirmed, and the token of the link in the mail to it. */
  const askForAddress = async (who: Client) => {
    const next = newAddress()
    expect((await who.post('/api/auth/change-email', { email: next })).status).toBe(200)
    return { next, token: await mailedToken(next, 'Confirm') }
  }

  test('Who changes the password gets a mail that says so, once, and how to set another', async () => {
    const ada = await register('ada')
    expect((await changePassword(ada, 'not the password')).status).toBe(400)
    expect((await changePassword(ada, PASSWORD)).status).toBe(200)
    const { text, link } = await mailTo(ada.email, PASSWORD_CHANGED)
    expect(text).toContain(`The password of the Cairn account ${ada.email} was changed.`)
    expect(text).toMatch(TODAY)
    expect(text).toContain('Firefox on Linux')
    expect(text).toContain(`If it was not, set a new password at once, which signs out every device: ${origin}/forgot-password`)
    expect(link).toBe(`${origin}/forgot-password`)
    expect(await countMails(ada.email, PASSWORD_CHANGED)).toBe(1)
  })

  test('Who sets a forgotten password gets the same mail', async () => {
    const ada = await register('ada')
    await browser().post('/api/auth/forgot-password', { email: ada.email })
    const reset = { token: await mailedToken(ada.email, 'new password'), newPassword: NEXT }
    expect((await browser().post('/api/auth/reset-password', reset, { headers: { 'user-agent': FIREFOX } })).status).toBe(200)
    const { text } = await mailTo(ada.email, PASSWORD_CHANGED)
    expect(text).toContain('Firefox on Linux')
    expect((await browser().post('/api/auth/reset-password', reset)).status).toBe(400)
    expect(await countMails(ada.email, PASSWORD_CHANGED)).toBe(1)
  })

  test('The mail is in the language of its reader', async () => {
    const ada = await register('ada')
    expect((await ada.put('/api/users/profile', { displayLanguage: 'de' })).status).toBe(200)
    expect((await changePassword(ada, PASSWORD)).status).toBe(200)
    expect((await mailTo(ada.email, 'Passwort')).text).toMatch(/\n\d{1,2}\. \p{L}+ 20\d\d · Firefox unter Linux/u)
  })

  test.each(['in the session that asked', 'elsewhere, by the password', 'at the sign-in service itself'])(
    'The old address hears that the account has another, confirmed %s, and not which',
    async (where) => {
      const ada = await register('ada')
      const { next, token } = await askForAddress(ada)
      await expect(mailTo(ada.email, ADDRESS_CHANGED, 300)).rejects.toThrow('No mail')
      if (where.includes('itself')) {
        const [own = ''] = token.split('~')
        await fetch(`${authUrl}/verify-email?${new URLSearchParams({ token: own })}`)
        expect((await signIn(next)).status).toBe(200)
      } else {
        const given = where.includes('password') ? { token, password: PASSWORD } : { token }
        expect((await (where.includes('password') ? browser() : ada).post('/api/auth/verify-email', given)).status).toBe(200)
      }
      const { text, html, link } = await mailTo(ada.email, ADDRESS_CHANGED)
      expect(text).toContain(`The Cairn account ${ada.email} has another e-mail address from now on.`)
      expect(text).toMatch(TODAY)
      expect(text).toContain('If it was not, tell the site’s operator at once:')
      expect([text, html, link].join()).not.toContain(next)
      expect((await signIn(next)).status).toBe(200)
      expect(await countMails(ada.email, ADDRESS_CHANGED)).toBe(1)
      expect(await countMails(next, ADDRESS_CHANGED)).toBe(0)
    },
  )

  test('An address that was never confirmed gets none', async () => {
    const { client, email } = await unconfirmed()
    expect((await changePassword(client, PASSWORD)).status).toBe(200)
    const { token } = await askForAddress(client)
    expect((await client.post('/api/auth/verify-email', { token })).status).toBe(200)
    await expect(mailTo(email, 'of your Cairn account was changed', 500)).rejects.toThrow('No mail')
  })
})

describe('the mails of the sign-in service', () => {
  const { authUrl, origin } = inject('stack')
  const atService = (path: string, body: object) =>
    fetch(authUrl + path, { method: 'POST', headers: { origin, 'content-type': 'application/json' }, body: JSON.stringify(body) })

  test('Whoever calls the service itself makes it send no mail', async () => {
    const { email } = await register('ada')
    await atService('/request-password-reset', { email, redirectTo: `${origin}/reset-password` })
    const stranger = newAddress()
    await atService('/sign-up/email', { email: stranger, password: PASSWORD, name: 'Eve' })
    await expect(mailTo(email, 'new password', 300)).rejects.toThrow('No mail')
    await expect(mailTo(stranger, 'Cairn', 300)).rejects.toThrow('No mail')
  })

  test('What was asked for once is mailed once, however often the service is asked for it', async () => {
    const { email } = await register('ada')
    await browser().post('/api/auth/forgot-password', { email })
    const token = await mailedToken(email, 'new password')
    const asked = token.split('~')[1] ?? ''
    for (let again = 0; again < 2; again++) {
      await atService('/request-password-reset', { email, redirectTo: `${origin}/reset-password?${new URLSearchParams({ asked })}` })
    }
    // A mail that was asked for later arrives later.
    await browser().post('/api/auth/forgot-password', { email })
    await expect.poll(() => mailedToken(email, 'new password')).not.toBe(token)
    expect(await countMails(email, 'new password')).toBe(2)
  })

  test.each([
    ['no signature', {}],
    [
      'a signature of somebody else',
      { 'x-neon-signature': 'eyJhbGciOiJFZERTQSIsImtpZCI6IngifQ..AAAA', 'x-neon-timestamp': String(Date.now()) },
    ],
    ['no algorithm', { 'x-neon-signature': 'eyJhbGciOiJub25lIn0..', 'x-neon-timestamp': String(Date.now()) }],
  ])('A call that asks for a mail with %s is refused', async (_, headers) => {
    const event = { event_id: 'x', event_type: 'send.magic_link', user: { email: newAddress() }, event_data: {} }
    const response = await fetch(`${origin}/_hooks/sign-in`, { method: 'POST', headers, body: JSON.stringify(event) })
    expect([response.status, (await response.json()) as unknown]).toMatchObject([401, { error: { code: 'unauthenticated' } }])
  })
})
