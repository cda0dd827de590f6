import { once } from 'node:events'
import { createServer } from 'node:http'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { isSignedHook } from '../worker/auth/hook-signature.ts'
import { type Stack, startStack } from './stack.ts'

let stack: Stack
/** Requests for mails that the service sent to the app. */
const asked: { body: string; headers: Headers }[] = []
const app = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => (body += chunk))
  request.on('end', () => {
    asked.push({ body, headers: new Headers(request.headers as Record<string, string>) })
    response.end()
  })
})
beforeAll(async () => {
  stack = await startStack({ worker: false, assets: false, migrations: false })
  await once(app.listen(Number(new URL(stack.origin).port), '127.0.0.1'), 'listening')
}, 60_000)
afterAll(async () => {
  app.closeAllConnections()
  app.close()
  await stack.stop()
})

/** The parts of the service's answers that these tests check. */
type Answer = { token: string; user: { emailVerified: boolean } }

async function call(path: string, body?: object, cookie = '') {
  const headers = { origin: stack.origin, cookie, ...(body && { 'content-type': 'application/json' }) }
  const response = await fetch(stack.auth.url + path, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) })
  const session = response.headers.getSetCookie().find((value) => value.includes('session_token='))
  return { status: response.status, body: (await response.json()) as Answer, cookie: session?.split(';')[0] ?? '' }
}

type Event = { user: { email: string }; event_data: { link_type: string; token: string; link_url: string } }

/** The first event of this kind, which is sent after the answer to the call. */
async function first(kind: string): Promise<Event> {
  const events = () => asked.map(({ body }) => JSON.parse(body) as Event).filter(({ event_data }) => event_data.link_type === kind)
  await expect.poll(events).toHaveLength(1)
  return events()[0] as Event
}

test('A session can be exchanged for a token that verifies against the published keys', async () => {
  const { cookie } = await call('/sign-up/email', { email: 'Ada@example.org', password: 'correct horse', name: 'Ada' })
  const { body } = await call('/token', undefined, cookie)
  const keys = createRemoteJWKSet(new URL(`${stack.auth.url}/.well-known/jwks.json`))
  const { AUTH_ISSUER = '', AUTH_AUDIENCE = '' } = stack.vars
  const { payload } = await jwtVerify(body.token, keys, { issuer: AUTH_ISSUER, audience: AUTH_AUDIENCE, algorithms: ['EdDSA'] })
  expect(payload).toMatchObject({ email: 'ada@example.org', emailVerified: false, name: 'Ada', sub: payload.id })
})

test('The app is asked for mails, whose tokens confirm the address and reset the password once', async () => {
  const redirectTo = `${stack.origin}/reset-password?asked=sealed`
  await call('/request-password-reset', { email: 'ada@example.org', redirectTo })
  const [reset, confirm] = [await first('forget-password'), await first('email-verification')]
  expect([reset.user.email, confirm.user.email]).toEqual(['ada@example.org', 'ada@example.org'])
  expect(new URL(reset.event_data.link_url).searchParams.get('callbackURL')).toBe(redirectTo)

  expect((await call(`/verify-email?token=${confirm.event_data.token}`)).status).toBe(200)
  const { token } = reset.event_data
  expect((await call('/reset-password', { token, newPassword: 'battery staple' })).status).toBe(200)
  expect((await call('/reset-password', { token, newPassword: 'again again' })).status).toBe(400)
  expect((await call('/sign-in/email', { email: 'ADA@example.org', password: 'correct horse' })).status).toBe(401)
  const signedIn = await call('/sign-in/email', { email: 'ADA@example.org', password: 'battery staple' })
  expect(signedIn.body.user.emailVerified).toBe(true)
})

test('What asks for a mail is signed as Neon Auth signs it, and nothing that was changed passes', async () => {
  const [call] = asked
  if (!call) throw new Error('The app was not asked for a mail')
  const { body, headers } = call
  const jwksUrl = `${stack.auth.url}/.well-known/jwks.json`
  const changed = (name: string, value: string) => {
    const copy = new Headers(headers)
    copy.set(name, value)
    return copy
  }
  const [header, , signature = ''] = headers.get('x-neon-signature')?.split('.') ?? []
  const timestamp = Number(headers.get('x-neon-timestamp'))
  expect(await isSignedHook(body, headers, jwksUrl)).toBe(true)
  expect(await isSignedHook(body.replace('ada@', 'eve@'), headers, jwksUrl)).toBe(false)
  for (const other of [
    changed('x-neon-timestamp', String(timestamp + 1)),
    changed('x-neon-timestamp', 'NaN'),
    changed('x-neon-signature', `${header}.e30.${signature}`),
    changed('x-neon-signature', `${header}..${signature.slice(0, -4)}AAAA`),
    changed('x-neon-signature', ''),
  ]) {
    expect(await isSignedHook(body, other, jwksUrl)).toBe(false)
  }
})

test('A signed call is refused when it arrives more than five minutes late', async () => {
  const [call] = asked
  if (!call) throw new Error('The app was not asked for a mail')
  vi.useFakeTimers({ now: Date.now() + 6 * 60_000, toFake: ['Date'] })
  try {
    expect(await isSignedHook(call.body, call.headers, `${stack.auth.url}/.well-known/jwks.json`)).toBe(false)
  } finally {
    vi.useRealTimers()
  }
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

test('The mail catcher keeps and shows the header fields and pictures of a mail', async () => {
  const mail = {
    to: 'eve@example.org',
    subject: 'New',
    text: 'x',
    replyTo: 'k1@in.cairn.example',
    headers: { 'List-Id': '<1.cairn.example>' },
    attachments: [
      { name: 'Lake "1".jpg', type: 'image/jpeg', content: Buffer.from('x'.repeat(200_000)).toString('base64'), cid: 'p1@cairn' },
    ],
  }
  const send = (body: object) =>
    fetch(`${stack.auth.origin}/outbox`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  expect((await send(mail)).status).toBe(201)
  expect((await send({ ...mail, headers: { 'List-Id': 'a\r\nBcc: bob@example.org' } })).status).toBe(400)
  expect(await stack.mailCatcher.list('eve@example.org')).toMatchObject([mail])
  const page = await fetch(`${stack.auth.origin}/outbox`)
  expect(page.headers.get('content-security-policy')).toContain('img-src data:')
  expect(await page.text()).toMatch(
    /<img src="data:image\/jpeg;base64,[\w+/=]+" alt="Lake &quot;1&quot;.jpg">[\s\S]*<dd>&lt;1.cairn.example&gt;<\/dd>/,
  )
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
