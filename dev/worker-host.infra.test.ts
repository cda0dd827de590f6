import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildWorker } from './build-worker.ts'
import { startWorkerHost, type WorkerHost } from './worker-host.ts'

const WORKER = `
import { DurableObject } from 'cloudflare:workers'
export class Room extends DurableObject {
  async fetch() {
    const visits = ((await this.ctx.storage.get('visits')) ?? 0) + 1
    await this.ctx.storage.put('visits', visits)
    return new Response(String(visits))
  }
}
export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url)
    if (pathname === '/api/room') return env.Room.get(env.Room.idFromName('collection:1')).fetch(request)
    if (pathname === '/api/part') {
      const upload = await env.FILES.createMultipartUpload('big')
      await upload.complete([await upload.uploadPart(1, request.body)])
      return new Response(String((await env.FILES.head('big')).size))
    }
    if (pathname === '/api/noise') for (let line = 0; line < 20_000; line++) console.log('x'.repeat(100))
    return pathname.startsWith('/api/') ? new Response(env.APP_ORIGIN) : env.ASSETS.fetch(request)
  },
  async scheduled(event, env) {
    await env.FILES.put('swept', event.cron)
  },
}`

let dir: string
let bundle: string
let host: WorkerHost
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'cairn-test-'))
  await mkdir(path.join(dir, 'web'))
  await writeFile(path.join(dir, 'web/index.html'), 'the shell')
  await writeFile(path.join(dir, 'worker.js'), WORKER)
  bundle = await buildWorker(path.join(dir, 'worker.js'), path.join(dir, 'out/index.js'))
  const vars = { APP_ORIGIN: 'https://cairn.example' }
  host = await startWorkerHost({ bundle, assets: path.join(dir, 'web'), port: 0, storage: path.join(dir, 'storage'), vars })
}, 60_000)
afterAll(async () => {
  await host.dispose()
  await rm(dir, { recursive: true, force: true })
})

async function get(address: string, init?: RequestInit): Promise<string> {
  return (await fetch(host.origin + address, init)).text()
}

test("The worker gets its values and every address, and serves the app's files", async () => {
  expect(await get('/api/anything')).toBe('https://cairn.example')
  expect(await get('/')).toBe('the shell')
  expect((await fetch(`${host.origin}/collections/1/map`, { headers: { 'sec-fetch-mode': 'navigate' } })).status).toBe(404)
})

test('A part of 8 MiB reaches object storage, where tests can read it', async () => {
  expect(await get('/api/part', { method: 'PUT', body: new Uint8Array(8 * 1024 * 1024) })).toBe('8388608')
  expect((await host.side.readObject('big'))?.length).toBe(8_388_608)
})

test('Rooms keep their storage when the worker is replaced', async () => {
  expect(await get('/api/room')).toBe('1')
  await host.reload(bundle)
  expect(await get('/api/room')).toBe('2')
})

test('Whatever the worker logs, this process and the worker never wait for each other', async () => {
  const lists: Promise<string[]>[] = []
  const timer = setInterval(() => lists.push(host.side.listObjects('')), 10)
  await Promise.all(Array.from({ length: 10 }, () => get('/api/noise')))
  clearInterval(timer)
  expect(lists.length).toBeGreaterThan(0)
  for (const list of lists) expect(await list).toContain('big')
})

test("The minute's task runs on demand", async () => {
  await host.runScheduled()
  expect(String(await host.side.readObject('swept'))).toBe('* * * * *')
  expect(await host.side.listObjects('sw')).toEqual(['swept'])
})
