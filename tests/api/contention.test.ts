import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { Answer } from '../../dev/http-client.ts'
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
