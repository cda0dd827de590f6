import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WORKER_BUNDLE } from '../../dev/build-worker.ts'
import { Client } from '../../dev/http-client.ts'
import { type Stack, startStack } from '../../dev/stack.ts'
import { PASSWORD } from '../support/world.ts'

/** An HTTP mail service: records invitations, or answers with `failing`. */
const taken: { headers: Record<string, unknown>; body: { to?: string; subject?: string; text?: string; html?: string } }[] = []
let failing = 0
const service = createServer((request, response) => {
  let text = ''
  request.on('data', (chunk) => (text += chunk))
  request.on('end', () => {
    const body = JSON.parse(text)
    if (body.subject.includes('invited')) taken.push({ headers: request.headers, body })
    response.writeHead(failing || 200).end('{}')
  })
})
let stack: Stack
let ada: Client

beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  // A listening server's address is a string only for pipes.
  const MAIL_URL = `http://127.0.0.1:${(service.address() as AddressInfo).port}/emails`
  const vars = { MAIL_URL, MAIL_KEY: 're_hush', MAIL_FROM: 'Cairn <cairn@example.org>', MAIL_FORMAT: 'resend', RATE_LIMIT_FACTOR: '1000' }
  stack = await startStack({ worker: WORKER_BUNDLE, assets: false, vars })
  ada = await signedUp(stack)
})

async function signedUp({ origin, sql }: Stack): Promise<Client> {
  const client = new Client(origin)
  await client.post('/api/auth/sign-up', { email: 'ada@example.org', password: PASSWORD, firstName: 'Ada', lastName: 'Test' })
  await sql`update auth."user" set "emailVerified" = true`
  return client
}

afterAll(async () => {
  await stack?.stop()
  service.closeAllConnections()
  service.close()
})

async function invite(email: string, by = ada) {
  const { collection } = (await by.post('/api/collections', { name: `Kyoto & Nara ${email}` })).body
  const invited = await by.post(`/api/collections/${collection.id}/invites/invite`, { email, role: 'read' })
  const notices = async () => (await by.get(`/api/collections/${collection.id}/notices`)).body
  return { invited, notices, invites: async () => (await by.get(`/api/collections/${collection.id}/invites`)).body.invites }
}

test('A site with a mail service sends the invitation as text and HTML', async () => {
  const { invited } = await invite('bob@example.org')
  expect(invited).toMatchObject({ status: 200, body: { mailed: true } })
  await expect.poll(() => taken.length, { timeout: 15_000 }).toBe(1)
  const [{ headers, body } = { headers: {}, body: {} }] = taken
  expect(headers.authorization).toBe('Bearer re_hush')
  expect(body).toMatchObject({
    from: 'Cairn <cairn@example.org>',
    to: 'bob@example.org',
    subject: 'You are invited to a collection on Cairn',
  })
  expect(body.text).toContain(`${stack.origin}/collections`)
  expect(body.html).toContain('Kyoto &amp; Nara')
})

test('A failing or unreachable mail service does not fail the invitation', async () => {
  failing = 500
  const before = taken.length
  const { invited, invites } = await invite('eve@example.org')
  expect(invited.status).toBe(200)
  await expect.poll(() => taken.length, { timeout: 30_000 }).toBe(before + 4)
  expect(await invites()).toMatchObject([{ email: 'eve@example.org', role: 'read' }])

  service.closeAllConnections()
  await new Promise((resolve) => service.close(resolve))
  const other = await invite('mia@example.org')
  expect(other.invited.status).toBe(200)
  expect(await other.invites()).toHaveLength(1)
})

test('A site without a mail service does not claim to have sent a mail, and says that it sends none', async () => {
  const silent = await startStack({ worker: WORKER_BUNDLE, assets: false, vars: { MAIL_URL: '' } })
  try {
    const { invited, notices } = await invite('zoe@example.org', await signedUp(silent))
    expect(invited).toMatchObject({ status: 200, body: { mailed: false } })
    expect((await notices()).sendsMail).toBe(false)
  } finally {
    await silent.stop()
  }
})

test('A mail given to the mail catcher becomes a post, and a foreign page can give none', async () => {
  const { collection } = (await ada.post('/api/collections', { name: 'Pond' })).body
  const { address } = (await ada.put(`/api/collections/${collection.id}/mail`)).body
  await ada.get(`/api/collections/${collection.id}/mail`)
  const mail = 'From: ada@example.org\nSubject: Herons\nMessage-ID: <1@example.org>\n\nTwo of them.\n'
  const give = (to: string, type = 'message/rfc822') =>
    fetch(`${stack.auth.origin}/inbox?from=ada@example.org&to=${to}`, { method: 'POST', headers: { 'content-type': type }, body: mail })
  expect((await give(address, 'text/plain')).status).toBe(415)
  const refused = await give('nobody@in.cairn.localhost')
  expect([refused.status, await refused.text()]).toEqual([422, expect.stringMatching(/takes no mail from you/)])
  expect((await give(address)).status).toBe(200)
  const { posts } = (await ada.get(`/api/post?collection_id=${collection.id}`)).body
  expect(posts).toMatchObject([{ title: 'Herons', body: '<p>Two of them.</p>' }])
})
