import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Mail, sendMail } from './mail.ts'

const mail = {
  to: 'bob@example.org',
  subject: 'Hello',
  text: 'Hi',
  html: '<p>Hi</p>',
  link: 'https://cairn.example/collections',
}
/** Statuses of the service's next responses; then 200. */
let answers: number[]
/** Seconds. */
let retryAfter: string
let taken: { headers: Record<string, unknown>; body: unknown }[]
let url: string
let warnings: string[]

const server = createServer((request, response) => {
  let text = ''
  request.on('data', (chunk) => (text += chunk))
  request.on('end', () => {
    taken.push({ headers: request.headers, body: JSON.parse(text) })
    response.writeHead(answers.shift() ?? 200, { 'retry-after': retryAfter }).end('{}')
  })
})

beforeEach(async () => {
  ;[answers, retryAfter, taken, warnings] = [[], '0', [], []]
  vi.spyOn(console, 'warn').mockImplementation((line) => void warnings.push(line))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A listening server's address is a string only for pipes.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/send`
})
afterEach(async () => {
  vi.restoreAllMocks()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const { to, subject, text, html, link } = mail
test.each([
  ['', { from: 'Cairn <cairn@example.org>', to, subject, text, html, link }, { authorization: 'Bearer hush' }],
  ['resend', { from: 'Cairn <cairn@example.org>', to, subject, text, html }, { authorization: 'Bearer hush' }],
  [
    'postmark',
    { From: 'Cairn <cairn@example.org>', To: to, Subject: subject, TextBody: text, HtmlBody: html, TrackOpens: false, TrackLinks: 'None' },
    { 'x-postmark-server-token': 'hush' },
  ],
])('sendMail sends a request in the format %j', async (MAIL_FORMAT, body, headers) => {
  await sendMail({ MAIL_URL: url, MAIL_KEY: 'hush', MAIL_FROM: 'Cairn <cairn@example.org>', MAIL_FORMAT }, mail)
  expect(taken).toEqual([
    { body, headers: expect.objectContaining({ ...headers, 'content-type': 'application/json', 'idempotency-key': expect.any(String) }) },
  ])
  expect(warnings).toEqual([])
})

const more = {
  replyTo: 'k1@in.cairn.example',
  headers: { 'List-Id': '<1.cairn.example>', 'Auto-Submitted': 'auto-generated' },
  attachments: [{ name: 'Lake.jpg', type: 'image/jpeg', content: '/9j/', cid: 'p1@cairn' }],
}
test.each([
  ['', more],
  [
    'resend',
    {
      reply_to: more.replyTo,
      headers: more.headers,
      attachments: [{ filename: 'Lake.jpg', content: '/9j/', content_type: 'image/jpeg', content_id: 'p1@cairn' }],
    },
  ],
  [
    'postmark',
    {
      ReplyTo: more.replyTo,
      Headers: [
        { Name: 'List-Id', Value: '<1.cairn.example>' },
        { Name: 'Auto-Submitted', Value: 'auto-generated' },
      ],
      Attachments: [{ Name: 'Lake.jpg', Content: '/9j/', ContentType: 'image/jpeg', ContentID: 'cid:p1@cairn' }],
    },
  ],
])('sendMail sends header fields and pictures in the format %j', async (MAIL_FORMAT, fields) => {
  expect(await sendMail({ MAIL_URL: url, MAIL_FORMAT }, { ...mail, ...more })).toBe(true)
  expect(taken[0]?.body).toMatchObject(fields)
})

test('What becomes a header field has no line breaks', async () => {
  const broken = 'Lake\r\nBcc: eve@example.org\u0000\u2028x'
  await sendMail({ MAIL_URL: url }, {
    ...mail,
    subject: broken,
    replyTo: broken,
    headers: { 'List-Id': broken },
    attachments: [{ ...more.attachments[0], name: broken }],
  } as Mail)
  const line = 'Lake Bcc: eve@example.org x'
  expect(taken[0]?.body).toMatchObject({ subject: line, replyTo: line, headers: { 'List-Id': line }, attachments: [{ name: line }] })
})

test('sendMail sends nothing without MAIL_URL', async () => {
  expect(await sendMail({}, mail)).toBe(false)
  expect(taken).toEqual([])
})

test('sendMail retries a temporary failure at most three times with the same idempotency key', async () => {
  answers = [503, 429, 500]
  await sendMail({ MAIL_URL: url }, mail, { delays: [1, 1, 1] })
  expect(taken).toHaveLength(4)
  expect(new Set(taken.map(({ headers }) => headers['idempotency-key']))).toHaveProperty('size', 1)
  expect(warnings).toEqual([])
  answers = [503, 503, 503, 503, 503]
  expect(await sendMail({ MAIL_URL: url }, mail, { delays: [1, 1, 1] })).toBe(false)
  expect(taken).toHaveLength(8)
  expect(warnings).toEqual([expect.stringContaining('answered 503')])
})

test('sendMail waits for as long as the mail service says', async () => {
  ;[answers, retryAfter] = [[429], '1']
  const begun = performance.now()
  expect(await sendMail({ MAIL_URL: url }, mail, { delays: [1] })).toBe(true)
  expect(performance.now() - begun).toBeGreaterThan(990)
})

test('sendMail logs a refusal or an unreachable service without the content of the mail', async () => {
  answers = [422]
  await sendMail({ MAIL_URL: url, MAIL_KEY: 'hush' }, mail, { delays: [1, 1, 1] })
  expect(taken).toHaveLength(1)
  await sendMail({ MAIL_URL: 'http://127.0.0.1:9/send', MAIL_KEY: 'hush' }, mail, { delays: [1] })
  expect(warnings).toHaveLength(2)
  expect(warnings.join()).not.toMatch(/bob@|hush|Hello/)
})
