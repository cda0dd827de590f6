import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { newId } from '../../contract/ids.ts'
import { LIMITS } from '../../contract/limits.ts'
import { sendRaw } from '../support/raw-http.ts'
import { type Actor, register, world } from '../support/world.ts'

const headOf = (actor: Actor, path: string, ...more: string[]) => [
  `POST ${path} HTTP/1.1`,
  `Origin: ${actor.origin}`,
  `Cookie: ${actor.cookieHeader()}`,
  'Content-Type: application/json',
  ...more,
]

/** Checks that a request had no effect. */
async function nothingOf(ada: Actor) {
  expect((await ada.get('/api/post')).body.posts).toEqual([])
  expect((await ada.get('/api/collections')).body.collections).toEqual([])
}

describe('an invalid body', () => {
  const note = JSON.stringify({ type: 'note', title: 'x' })
  test.each([
    ['gzip', gzipSync(note), { 'content-encoding': 'gzip' }, 415],
    ['gzip that says it is JSON', gzipSync(note), {}, 400],
    ['UTF-16', Buffer.from(note, 'utf16le'), {}, 400],
    ['UTF-16 with its charset', Buffer.from(note, 'utf16le'), { 'content-type': 'application/json; charset=utf-16' }, 415],
    ['a byte order mark', Buffer.from(`\ufeff${note}`), {}, 400],
    ['a byte order mark of UTF-16', Buffer.from([0xff, 0xfe, ...Buffer.from(note, 'utf16le')]), {}, 400],
    ['invalid UTF-8', Buffer.from([...Buffer.from('{"type":"note","title":"'), 0xc3, 0x28, 0x22, 0x7d]), {}, 400],
    ['an overlong encoding', Buffer.from([...Buffer.from('{"type":"note","title":"'), 0xc0, 0xaf, 0x22, 0x7d]), {}, 400],
    ['a duplicate name', Buffer.from('{"type":"note","title":"a","title":"b"}'), {}, 400],
    ['100,000 levels', Buffer.from(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`), {}, 400],
    ['an invalid number', Buffer.from('{"type":"note","title":NaN}'), {}, 400],
    ['nothing', new Uint8Array(), {}, 400],
    ['null', Buffer.from('null'), {}, 400],
    ['a list', Buffer.from(`[${note}]`), {}, 400],
  ])('A body of %s is refused and has no effect', async (_what, bytes, headers, status) => {
    const ada = await register('ada')
    const answer = await ada.post('/api/post', new Uint8Array(bytes), { headers: { 'content-type': 'application/json', ...headers } })
    expect([answer.status, answer.body.success]).toEqual([status, false])
    await nothingOf(ada)
  })
})

describe('a body that is too large', () => {
  test('A large Content-Length is refused at once', async () => {
    const ada = await register('ada')
    for (const path of ['/api/post', '/api/collections', '/api/users/tokens']) {
      const { status, took } = await sendRaw(ada.origin, headOf(ada, path, 'Content-Length: 2147483648'), ['{'])
      expect(status).toBe(413)
      expect(took).toBeLessThan(2_000)
    }
  })

  test.each([2, 5, 8])('A body of %i MiB gets an error answer, not a broken connection', async (size) => {
    const ada = await register('ada')
    const title = 'x'.repeat(size * 2 ** 20)
    for (const path of ['/api/post', '/api/auth/sign-in', `/api/asset/${newId()}/collections`]) {
      expect((await ada.post(path, { title })).status).toBe(413)
    }
  })

  test('A large body without a declared size is refused and not stored', async () => {
    const ada = await register('ada')
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let n = 0; n < 4; n++) controller.enqueue(new Uint8Array(2 ** 20).fill(0x20))
        controller.close()
      },
    })
    const response = await fetch(`${ada.origin}/api/post`, {
      method: 'POST',
      headers: { origin: ada.origin, cookie: ada.cookieHeader(), 'content-type': 'application/json' },
      body: stream,
      duplex: 'half',
    } as RequestInit)
    expect(response.status).toBe(413)
  })

  test('A large body gets an error answer even if the caller may not call', async () => {
    const ada = await register('ada')
    const large = { title: 'x'.repeat(3 * 2 ** 20) }
    const foreign = { headers: { origin: 'https://evil.example' } }
    expect((await ada.post('/api/post', large, foreign)).status).toBe(403)
    ada.cookies.clear()
    expect((await ada.post('/api/post', large)).status).toBe(401)
  })

  test('A large part of a file is refused', async () => {
    const { as } = await world()
    const part = new Uint8Array(LIMITS.partSize + 1)
    expect((await as('ada').put(`/api/asset/${newId()}/parts/1`, part)).status).toBeGreaterThanOrEqual(400)
  })
})

test('A stalled body times out after seconds and delays no other request', async () => {
  const ada = await register('ada')
  const slow = sendRaw(ada.origin, headOf(ada, '/api/post', 'Content-Length: 100'), ['{"type":"note",'])
  const begin = performance.now()
  expect((await ada.get('/api/collections')).status).toBe(200)
  expect(performance.now() - begin).toBeLessThan(3_000)
  const { status, took } = await slow
  expect(status).toBe(400)
  expect(took).toBeLessThan(15_000)
  await nothingOf(ada)
}, 30_000)

describe('excessive headers', () => {
  test.each([
    ['10,000 cookies in one header', [`Cookie: ${Array.from({ length: 10_000 }, (_, n) => `c${n}=${n}`).join('; ')}`]],
    ['10,000 session cookies', [`Cookie: ${Array.from({ length: 10_000 }, (_, n) => `session.${n}=x`).join('; ')}`]],
    ['10,000 headers of cookies', Array.from({ length: 10_000 }, (_, n) => `Cookie: c${n}=${n}`)],
    ['10,000 headers', Array.from({ length: 10_000 }, (_, n) => `X-${n}: ${n}`)],
    ['one header of a megabyte', [`X-Large: ${'x'.repeat(2 ** 20)}`]],
    ['an access token of 100 KB', [`Authorization: Bearer cairn_${'x'.repeat(100_000)}`]],
  ])('%s: the request is refused or the connection closed, quickly', async (_what, headers) => {
    const { origin } = await register('ada')
    const { status, took } = await sendRaw(origin, ['GET /api/collections HTTP/1.1', ...headers])
    expect(status === 0 || (status >= 400 && status < 500), String(status)).toBe(true)
    expect(took).toBeLessThan(5_000)
    expect((await fetch(`${origin}/api/health`)).status).toBe(200)
  })
})
