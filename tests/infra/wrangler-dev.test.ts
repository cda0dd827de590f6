import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { buildWeb } from '../../dev/build-web.ts'
import { Client } from '../../dev/http-client.ts'
import { freePort } from '../../dev/ports.ts'
import { releaseName } from '../../dev/release-name.ts'
import { type Stack, startStack } from '../../dev/stack.ts'
import { PROJECT } from '../../dev/state-folder.ts'

let stack: Stack
let wrangler: ChildProcess
let output = ''

beforeAll(async () => {
  await buildWeb()
  const port = await freePort()
  stack = await startStack({ port, fronted: true, worker: false, assets: false })
  const vars = Object.entries(stack.vars).flatMap(([name, value]) => ['--var', `${name}:${value}`])
  const cli = path.join(PROJECT, 'node_modules/wrangler/bin/wrangler.js')
  const where = ['--ip', '127.0.0.1', '--port', String(port), '--inspector-port', String(await freePort()), '--persist-to', stack.dir]
  wrangler = spawn(process.execPath, [cli, 'dev', ...where, ...vars], {
    cwd: PROJECT,
    // In its own process group, so that workerd ends with it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, CI: 'true', WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false' },
  })
  wrangler.stdout?.on('data', (chunk) => (output += chunk))
  wrangler.stderr?.on('data', (chunk) => (output += chunk))
  const health = () =>
    new Client(stack.origin).get('/api/health').then(
      ({ status }) => status,
      () => output.slice(-2000),
    )
  await vi.waitFor(async () => expect(await health()).toBe(200), { timeout: 150_000, interval: 500 })
})

afterAll(async () => {
  if (wrangler?.pid) {
    const ended = new Promise((resolve) => wrangler.once('close', resolve))
    process.kill(-wrangler.pid, 'SIGTERM')
    await ended
  }
  await stack?.stop()
})

test('wrangler dev with the same wrangler.toml serves the API and the app', async () => {
  const anyone = new Client(stack.origin)
  const signedUp = await anyone.post('/api/auth/sign-up', { email: 'ada@example.org', password: 'correct horse battery' })
  expect(signedUp.status).toBe(201)
  expect((await anyone.post('/api/collections', { name: 'Kyoto' })).status).toBe(201)
  const page = await anyone.get('/collections')
  expect(page.status).toBe(200)
  expect(new TextDecoder().decode(page.bytes)).toContain('<title>')
})

test('wrangler dev answers in the language of the reader, and names its release', async () => {
  const anyone = new Client(stack.origin)
  const headers = { 'accept-language': 'de' }
  expect((await anyone.get('/api/nowhere', { headers })).body.error.message).toBe('Den Aufruf GET /api/nowhere gibt es nicht')
  expect(new TextDecoder().decode((await anyone.get('/', { headers })).bytes)).toContain('<html lang="de"')
  expect((await anyone.get('/api/health')).body.version).toBe(await releaseName(PROJECT))
})

test("wrangler dev runs the minute's task when its address is called, as CONTRIBUTING.md says", async () => {
  const anyone = new Client(stack.origin)
  await anyone.post('/api/auth/sign-up', { email: 'bob@example.org', password: 'correct horse battery' })
  const { post } = (await anyone.post('/api/post', { type: 'note', title: 'Old' })).body
  await anyone.delete(`/api/post/${post.id}`)
  await stack.sql`update posts set deleted_at = now() - interval '30 days 1 minute' where id = ${post.id}`
  const [address = ''] =
    /(?<=curl http:\/\/127\.0\.0\.1:4747)[\w/-]+/.exec(await readFile(path.join(PROJECT, 'CONTRIBUTING.md'), 'utf8')) ?? []
  expect((await fetch(stack.origin + address)).status).toBe(200)
  await expect.poll(() => stack.sql`select id from posts where id = ${post.id}`).toEqual([])
})
