import { afterEach, expect, test, vi } from 'vitest'
import { betterAuth } from './better-auth.ts'

const provider = betterAuth({ url: 'https://auth.example/auth', issuer: 'i', audience: 'a', appOrigin: 'https://cairn.example' })
const answering = (status: number, body: object) => vi.stubGlobal('fetch', async () => Response.json(body, { status }))

afterEach(() => {
  vi.unstubAllGlobals()
})

test.each(['PASSWORD_TOO_SHORT', 'PASSWORD_TOO_LONG', 'PASSWORD_COMPROMISED'])(
  'the error %s has the field of our own call',
  async (code) => {
    answering(400, { code })
    const message = expect.stringMatching(/^(Choose a password of another length|This password is known from a leak)/)
    await expect(provider.resetPassword('token', 'password')).rejects.toMatchObject({ code: 'invalid', fields: { newPassword: message } })
    await expect(provider.signUp({ email: 'a@example.org', password: 'password', name: 'A' }, 'asked')).rejects.toMatchObject({
      fields: { password: message },
    })
  },
)
