import { Hono } from 'hono'
import { afterEach, expect, test, vi } from 'vitest'
import type { AppEnv } from '../context.ts'
import { onError } from './errors.ts'
import { logRequest } from './log-request.ts'

const app = new Hono<AppEnv>()
  .use('/api/*', (c, next) => {
    c.set('requestId', 'r1')
    return next()
  })
  .use('/api/*', logRequest)
  .get('/api/collections/:id/members/:userId', (c) => c.json({}))
  .put('/api/collections/:id/members/:userId', () => {
    throw new Error('Failed query: insert into users\nparams: ada@example.org', { cause: new Error('connection lost') })
  })
  .all('/api/*', (c) => c.json({}, 404))
  .onError(onError)

const lines: Record<string, unknown>[] = []
const keep = (line: string) => void lines.push(JSON.parse(line))
vi.spyOn(console, 'info').mockImplementation(keep)
vi.spyOn(console, 'error').mockImplementation(keep)
afterEach(() => void lines.splice(0))

const PATH = '/api/collections/0190/members/user-7?search=ada@example.org'

test('a call is logged as one line with its route and without personal data', async () => {
  await app.request(PATH, { headers: { authorization: 'Bearer cairn_secret', cookie: 'session=secret' } })
  expect(lines).toEqual([
    {
      level: 'info',
      request: 'r1',
      method: 'GET',
      route: '/api/collections/:id/members/:userId',
      status: 200,
      ms: expect.any(Number),
    },
  ])
})

test('an unknown path is not logged', async () => {
  await app.request('/api/ada@example.org')
  expect(lines).toMatchObject([{ route: 'none', status: 404 }])
})

test('an error is logged with its route and cause, and without the values of a statement', async () => {
  await app.request(PATH, { method: 'PUT' })
  expect(lines).toMatchObject([
    { level: 'error', request: 'r1', route: '/api/collections/:id/members/:userId' },
    { level: 'info', status: 500 },
  ])
  expect(JSON.stringify(lines)).toContain('connection lost')
  expect(JSON.stringify(lines)).not.toMatch(/ada@example|user-7|0190/)
})
