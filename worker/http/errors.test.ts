import { NeonDbError } from '@neondatabase/serverless'
import { Hono } from 'hono'
import { describe, expect, test, vi } from 'vitest'
import { app } from '../app.ts'
import type { AppEnv } from '../context.ts'
import { notFound, onError, unavailable } from './errors.ts'

async function answerTo(code: string | undefined, detail?: string) {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const app = new Hono<AppEnv>().onError(onError).get('/', () => {
    // Wrapped as by drizzle.
    throw new Error('Failed query', { cause: Object.assign(new NeonDbError('secret detail'), { code, detail }) })
  })
  const answer = await app.request('/')
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), text: await answer.text() }
}

describe('database errors', () => {
  test.each([
    ['a deadlock', '40P01'],
    ['a serialization failure', '40001'],
    ['too many connections', '53300'],
    ['a full disk', '53100'],
    ['out of memory', '53200'],
    ['a statement timeout', '57014'],
    ['shutting down', '57P01'],
    ['starting up', '57P03'],
    ['a broken connection', '08006'],
    ['an I/O error', '58030'],
    ['a lock timeout', '55P03'],
    ['an idle session timeout', '25P03'],
    ['a read-only standby', '25006'],
    ['no error code', undefined],
  ])('%s (%s) is 503 with Retry-After and without details', async (_what, code) => {
    const { status, retryAfter, text } = await answerTo(code)
    expect([status, retryAfter, JSON.parse(text).error.code]).toEqual([503, '2', 'unavailable'])
    expect(text).not.toContain('secret')
  })

  test('a foreign key violation is 404 for a missing row, and 500 for one that is still referenced', async () => {
    const gone = await answerTo('23503', 'Key (collection_id)=(secret) is not present in table "collections".')
    expect([gone.status, JSON.parse(gone.text).error.code]).toEqual([404, 'not_found'])
    expect(gone.text).not.toContain('secret')
    const referenced = await answerTo('23503', 'Key (id)=(secret) is still referenced from table "posts".')
    expect(referenced.status).toBe(500)
  })

  test.each(['23505', '22P02', '42P01', 'XX000'])('the database error %s is 500 without details', async (code) => {
    const { status, text } = await answerTo(code)
    expect([status, JSON.parse(text).error.code]).toEqual([500, 'internal'])
    expect(text).not.toContain('secret')
  })
})

describe('error pages', () => {
  async function opened(thrown: unknown, mode = 'navigate') {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const broken = { APP_ORIGIN: 'https://cairn.example.org', ASSETS: { fetch: () => Promise.reject(thrown) } }
    const answer = await app.request('https://cairn.example.org/about', { headers: { 'sec-fetch-mode': mode, 'cf-ray': 'ray-1' } }, broken)
    return { answer, text: await answer.text(), log }
  }

  test('a navigation that fails gets a page with the request id of the log and a link home', async () => {
    const { answer, text, log } = await opened(new Error('secret detail'))
    expect([answer.status, answer.headers.get('content-type')]).toEqual([500, expect.stringContaining('text/html')])
    expect(text).toContain('<h1>Internal Server Error</h1>')
    expect(text).toContain('<code>ray-1</code>')
    expect(text).toContain('<a href="/">Home</a>')
    expect(text).not.toMatch(/secret|<script| on\w+=/)
    expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'")
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(log.mock.lastCall?.[0]).toContain('"request":"ray-1"')
  })

  test.each([
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'text/html'],
    ['*/*', 'application/json'],
    ['application/json, text/html', 'application/json'],
  ])('a browser that does not tell how it fetches, and accepts %s, gets %s', async (accept, expected) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const broken = { APP_ORIGIN: 'https://cairn.example.org', ASSETS: { fetch: () => Promise.reject(new Error('broken')) } }
    const answer = await app.request('https://cairn.example.org/about', { headers: { accept } }, broken)
    expect(answer.headers.get('content-type')).toContain(expected)
  })

  test('a navigation during an outage gets a page with a link to try again', async () => {
    const { answer, text } = await opened(unavailable('The database does not answer just now. Try again in a moment'))
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2'])
    expect(text).toContain('The database does not answer just now. Try again in a moment.')
    expect(text).toContain('<a href="">Try again</a>')
  })

  test('an error page escapes the message', async () => {
    expect((await opened(notFound('<b>This</b> was not found'))).text).toContain(
      '<p class="message">&lt;b&gt;This&lt;/b&gt; was not found.</p>',
    )
  })

  test('a failed fetch gets JSON', async () => {
    const { answer, text } = await opened(new Error('secret detail'), 'cors')
    expect([answer.status, JSON.parse(text).error.code]).toEqual([500, 'internal'])
    expect(answer.headers.get('x-request-id')).toBe('ray-1')
  })
})
