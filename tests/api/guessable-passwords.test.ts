import { describe, expect, test } from 'vitest'
import { browser, newAddress, signIn } from '../support/accounts.ts'
import { mailedToken } from '../support/mail.ts'
import { PASSWORD, register } from '../support/world.ts'

/** Every call that sets a password; `person` has an account, but for registering. */
const CALLS = {
  registering: async (password: (email: string) => string) => {
    const email = newAddress()
    return { field: 'password', ...(await browser().post('/api/auth/sign-up', { email, password: password(email) })) }
  },
  'changing it': async (password: (email: string) => string) => {
    const person = await register('ada')
    const newPassword = password(person.email)
    return { field: 'newPassword', ...(await person.post('/api/auth/change-password', { currentPassword: PASSWORD, newPassword })) }
  },
  'resetting it': async (password: (email: string) => string) => {
    const { email } = await register('ada')
    await browser().post('/api/auth/forgot-password', { email })
    const token = await mailedToken(email, 'new password')
    return { field: 'newPassword', ...(await browser().post('/api/auth/reset-password', { token, newPassword: password(email) })) }
  },
}

const GUESSES: [what: string, password: (email: string) => string][] = [
  ['a common password', () => 'qwertyuiop'],
  ['a common password of digits', () => '1234567890'],
  ['a common password in capitals', () => 'PASSWORD123'],
  ['the own address', (email) => email],
  ['the own address in capitals', (email) => email.toUpperCase()],
  ['the name in the own address', (email) => email.split('@')[0] ?? ''],
]

describe.each(Object.entries(CALLS))('When %s', (_, set) => {
  test.each(GUESSES)('%s is refused with what to do', async (_what, password) => {
    const { field, status, body } = await set(password)
    expect([status, body.error.code, Object.keys(body.error.fields)]).toEqual([400, 'invalid', [field]])
    expect(body.error.message).toContain('Choose another')
  })
})

test('A refused password leaves the link of a reset as it was, and uncommon passwords of any kind are accepted', async () => {
  const { email } = await register('ada')
  await browser().post('/api/auth/forgot-password', { email })
  const token = await mailedToken(email, 'new password')
  expect((await browser().post('/api/auth/reset-password', { token, newPassword: 'password1' })).status).toBe(400)
  const newPassword = 'zwölf Uhr 🏔️'
  expect((await browser().post('/api/auth/reset-password', { token, newPassword })).status).toBe(200)
  expect((await signIn(email, newPassword)).status).toBe(200)
})
