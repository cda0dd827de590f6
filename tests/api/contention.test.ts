import pg from 'pg'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { newId } from '../../contract/ids.ts'
import type { Answer } from '../../dev/http-client.ts'
import { jpegLike, upload } from '../support/files.ts'
import { guestOf } from '../support/guests.ts'
import { assetRow, collectionOf } from '../support/rows.ts'
import { objectsOf } from '../support/storage.ts'
import { type World, world } from '../support/world.ts'

let w: World
/** Another writer, who takes locks and keeps them. */
let other: pg.Client
/** Observes which process waits for which. */
let watch: pg.Client
beforeAll(async () => {
  w = await world()
  const { postgresUrl: connectionString } = inject('stack')
  other = new pg.Client({ connectionString })
  watch = new pg.Client({ connectionString })
  await Promise.all([other.connect(), watch.connect()])
})
afterAll(() => Promise.all([other?.end(), watch?.end()]))

async function twoPosts(): Promise<[string, string]> {
  const make = async () =>
    (await w.as('ada').post('/api/post', { type: 'note', title: 'T', collectionIds: [w.collection.id] })).body.post.id
  const [first, second] = [await make(), await make()].toSorted()
  return [first, second]
}

const lock = (id: string) => other.query('select from posts where id = $1 for update', [id])
const setLocation = (ids: string[], lat: number) => w.as('ada').post('/api/post/bulk.location', { ids, location: { lat, lon: 0 } })

/** Process id of the Postgres backend that waits for the other writer. */
async function waiting(): Promise<number> {
  const pid = (await other.query('select pg_backend_pid() as pid')).rows[0].pid
  const waiters = async () =>
    (await watch.query('select pid from pg_locks where not granted and $1 = any(pg_blocking_pids(pid))', [pid])).rows
  await expect.poll(async () => (await waiters()).length, { interval: 20, timeout: 20_000 }).toBe(1)
  return (await waiters())[0].pid
}

function expectTryAgain({ status, headers, body }: Answer): void {
  expect([status, body.error.code]).toEqual([503, 'unavailable'])
  expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
  expect(JSON.stringify(body)).not.toMatch(/deadlock|canceling|terminat|posts/i)
}

/** Checks that the edit left nothing behind and works when repeated. */
async function expectRepeatable(ids: string[], before: number): Promise<void> {
  expect(await w.sql`select count(lat)::int as placed, max(version) as version from posts where id = any(${ids})`).toEqual([
    { placed: 0, version: 1 },
  ])
  expect(await w.changes()).toHaveLength(before)
  expect((await setLocation(ids, 1)).status).toBe(200)
  expect(await w.changes()).toHaveLength(before + 1)
}

test('A write that Postgres ends to break a deadlock is retryable and has changed nothing', async () => {
  // Postgres ends the process that detects the deadlock first, which may be the other writer.
  for (let round = 0; ; round++) {
    const ids = await twoPosts()
    const before = (await w.changes()).length
    await other.query('begin')
    await lock(ids[1])
    const answering = setLocation(ids, 1)
    await waiting()
    const spared = await lock(ids[0]).then(
      () => true,
      () => false,
    )
    await other.query('rollback')
    const answer = await answering
    if (!spared && round < 5) continue
    expectTryAgain(answer)
    return expectRepeatable(ids, before)
  }
})

test.each([
  ['that took too long', 'pg_cancel_backend'],
  ['whose connection was ended', 'pg_terminate_backend'],
])('A write %s is retryable and has changed nothing', async (_what, end) => {
  const ids = await twoPosts()
  const before = (await w.changes()).length
  await other.query('begin')
  await lock(ids[1])
  const answering = setLocation(ids, 1)
  await watch.query(`select ${end}($1)`, [await waiting()])
  expectTryAgain(await answering)
  await other.query('rollback')
  await expectRepeatable(ids, before)
})

const lockCollection = (id: string) => other.query('select from collections where id = $1 for no key update', [id])

test('Who is removed while they send a post gets it into no collection', async () => {
  const at = await world({ bob: 'write' })
  await other.query('begin')
  await lockCollection(at.collection.id)
  await other.query('delete from members where collection_id = $1 and user_id = $2', [at.collection.id, at.as('bob').id])
  const answering = at.as('bob').post('/api/post', { type: 'note', title: 'T', collectionIds: [at.collection.id] })
  await waiting()
  await other.query('commit')
  expect((await answering).status).toBe(404)
  expect(await at.sql`select from post_collections where collection_id = ${at.collection.id}`).toEqual([])
})

test('A guest who says their name while they comment is refused neither', async () => {
  const guest = await guestOf(w.as('ada'), w.collection.id, { allows: 'answer' })
  const [post] = await twoPosts()
  const comment = () => guest.post(`/api/post/${post}/comments`, { id: newId(), collection_id: w.collection.id, text: 'Hi' })
  expect((await comment()).status).toBe(201)
  await other.query('begin')
  await lockCollection(w.collection.id)
  const naming = guest.put('/api/guest', { name: 'Oma' })
  await waiting()
  // As guest.become_author does in the transaction of a comment.
  await other.query("update users set first_name = 'Oma' where id = $1", [`guest:${guest.guest.id}`])
  await other.query('commit')
  expect((await naming).status).toBe(200)
})

