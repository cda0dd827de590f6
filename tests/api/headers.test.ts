import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../contract/ids.ts'
import { MAX_REPORT_BYTES, REPORTS_PATH } from '../../worker/http/policy-reports.ts'
import { jpegLike, upload } from '../support/files.ts'
import { sendRaw } from '../support/raw-http.ts'
import { type World, world } from '../support/world.ts'

let w: World
let file: string
beforeAll(async () => {
  w = await world()
  file = (await upload(w.as('ada'), jpegLike())).id
})

const ALWAYS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

describe('security headers', () => {
  test.each<[string, () => ReturnType<World['anonymous']['get']>]>([
    ['an HTML page', () => w.anonymous.get('/api/docs')],
    ['JSON', () => w.as('ada').get('/api/collections')],
    ['a refusal', () => w.anonymous.get('/api/collections')],
    ['an unknown call', () => w.as('ada').get('/api/nothing')],
    ['a foreign call', () => w.as('ada').post('/api/collections', {}, { headers: { origin: 'https://evil.example' } })],
    ['a redirect', () => w.anonymous.get('/api/auth/verify-email?token=x')],
    ['a file', () => w.as('ada').get(`/api/asset/${file}/file`)],
    ['a part of a file', () => w.as('ada').get(`/api/asset/${file}/file`, { headers: { range: 'bytes=0-1' } })],
  ])('%s has the security headers', async (_what, call) => {
    const { headers } = await call()
    for (const [name, value] of Object.entries(ALWAYS)) expect(headers.get(name), name).toBe(value)
    expect(headers.get('content-security-policy')).toMatch(/default-src '(self|none)'|sandbox/)
    // No other site may read an answer.
    expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
  })
})

test('The policy allows only the app’s own scripts and no frames', async () => {
  const policy = (await w.as('ada').get('/api/collections')).headers.get('content-security-policy') ?? ''
  const scripts = policy.split('; ').find((directive) => directive.startsWith('script-src')) ?? ''
  expect(scripts).toContain("'self'")
  expect(scripts).not.toMatch(/'unsafe-(inline|eval)'|https?:|\*/)
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).toContain("object-src 'none'")
  expect(policy).toContain("base-uri 'none'")
})

test('The policy asks for Trusted Types and names who may make them', async () => {
  const policy = (await w.anonymous.get('/api/collections')).headers.get('content-security-policy')
  expect(policy).toContain("; require-trusted-types-for 'script'; trusted-types default cairn ProseMirrorClipboard;")
})

describe('what browsers report', () => {
  const report = (body: unknown, type = 'application/csp-report') => w.anonymous.post(REPORTS_PATH, JSON.stringify(body), { type })

  test('The policy names where to report, in both spellings', async () => {
    const { headers } = await w.anonymous.get('/api/collections')
    expect(headers.get('content-security-policy')).toMatch(new RegExp(`; report-uri ${REPORTS_PATH}; report-to policy$`))
    expect(headers.get('reporting-endpoints')).toBe(`policy="${REPORTS_PATH}"`)
  })

  test('A report is taken without a session, whatever is in it, and the answer says nothing', async () => {
    for (const body of [{ 'csp-report': { 'blocked-uri': 'inline' } }, [{ type: 'csp-violation', body: {} }], null, '['.repeat(5_000)]) {
      const { status, bytes } = await report(body)
      expect([status, bytes.length]).toEqual([204, 0])
    }
    expect((await w.anonymous.post(REPORTS_PATH, '{', { type: 'application/reports+json' })).status).toBe(204)
  })

  test('A report that is too large is refused', async () => {
    expect((await report({ 'csp-report': { 'blocked-uri': 'x'.repeat(MAX_REPORT_BYTES) } })).status).toBe(413)
  })
})

test('A site that names no contact for security has no security.txt', async () => {
  const { status, body } = await w.anonymous.get('/.well-known/security.txt')
  expect([status, body.error.code]).toEqual([404, 'not_found'])
})

test('An answer in JSON is stored by no cache, unless its call says how', async () => {
  const cached = async (path: string, client: World['anonymous'] = w.as('ada')) => (await client.get(path)).headers.get('cache-control')
  for (const path of [
    '/api/users/profile',
    '/api/collections',
    `/api/collections/${w.collection.id}/members`,
    '/api/nothing',
    `/_image/w_1/${file}`,
  ])
    expect(await cached(path), path).toBe('private, no-store')
  expect(await cached('/api/collections', w.anonymous)).toBe('private, no-store')
  const list = await w.as('ada').get(`/api/post?collection_id=${w.collection.id}`)
  expect(list.headers.get('cache-control')).toBe('private, no-cache')
  const known = { headers: { 'if-none-match': list.headers.get('etag') ?? '' } }
  expect((await w.as('ada').get(`/api/post?collection_id=${w.collection.id}`, known)).status).toBe(304)
})

test('A CORS preflight from a foreign page is not allowed', async () => {
  const headers = {
    origin: 'https://evil.example',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization',
  }
  const answer = await w.anonymous.call('OPTIONS', `/api/post/${newId()}`, undefined, { headers })
  expect(answer.headers.get('access-control-allow-origin')).toBeNull()
})

test('A request keeps a plausible id from the caller and gets a new one otherwise', async () => {
  const idOf = async (ray: string) => (await w.anonymous.get('/api/health', { headers: { 'cf-ray': ray } })).headers.get('x-request-id')
  expect(await idOf('8f0a1b2c3d4e5f60-VIE')).toBe('8f0a1b2c3d4e5f60-VIE')
  expect(await idOf('{"level":"error"}')).toMatch(/^[0-9a-f-]{36}$/)
})

test('Every answer has a request id, including pages and files', async () => {
  for (const path of ['/', '/about', '/robots.txt', '/api/docs', `/api/asset/${file}/file`])
    expect((await w.as('ada').get(path)).headers.get('x-request-id'), path).toMatch(/^[0-9a-f-]{36}$/)
})

test('A failed API address opened in a browser shows a page with a link home', async () => {
  // fetch does not allow setting this header.
  const { status, text } = await sendRaw(w.origin, ['GET /api/%3Cb%3Enothing HTTP/1.1', 'Sec-Fetch-Mode: navigate'])
  expect(status).toBe(404)
  expect(text).toMatch(/^content-type: text\/html/im)
  expect(text).toContain('<h1>Page Not Found</h1>')
  expect(text).not.toContain('<b>')
})
