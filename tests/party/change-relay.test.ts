import { Hono } from 'hono'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Publication } from '../../party/connection.ts'
import type { AppEnv } from '../../worker/context.ts'
import type { Env } from '../../worker/env.ts'
import { afterWrite, relayChanges } from '../../worker/live/change-relay.ts'
import { addPosts, collectionOf, type OwnDatabase, ownDatabase } from './own-database.ts'

let database: OwnDatabase
let collection: string

beforeAll(async () => {
  database = await ownDatabase()
})
afterAll(() => database?.drop())

beforeEach(async () => {
  await database.sql`delete from changes`
  collection = await collectionOf(database.sql)
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => {
  vi.restoreAllMocks()
})

/** Rooms that record their publications; `publish` may be made to fail. */
function stand(publish: (room: string, publication: Publication) => Promise<void> = async () => {}) {
  const published = new Map<string, number[]>()
  const getByName = (room: string) => ({
    async publish(publication: Publication) {
      await publish(room, publication)
      published.set(room, [...(published.get(room) ?? []), ...publication.changes.map(({ revision }) => revision)])
    },
  })
  // The outbox uses only these two of the worker's bindings.
  const env = { DATABASE_URL: database.url, Room: { getByName } } as unknown as Env
  return { env, published }
}

async function revisions(): Promise<number[]> {
  const rows = await database.sql`select revision::int from changes where collection_id = ${collection} order by revision`
  return rows.map((row) => row.revision as number)
}

async function waiting(): Promise<number> {
  const [row] = await database.sql`select count(*)::int as count from changes where published_at is null`
  return row?.count as number
}

/** Expires all claims of publishers. */
function claimsRunOut() {
  return database.sql`update changes set claimed_until = now() - interval '1 second' where published_at is null`
}

test('Every change is published once, in order, to its room and to the users it concerns', async () => {
  await addPosts(database.sql, collection, 3)
  const { env, published } = stand()
  const all = await revisions()
  expect(await relayChanges(env)).toBe(all.length)
  expect(published.get(`collection:${collection}`)).toEqual(all)
  expect([...published.keys()].sort()).toEqual([`collection:${collection}`, 'user:ada', 'user:bob'])
  expect(await waiting()).toBe(0)
  expect(await relayChanges(env)).toBe(0)
})

test('Of changes in close succession a user who sees the card gets one per second', async () => {
  const { env, published } = stand()
  await relayChanges(env)
  for (let second = 0; second < 3; second++) {
    // Makes the changes so far look as if they were claimed a second earlier and published now.
    await database.sql`update changes set claimed_until = claimed_until - interval '1 second', published_at = now()`
    await addPosts(database.sql, collection, 1)
    await relayChanges(env)
    expect(published.get('user:bob')?.at(-1)).toBe((await revisions()).at(-1))
  }
})

test('One run publishes more than one batch', async () => {
  await database.sql`insert into changes (collection_id, revision, table_name, event, ids)
    select ${collection}, 1000 + n, 'post_collections', 'UPDATE', '{}' from generate_series(1, 250) n`
  const { env, published } = stand()
  await relayChanges(env)
  expect(published.get(`collection:${collection}`)).toEqual(await revisions())
})

test('Two concurrent publishers publish everything once', async () => {
  await addPosts(database.sql, collection, 20)
  const { env, published } = stand()
  const all = await revisions()
  const counts = await Promise.all([relayChanges(env), relayChanges(env), relayChanges(env)])
  expect(counts.reduce((sum, count) => sum + count)).toBe(all.length)
  expect(published.get(`collection:${collection}`)?.toSorted((a, b) => a - b)).toEqual(all)
})

test('Changes of a publisher that dies before marking them are published again', async () => {
  const { env, published } = stand()
  await database.sql`create or replace function die() returns trigger language plpgsql as 'begin raise exception ''gone''; end'`
  await database.sql`create trigger dies before update of published_at on changes for each row execute function die()`
  await expect(relayChanges(env)).rejects.toThrow()
  await database.sql`drop trigger dies on changes`
  expect(await relayChanges(env), 'still claimed').toBe(0)
  await claimsRunOut()
  await relayChanges(env)
  const all = await revisions()
  expect(published.get(`collection:${collection}`)).toEqual([...all, ...all])
})

test('A failover during publishing repeats published changes and loses none', async () => {
  const { env, published } = stand(async (room) => {
    if (room === `collection:${collection}`) await database.fail()
  })
  const all = await revisions()
  await expect(relayChanges(env)).rejects.toThrow()
  await expect(relayChanges(env), 'still away').rejects.toThrow()
  await database.recover()
  expect(await waiting()).toBeGreaterThan(0)
  await claimsRunOut()
  const again = stand()
  await relayChanges(again.env)
  expect([published, again.published].map((rooms) => rooms.get(`collection:${collection}`))).toEqual([all, all])
  expect(await waiting()).toBe(0)
})

test('A room that is down gets its changes when it is back, without delaying others', async () => {
  const other = await collectionOf(database.sql)
  let down = true
  const { env, published } = stand(async (room) => {
    if (down && room === `collection:${collection}`) throw new Error('The room is down')
  })
  await relayChanges(env)
  expect(published.has(`collection:${other}`)).toBe(true)
  expect(published.has(`collection:${collection}`)).toBe(false)
  expect(await waiting()).toBe((await revisions()).length)
  down = false
  await claimsRunOut()
  await relayChanges(env)
  expect(published.get(`collection:${collection}`)).toEqual(await revisions())
  expect(await waiting()).toBe(0)
})

test('A removed member is published without a role, and one invited back with the new one', async () => {
  await database.sql`delete from members where collection_id = ${collection} and user_id = 'bob'`
  const access: unknown[] = []
  const { env } = stand(async (room, publication) => {
    if (room === `collection:${collection}`) access.push(...(publication.access ?? []).filter(({ user }) => user === 'bob'))
  })
  await relayChanges(env)
  expect(access.at(-1)).toMatchObject({ user: 'bob', role: null })
  await database.sql`insert into members (collection_id, user_id, role) values (${collection}, 'bob', 'read')`
  await relayChanges(env)
  expect(access.at(-1)).toMatchObject({ user: 'bob', role: 'read' })
})

/** An app with only the middleware. Returns the work it left for after the answer. */
async function write(env: Env, method: string, status: 200 | 404 = 200) {
  const app = new Hono<AppEnv>().use(afterWrite).all('*', (c) => c.text('', status))
  const later: Promise<unknown>[] = []
  const context = { waitUntil: (work: Promise<unknown>) => void later.push(work), passThroughOnException() {}, props: {} }
  const response = await app.request('/api/post', { method }, env, context as unknown as ExecutionContext)
  return { status: response.status, later }
}

test.each([
  ['throws', async () => Promise.reject(new Error('The room is down'))],
  ['hangs', () => new Promise<void>(() => {})],
])('A write is answered although the room %s', async (_, publish) => {
  const { status, later } = await write(stand(publish).env, 'POST')
  expect(status).toBe(200)
  await Promise.all(later)
  expect(await waiting()).toBeGreaterThan(0)
})

test('A write is answered although the outbox cannot be read', async () => {
  const { env } = stand()
  const { status, later } = await write({ ...env, DATABASE_URL: 'postgresql://cairn:x@127.0.0.1:1/none' }, 'POST')
  expect(status).toBe(200)
  await Promise.all(later)
})

test('Reads and failed writes publish nothing', async () => {
  const { env } = stand()
  expect((await write(env, 'GET')).later).toEqual([])
  expect((await write(env, 'POST', 404)).later).toEqual([])
  const { later } = await write(env, 'PUT')
  await Promise.all(later)
  expect(await waiting()).toBe(0)
})
