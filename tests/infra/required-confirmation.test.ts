import { afterAll, beforeAll, expect, test } from 'vitest'
import { WORKER_BUNDLE } from '../../dev/build-worker.ts'
import { Client } from '../../dev/http-client.ts'
import { type Stack, startStack } from '../../dev/stack.ts'
import { PASSWORD } from '../support/world.ts'

// A sign-in service that begins no session before the address is confirmed, as a site with Neon Auth should have it.
let stack: Stack
beforeAll(async () => {
  stack = await startStack({
    worker: WORKER_BUNDLE,
    assets: false,
    requireConfirmation: true,
    vars: { RATE_LIMIT_FACTOR: '1000' },
  })
})
afterAll(() => stack?.stop())

const post = (path: string, body: object) => new Client(stack.origin).post(path, body)
const signUp = (email: string, password = PASSWORD) => post('/api/auth/sign-up', { email, password })
const signIn = (email: string) => post('/api/auth/sign-in', { email, password: PASSWORD })

/** The token of the newest of so many mails. */
async function token(email: string, mails: number): Promise<string> {
  await expect.poll(() => stack.mailCatcher.list(email)).toHaveLength(mails)
  const [newest] = await stack.mailCatcher.list(email)
  return new URL(newest?.link ?? '').searchParams.get('token') ?? ''
}

test('The link is confirmed with the password, and then the account signs in', async () => {
  const email = 'ada@example.org'
  expect((await signUp(email)).body).toEqual({ success: true, verify: true })
  const link = await token(email, 1)
  expect((await post('/api/auth/verify-email', { token: link })).status).toBe(403)
  expect((await post('/api/auth/verify-email', { token: link, password: 'not the password' })).status).toBe(400)
  expect((await signIn(email)).status).toBe(403)
  const newer = await token(email, 2)
  expect((await post('/api/auth/verify-email', { token: newer, password: PASSWORD })).status).toBe(200)
  expect((await signIn(email)).body.user).toMatchObject({ email, emailVerified: true })
})

test('Somebody else who registers with the address does not void its link', async () => {
  const email = 'bob@example.org'
  await signUp(email)
  const link = await token(email, 1)
  expect((await signUp(email, 'another password')).body).toEqual({ success: true, verify: true })
  expect((await post('/api/auth/verify-email', { token: link, password: PASSWORD })).status).toBe(200)
  expect((await signIn(email)).status).toBe(200)
})

test('Signing in with the right password mails a new link, and with a wrong one none', async () => {
  const email = 'cy@example.org'
  await signUp(email)
  const link = await token(email, 1)
  expect((await post('/api/auth/sign-in', { email, password: 'not the password' })).status).toBe(401)
  const refused = await signIn(email)
  expect([refused.status, refused.body.error.message]).toEqual([403, `Confirm your e-mail address first. We sent a link to ${email}`])
  const newer = await token(email, 2)
  expect((await post('/api/auth/verify-email', { token: link, password: PASSWORD })).status).toBe(410)
  expect((await post('/api/auth/verify-email', { token: newer, password: PASSWORD })).status).toBe(200)
})
