import { createRemoteJWKSet, jwtVerify } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Stack, startStack } from './stack.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack({ worker: false, assets: false, migrations: false })
}, 60_000)
afterAll(() => stack.stop())

/** The parts of the service's answers that these tests check. */
type Answer = { token: string; user: { emailVerified: boolean } }

async function call(path: string, body?: object, cookie = '') {
  const headers = { origin: stack.origin, cookie, ...(body && { 'content-type': 'application/json' }) }
  const response = await fetch(stack.auth.url + path, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) })
  const session = response.headers.getSetCookie().find((value) => value.includes('session_token='))
  return { status: response.status, body: (await response.json()) as Answer, cookie: session?.split(';')[0] ?? '' }
}

function tokenOf(mail: { link?: string | undefined } | undefined): string {
  return new URL(mail?.link ?? '').searchParams.get('token') ?? ''
}

test('A session can be exchanged for a token that verifies against the published keys', async () => {
  const { cookie } = await call('/sign-up/email', { email: 'Ada@example.org', password: 'correct horse', name: 'Ada' })
  const { body } = await call('/token', undefined, cookie)
  const keys = createRemoteJWKSet(new URL(`${stack.auth.url}/.well-known/jwks.json`))
  const { AUTH_ISSUER = '', AUTH_AUDIENCE = '' } = stack.vars
  const { payload } = await jwtVerify(body.token, keys, { issuer: AUTH_ISSUER, audience: AUTH_AUDIENCE, algorithms: ['EdDSA'] })
  expect(payload).toMatchObject({ email: 'ada@example.org', emailVerified: false, name: 'Ada', sub: payload.id })
})

test('Links in mails lead to the app, confirm the address, and reset the password once', async () => {
  await call('/request-password-reset', { email: 'ada@example.org' })
  const [reset, confirm] = await stack.mailCatcher.list('ada@example.org')
  expect(reset?.link).toMatch(`${stack.origin}/reset-password?token=`)
  expect(confirm?.link).toMatch(`${stack.origin}/api/auth/verify-email?token=`)

  expect((await call(`/verify-email?token=${tokenOf(confirm)}`)).status).toBe(200)
  expect((await call('/reset-password', { token: tokenOf(reset), newPassword: 'battery staple' })).status).toBe(200)
  expect((await call('/reset-password', { token: tokenOf(reset), newPassword: 'again again' })).status).toBe(400)
  expect((await call('/sign-in/email', { email: 'ADA@example.org', password: 'correct horse' })).status).toBe(401)
  const signedIn = await call('/sign-in/email', { email: 'ADA@example.org', password: 'battery staple' })
  expect(signedIn.body.user.emailVerified).toBe(true)
})

test('A foreign page cannot send mail to the mail catcher', async () => {
  const send = (headers: Record<string, string>) =>
    fetch(`${stack.auth.origin}/outbox`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ to: 'bob@example.org', subject: 'Hi', text: 'x' }),
    })
  expect((await send({ 'content-type': 'text/plain' })).status).toBe(415)
  expect((await send({ 'content-type': 'application/json' })).status).toBe(201)
  expect(await stack.mailCatcher.list('bob@example.org')).toHaveLength(1)
})

test('The service answers 503 without its database, and recovers', async () => {
  await stack.killDatabase()
  const credentials = { email: 'ada@example.org', password: 'battery staple' }
  const response = await fetch(`${stack.auth.url}/sign-in/email`, {
    method: 'POST',
    headers: { origin: stack.origin, 'content-type': 'application/json' },
    body: JSON.stringify(credentials),
  })
  expect(response.status).toBe(503)
  await stack.postgres.start()
  expect((await call('/sign-in/email', credentials)).status).toBe(200)
})
