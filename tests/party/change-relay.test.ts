import { sql as drizzle } from 'drizzle-orm'
import { Hono } from 'hono'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { newId } from '../../contract/ids.ts'
import type { Publication } from '../../party/connection.ts'
import type { AppEnv } from '../../worker/context.ts'
import { firstRows, rows } from '../../worker/db/client.ts'
import type { Env } from '../../worker/env.ts'
import { afterWrite, relayChanges } from '../../worker/live/change-relay.ts'
import { type Change, connectForWriting } from '../../worker/queries/changes.ts'
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

test('A user who sees the card gets the first change of a second, and none after it', async () => {
  const { env } = stand()
  const audienceAfter = async (moved: string) => {
    const written: Change[] = []
    const id = newId()
    const db = connectForWriting(env.DATABASE_URL, undefined, {}, written)
    await database.sql`update changes set created_at = date_trunc('second', clock_timestamp()) + (revision % 2) * interval '1 second' + ${moved}::interval
      where collection_id = ${collection}`
    await firstRows(
      db,
      drizzle`insert into posts (id, user_id, type, title) values (${id}, 'ada', 'note', 'Snow')`,
      drizzle`insert into post_collections (collection_id, post_id, user_id) values (${collection}, ${id}, 'ada')`,
    )
    return written.filter(({ table }) => table === 'post_collections').map(({ audience }) => audience.toSorted())
  }
  await addPosts(database.sql, collection, 2)
  expect(await audienceAfter('0 seconds'), 'in this second, or in the next if that begins meanwhile').toEqual([[]])
  expect(await audienceAfter('-1 hour')).toEqual([['ada', 'bob']])
})

test('A comment goes to the own rooms of whom it concerns: once in a second, except for whoever is mentioned', async () => {
  const { env } = stand()
  await database.sql`insert into users (id, email) select n, n || '@example.org' from unnest(array['cleo', 'dan', 'eve']) n on conflict do nothing`
  await database.sql`insert into members (collection_id, user_id, role) select ${collection}, n, 'read' from unnest(array['cleo', 'dan', 'eve']) n`
  const [post, person] = [newId(), newId()]
  await database.sql`insert into posts (id, user_id, type, title) values (${post}, 'ada', 'note', 'Snow')`
  await database.sql`insert into post_collections (collection_id, post_id, user_id) values (${collection}, ${post}, 'ada')`
  await database.sql`insert into people (id, collection_id, name, user_id) values (${person}, ${collection}, 'Dan', 'dan')`
  const audienceOf = async (who: string, mentions: object[] = []) => {
    const written: Change[] = []
    const made = drizzle`insert into comments (id, collection_id, post_id, user_id, text, mentions)
      values (${newId()}, ${collection}, ${post}, ${who}, 'Lovely', ${JSON.stringify(mentions)}::jsonb)`
    await firstRows(connectForWriting(env.DATABASE_URL, undefined, {}, written), made)
    return written.filter(({ table }) => table === 'comments').map(({ audience }) => audience.toSorted())
  }
  const earlier = (moved: string) => database.sql`update changes set created_at = date_trunc('second', clock_timestamp())
    + (revision % 2) * interval '1 second' + ${moved}::interval where collection_id = ${collection}`
  expect(await audienceOf('cleo')).toEqual([['ada', 'cleo']])
  await earlier('-1 hour')
  expect(await audienceOf('bob')).toEqual([['ada', 'bob', 'cleo']])
  await audienceOf('bob')
  await earlier('0 seconds')
  expect(await audienceOf('bob', [{ person_id: person, name: 'Dan' }]), 'in this second, or in the next if that begins meanwhile').toEqual([
    ['dan'],
  ])
})

test('One run publishes more than one batch', async () => {
  await database.sql`insert into changes (collection_id, revision, table_name, event, ids)
    select ${collection}, 1000 + n, 'post_collections', 'UPDATE', '{}' from generate_series(1, 250) n`
  const { env, published } = stand()
  await relayChanges(env)
  expect(published.get(`collection:${collection}`)).toEqual(await revisions())
})

test('Changes of a publisher that dies before marking them are published again', async () => {
  const { env, published } = stand()
  await database.sql`create or replace function die() returns trigger language plpgsql as 'begin raise exception ''gone''; end'`
  await database.sql`create trigger dies before update of published_at on changes for each row execute function die()`
  await expect(relayChanges(env)).rejects.toThrow()
  await database.sql`drop trigger dies on changes`
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

/** An app that creates a post. Returns the work it left for after the answer. */
async function write(env: Env, status: 200 | 404 = 200) {
  const app = new Hono<AppEnv>()
    .use(async (c, next) => {
      c.set('written', [])
      await next()
    })
    .use(afterWrite)
    .post('/api/post', async (c) => {
      const db = connectForWriting(c.env.DATABASE_URL, undefined, {}, c.var.written)
      await rows(db, drizzle`select`)
      const id = newId()
      await firstRows(
        db,
        drizzle`insert into posts (id, user_id, type, title) values (${id}, 'ada', 'note', 'Snow')`,
        drizzle`insert into post_collections (collection_id, post_id, user_id) values (${collection}, ${id}, 'ada')`,
      )
      return c.text('', status)
    })
  const later: Promise<unknown>[] = []
  const context = { waitUntil: (work: Promise<unknown>) => void later.push(work), passThroughOnException() {}, props: {} }
  const response = await app.request('/api/post', { method: 'POST' }, env, context as unknown as ExecutionContext)
  return { status: response.status, later }
}

test.each([
  ['throws', async () => Promise.reject(new Error('The room is down'))],
  ['hangs', () => new Promise<void>(() => {})],
])('A write is answered although the room %s', async (_, publish) => {
  const { status, later } = await write(stand(publish).env)
  expect(status).toBe(200)
  await Promise.all(later)
  expect(await waiting()).toBeGreaterThan(0)
})

test('A write publishes its own changes and no others, also if the call fails after it', async () => {
  for (const status of [200, 404] as const) {
    const { env, published } = stand()
    const before = await revisions()
    const { later } = await write(env, status)
    await Promise.all(later)
    const own = (await revisions()).slice(before.length)
    expect(own).toHaveLength(1)
    expect(published.get(`collection:${collection}`)).toEqual(own)
    const [row] =
      await database.sql`select published_at is not null as marked from changes where collection_id = ${collection} and revision = ${own[0]}`
    expect(row?.marked).toBe(true)
  }
})

test('A row of a later version neither fails the write nor keeps other changes from being published', async () => {
  const { env, published } = stand()
  const written: Change[] = []
  const db = connectForWriting(env.DATABASE_URL, undefined, {}, written)
  await firstRows(
    db,
    drizzle`insert into changes (collection_id, revision, table_name, event, ids) values (${collection}, 900, 'reactions', 'INSERT', '{}'),
      (${collection}, 901, 'posts', 'BLOOM', '{}'), (${collection}, 902, 'post_collections', 'UPDATE', '{}')`,
  )
  expect(written.map(({ revision }) => revision)).toEqual([902])
  await relayChanges(env)
  expect(published.get(`collection:${collection}`)?.at(-1)).toBe(902)
  expect(await waiting()).toBe(2)
})

test('A write that is undone publishes nothing', async () => {
  const { env, published } = stand()
  const written: Change[] = []
  const db = connectForWriting(env.DATABASE_URL, undefined, {}, written)
  const failing = firstRows(db, drizzle`delete from members where collection_id = ${collection} and user_id = 'bob'`, drizzle`select 1 / 0`)
  await expect(failing).rejects.toThrow()
  expect(written).toEqual([])
  expect([...published]).toEqual([])
})
