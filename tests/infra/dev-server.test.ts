import { afterAll, beforeAll, expect, test } from 'vitest'
import { WORKER_BUNDLE } from '../../dev/build-worker.ts'
import { Client } from '../../dev/http-client.ts'
import { freePort } from '../../dev/ports.ts'
import { type Stack, startStack } from '../../dev/stack.ts'
import { startWebServer } from '../../dev/web-server.ts'

let stack: Stack
let web: Awaited<ReturnType<typeof startWebServer>>

beforeAll(async () => {
  const port = await freePort()
  stack = await startStack({ port, fronted: true, worker: WORKER_BUNDLE, assets: false })
  web = await startWebServer({ port, workerOrigin: stack.worker.origin })
})

afterAll(async () => {
  await web?.stop()
  await stack?.stop()
})

test('With hot reload the worker serves the API and Vite the pages', async () => {
  const anyone = new Client(stack.origin)
  expect((await anyone.get('/api/health')).body).toMatchObject({ success: true })
  expect((await anyone.post('/api/auth/sign-up', { email: 'ada@example.org', password: 'correct horse battery' })).status).toBe(201)
  const page = await anyone.get('/collections', { headers: { accept: 'text/html' } })
  expect(new TextDecoder().decode(page.bytes)).toContain('/main.tsx')
})
