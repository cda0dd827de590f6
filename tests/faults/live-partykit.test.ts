import { createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WORKER_BUNDLE } from '../../dev/build-worker.ts'
import { Client } from '../../dev/http-client.ts'
import { freePort, HOST } from '../../dev/ports.ts'
import { type Stack, startStack } from '../../dev/stack.ts'
import { LiveReader, shownOf } from '../support/live-reader.ts'
import { type PartyKitHost, startPartyKit } from '../support/partykit-host.ts'

const keys = { LIVE_KEY: Buffer.alloc(32, 1).toString('base64'), PARTY_PUBLISH_KEY: Buffer.alloc(32, 2).toString('base64') }

let stack: Stack
let port: number
let host: PartyKitHost | undefined
let ada: Client
let bob: Client
let collectionId: string

beforeAll(async () => {
  port = await freePort()
  const vars = { RATE_LIMIT_FACTOR: '1000', PARTY_HOST: `http://${HOST}:${port}`, ...keys }
  stack = await startStack({ worker: WORKER_BUNDLE, assets: false, vars })
  ;[ada, bob] = [new Client(stack.origin), new Client(stack.origin)]
  await ada.post('/api/auth/sign-up', { email: 'ada@example.org', password: 'correct horse battery' })
  const { body } = await bob.post('/api/auth/sign-up', { email: 'bob@example.org', password: 'correct horse battery' })
  collectionId = (await ada.post('/api/collections', { name: 'Faults' })).body.collection.id
  await stack.sql`insert into members (collection_id, user_id, role) values (${collectionId}, ${body.user.id}, 'read')`
})

afterAll(async () => {
  await host?.stop()
  await stack?.stop()
})

async function post(): Promise<void> {
  const { status } = await ada.post('/api/post', { type: 'note', title: 'Snow', collectionIds: [collectionId] })
  expect(status).toBe(201)
}

/** Number of changes that were not published yet. */
async function waiting(): Promise<number> {
  const [row] = await stack.sql`select count(*)::int as n from changes where published_at is null and collection_id = ${collectionId}`
  return row?.n as number
}

async function sweepAll(): Promise<void> {
  await stack.worker.runScheduled()
  await expect.poll(waiting, { timeout: 30_000 }).toBe(0)
}

test('A host of rooms that is down or never answers fails no write, and gets all changes when it is back', async () => {
  await post()
  expect(await waiting()).toBeGreaterThan(0)
  const sockets: Socket[] = []
  const silent = createServer((socket) => void sockets.push(socket)).listen(port, HOST)
  await post()
  await expect.poll(() => sockets.length).toBeGreaterThan(0)
  for (const socket of sockets) socket.destroy()
  await new Promise((resolve) => silent.close(resolve))

  host = await startPartyKit(port, keys)
  const tab = new LiveReader(bob, collectionId)
  await expect.poll(() => tab.hellos, { timeout: 30_000 }).toBe(1)
  await sweepAll()
  const { body } = await ada.get(`/api/post?collection_id=${collectionId}`)
  expect(body.posts).toHaveLength(2)
  await expect.poll(() => tab.shown()).toEqual(shownOf(body.posts))
  tab.close()
})

test('A restarted room still refuses tickets of removed members, and remembers the collection’s revision', async () => {
  const { body: ticket } = await bob.post('/api/live/ticket', { room: `collection:${collectionId}` })
  const { body: members } = await ada.get(`/api/collections/${collectionId}/members`)
  const bobId = members.members.find(({ role }: { role: string }) => role === 'read').user_id
  const { status } = await ada.delete(`/api/collections/${collectionId}/members/${bobId}`)
  expect(status).toBe(200)
  await sweepAll()
  await host?.restart()
  const socket = new WebSocket(`${ticket.url}?ticket=${ticket.ticket}`)
  const received: string[] = []
  socket.addEventListener('message', ({ data }) => void received.push(String(data)))
  await expect.poll(() => received, { timeout: 30_000 }).toEqual(['{"type":"bye","reason":"removed"}'])
  socket.close()

  const tab = new LiveReader(ada, collectionId)
  await expect.poll(() => tab.hellos, { timeout: 30_000 }).toBe(1)
  await expect.poll(() => tab.shown().length).toBe(2)
  tab.close()
})
