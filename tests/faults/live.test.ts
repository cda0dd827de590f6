import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../contract/ids.ts'
import { WORKER_BUNDLE } from '../../dev/build-worker.ts'
import { Client } from '../../dev/http-client.ts'
import { type Stack, startStack } from '../../dev/stack.ts'
import { LiveReader, shownOf } from '../support/live-reader.ts'

/** The maximum of tabs per user in a room. */
const TABS = 20
const PEOPLE = 10
const CREATED = 300
const LANES = 10

let stack: Stack
let people: Client[]
let collectionId: string
const readers: LiveReader[] = []

beforeAll(async () => {
  stack = await startStack({ worker: WORKER_BUNDLE, assets: false, vars: { RATE_LIMIT_FACTOR: '1000' } })
  people = await Promise.all(Array.from({ length: PEOPLE }, (_, n) => register(`person-${n}@example.org`)))
  const { body } = await ada().post('/api/collections', { name: 'Faults' })
  collectionId = body.collection.id
  await stack.sql`insert into members (collection_id, user_id, role)
    select ${collectionId}, id, 'write' from users on conflict do nothing`
})

afterAll(async () => {
  for (const reader of readers) reader.close()
  await stack?.stop()
})

const ada = () => people[0] as Client

async function register(email: string): Promise<Client> {
  const client = new Client(stack.origin)
  const { status } = await client.post('/api/auth/sign-up', { email, password: 'correct horse battery' })
  expect(status).toBe(201)
  return client
}

async function read(client: Client): Promise<LiveReader> {
  const reader = new LiveReader(client, collectionId)
  readers.push(reader)
  await expect.poll(() => reader.hellos, { timeout: 30_000 }).toBe(1)
  return reader
}

async function createPost(): Promise<string> {
  const id = newId()
  const { status } = await ada().post('/api/post', { id, type: 'note', title: 'Snow', collectionIds: [collectionId] })
  expect(status).toBe(201)
  return id
}

/** Runs the same work for each item, a few at a time. */
async function each<T, R>(items: T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const queue = items.values()
  const lane = async () => {
    for (const item of queue) results.push(await work(item))
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return results
}

async function freshLoad(): Promise<string[]> {
  const { status, body } = await ada().get(`/api/post?collection_id=${collectionId}&limit=2000`)
  expect([status, body.nextCursor]).toEqual([200, null])
  return shownOf(body.posts)
}

async function allShowTheSame(tabs: LiveReader[]): Promise<void> {
  const fresh = await freshLoad()
  const behind = () => tabs.filter((tab) => tab.shown().join() !== fresh.join()).length
  await expect.poll(behind, { timeout: 60_000, interval: 100 }).toBe(0)
}

test('After a restart of rooms all 200 tabs reconnect and none misses a change', async () => {
  const tabs = await each(
    people.flatMap((person) => Array.from({ length: TABS }, () => person)),
    read,
  )
  expect(tabs).toHaveLength(200)
  const changing = each(Array.from({ length: 60 }), async () => createPost().catch(() => null))
  await stack.worker.reload(WORKER_BUNDLE)
  await changing
  await createPost()
  await expect.poll(() => tabs.filter(({ hellos }) => hellos < 2).length, { timeout: 60_000, interval: 100 }).toBe(0)
  await stack.worker.runScheduled()
  await allShowTheSame(tabs)
  for (const tab of tabs) tab.close()
})

test('A tab offline during 500 changes shows the same as a fresh one afterwards', async () => {
  const tab = await read(ada())
  tab.cut()
  const ids = await each(Array.from({ length: CREATED }), createPost)
  const edited = await each(ids.slice(0, 100), (id) => ada().patch(`/api/post/${id}`, { title: 'Ice' }))
  const deleted = await each(ids.slice(50, 150), (id) => ada().delete(`/api/post/${id}`))
  expect([...edited, ...deleted].map(({ status }) => status)).toEqual(Array.from({ length: 200 }, () => 200))
  tab.mend()
  await allShowTheSame([tab])
  tab.close()
})

async function unpublished(): Promise<number> {
  const [left] = await stack.sql`select count(*)::int as n from changes where published_at is null`
  return left?.n
}

test("Two concurrent runs of the minute's task publish every change", async () => {
  const rest = async () => {
    await stack.worker.runScheduled()
    return unpublished()
  }
  await expect.poll(rest, { timeout: 30_000, interval: 500 }).toBe(0)
  const tab = await read(ada())
  const before = tab.received.length
  await stack.sql`insert into changes (collection_id, revision, table_name, event, ids)
    select ${collectionId}, c.revision + n, 'post_collections', 'UPDATE', '{}' from collections c, generate_series(1, 250) n
    where c.id = ${collectionId}`
  await stack.sql`update collections set revision = revision + 250 where id = ${collectionId}`
  await Promise.all([stack.worker.runScheduled(), stack.worker.runScheduled()])
  await expect.poll(() => new Set(tab.received.slice(before)).size, { timeout: 30_000 }).toBe(250)
  expect(await unpublished()).toBe(0)
  await allShowTheSame([tab])
})
