import { afterAll, beforeAll, expect, test } from 'vitest'
import { WORKER_BUNDLE } from '../../dev/build-worker.ts'
import { Client } from '../../dev/http-client.ts'
import { type Stack, startStack } from '../../dev/stack.ts'
import { sessionCookies } from '../support/sessions.ts'

let stack: Stack
let ada: Client

beforeAll(async () => {
  stack = await startStack({ worker: WORKER_BUNDLE, assets: false })
  ada = new Client(stack.origin)
  await ada.post('/api/auth/sign-up', { email: 'ada@example.org', password: 'correct horse battery' })
})

afterAll(() => stack?.stop())

test('With the sign-in service down sessions still work, signing in reports it, and signing out works', async () => {
  expect((await ada.get('/api/users/profile')).status).toBe(200)
  await stack.auth.stop()

  expect((await ada.get('/api/users/profile')).status).toBe(200)
  const other = new Client(stack.origin)
  const answer = await other.post('/api/auth/sign-in', { email: 'ada@example.org', password: 'correct horse battery' })
  expect(answer.status).toBe(503)
  expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
  expect(sessionCookies(other)).toEqual([])

  expect((await ada.post('/api/auth/sign-out')).status).toBe(200)
  expect(sessionCookies(ada)).toEqual([])
  expect((await ada.get('/api/collections')).status).toBe(401)
})