test('The id of a comment that is being written in another collection is taken', async () => {
  const elsewhere = await collectionOf(w, 'ada')
  const post = (at: string) => w.as('ada').post('/api/post', { type: 'note', title: 'T', collectionIds: [at] })
  const [here, there] = [(await post(w.collection.id)).body.post.id, (await post(elsewhere)).body.post.id]
  const id = newId()
  await other.query('begin')
  await other.query('insert into comments (id, collection_id, post_id, user_id, text) values ($1, $2, $3, $4, $5)', [
    id,
    elsewhere,
    there,
    w.as('ada').id,
    'There',
  ])
  const answering = w.as('ada').post(`/api/post/${here}/comments`, { id, collection_id: w.collection.id, text: 'Here' })
  await waiting()
  await other.query('commit')
  const { status, body } = await answering
  expect([status, body.error.code]).toEqual([409, 'conflict'])
})

test('A rendition that is sent again while its photo is thrown away stays with the photo', async () => {
  const asset = await upload(w.as('ada'), jpegLike(), { collectionIds: [w.collection.id] })
  const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#c60' } })
    .webp()
    .toBuffer()
  const send = () => w.as('ada').put(`/api/asset/${asset.id}/renditions/thumb`, new Uint8Array(picture))
  expect((await send()).status).toBe(200)
  await other.query('begin')
  await other.query('update assets set deleted_at = now() where id = $1', [asset.id])
  const answering = send()
  await waiting()
  await other.query('commit')
  await answering
  expect((await w.as('ada').post('/api/trash/restore', { assetIds: [asset.id] })).status).toBe(200)
  expect(await objectsOf(asset.id)).toContain(`assets/${asset.id}/thumb`)
})

/** Bob is in `high`. What the call changes there is also in `low`. */
interface Both {
  at: World
  low: string
  high: string
}
const removal = ({ at, high }: Both) => at.as('ada').delete(`/api/collections/${high}/members/${at.as('bob').id}?items=remove`)
const deletion = ({ at }: Both, items: string) =>
  at.as('bob').delete('/api/users/profile', { email: at.as('bob').email, items, deleteCollections: [] })

test.each<[string, (both: Both) => Promise<() => Promise<Answer>>]>([
  [
    'Removing a member with their posts',
    async (both) => {
      const { at, low, high } = both
      const post = { type: 'note', title: 'T', collectionIds: [high] }
      const { id } = (await at.as('bob').post('/api/post', post)).body.post
      await at.sql`insert into post_collections (collection_id, post_id, user_id) values (${low}, ${id}, ${at.as('ada').id})`
      return () => removal(both)
    },
  ],
  [
    'Removing a member with their photos',
    async (both) => {
      const { at, low, high } = both
      const photo = await assetRow(at, 'bob', [high])
      const { id } = (await at.as('ada').post('/api/post', { type: 'note', title: 'T', collectionIds: [low] })).body.post
      await at.sql`insert into post_assets (post_id, asset_id, position) values (${id}, ${photo}, 0)`
      return () => removal(both)
    },
  ],
  [
    'Removing a person',
    async ({ at, low, high }) => {
      const { person } = (await at.as('ada').post(`/api/collections/${high}/people`, { name: 'P' })).body
      await at.as('ada').post('/api/post', { type: 'note', title: 'T', collectionIds: [low, high], peopleIds: [person.id] })
      return () => at.as('ada').delete(`/api/collections/${high}/people/${person.id}`)
    },
  ],
  [
    'Deleting an account whose posts stay',
    async (both) => {
      const { at, low } = both
      const { id } = (await at.as('bob').post('/api/post', { type: 'note', title: 'T' })).body.post
      await at.sql`insert into post_collections (collection_id, post_id, user_id) values (${low}, ${id}, ${at.as('ada').id})`
      return () => deletion(both, 'leave')
    },
  ],
  [
    'Deleting an account with its photos',
    async (both) => {
      const { at, low, high } = both
      const photo = await assetRow(at, 'bob', [high])
      const { id } = (await at.as('ada').post('/api/post', { type: 'note', title: 'T', collectionIds: [low] })).body.post
      await at.sql`insert into post_assets (post_id, asset_id, position) values (${id}, ${photo}, 0)`
      return () => deletion(both, 'remove')
    },
  ],
])('%s waits for one collection without holding the next', async (_what, prepare) => {
  const at = await world({ bob: null })
  const low = at.collection.id
  const high = await collectionOf(at, 'ada', { bob: 'write' })
  const call = await prepare({ at, low, high })
  await other.query('begin')
  try {
    await lockCollection(low)
    const answering = call()
    await waiting()
    await lockCollection(high)
    await other.query('commit')
    expect((await answering).status).toBe(200)
  } finally {
    await other.query('rollback')
  }
})
