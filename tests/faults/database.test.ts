import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../contract/ids.ts'
import { buildWorker } from '../../dev/build-worker.ts'
import { type Answer, Client } from '../../dev/http-client.ts'
import { type Stack, startStack } from '../../dev/stack.ts'

let stack: Stack
let ada: Client
let collectionId: string

beforeAll(async () => {
  stack = await startStack({ worker: buildWorker(), assets: false, vars: { RATE_LIMIT_FACTOR: '1000' } })
  ada = new Client(stack.origin)
  await ada.post('/api/auth/sign-up', { email: 'ada@example.org', password: 'correct horse battery' })
  const { body } = await ada.post('/api/collections', { name: 'Faults' })
  collectionId = body.collection.id
})

afterAll(() => stack?.stop())

interface Write {
  id: string
  answer: Answer
}

/** Creates 200 posts at once with client ids; `meanwhile` runs once a quarter of them were answered. */
async function createWhile(meanwhile: () => Promise<void>): Promise<Write[]> {
  let answered = 0
  let disturb = () => {}
  const disturbed = new Promise<void>((resolve) => {
    disturb = resolve
  }).then(meanwhile)
  const writes = Array.from({ length: 200 }, async () => {
    const id = newId()
    const answer = await ada.post('/api/post', { id, type: 'note', title: `Note ${id}`, collectionIds: [collectionId] })
    if (++answered === 50) disturb()
    return { id, answer }
  })
  const results = await Promise.all(writes)
  disturb()
  await disturbed
  return results
}

async function healthy(): Promise<void> {
  await expect.poll(async () => (await ada.get('/api/health')).status, { timeout: 60_000 }).toBe(200)
}

async function expectWhole(writes: Write[]): Promise<void> {
  const ids = writes.map(({ id }) => id)
  const stored =
    await stack.sql`select p.id, l.collection_id from posts p left join post_collections l on l.post_id = p.id where p.id = any(${ids})`
  const links = new Map(stored.map((row) => [row.id as string, row.collection_id as string | null]))
  for (const { id, answer } of writes) {
    if (answer.status === 201) expect(links.get(id), 'an answered write is there').toBe(collectionId)
    // A failed write may have been committed just before the answer was lost, but then completely.
    if (links.has(id)) expect(links.get(id), 'no post is without its link').toBe(collectionId)
    if (answer.status !== 201) {
      expect(answer.status).toBe(503)
      expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
    }
  }
  const [log] =
    await stack.sql`select count(*)::int as posts, (select revision::int from collections where id = ${collectionId}) as revision,
    (select max(revision)::int from changes where collection_id = ${collectionId}) as logged
    from posts p join post_collections l on l.post_id = p.id where l.collection_id = ${collectionId}`
  expect(log?.logged, 'the change log and the revision agree').toBe(log?.revision)
}

/** Repeats all writes with the same ids, and expects each post once. */
async function expectRepeatable(writes: Write[]): Promise<void> {
  for (const { id } of writes.filter(({ answer }) => answer.status !== 201)) {
    const again = await ada.post('/api/post', { id, type: 'note', title: `Note ${id}`, collectionIds: [collectionId] })
    expect([200, 201]).toContain(again.status)
  }
  const [count] = await stack.sql`select count(*)::int as n from posts where id = any(${writes.map(({ id }) => id)})`
  expect(count?.n).toBe(writes.length)
}

test('Killing the database during 200 writes loses no answered write and leaves no partial one', async () => {
  const writes = await createWhile(async () => {
    await stack.killDatabase()
    await stack.postgres.start()
  })
  await healthy()
  expect(writes.some(({ answer }) => answer.status === 201)).toBe(true)
  await expectWhole(writes)
  await expectRepeatable(writes)
})

test('A restarting database gets 503, and the data is complete after it', async () => {
  const writes = await createWhile(() => stack.restartDatabase())
  await healthy()
  await expectWhole(writes)
  await expectRepeatable(writes)
})

test('With the database down every call fails with a clear message, and the session stays', async () => {
  await stack.killDatabase()
  try {
    const answer = await ada.get('/api/collections')
    expect(answer.status).toBe(503)
    expect(answer.body.error).toMatchObject({ code: 'unavailable' })
    expect((await ada.get('/api/health')).status).toBe(503)
  } finally {
    await stack.postgres.start()
  }
  await healthy()
  expect((await ada.get('/api/collections')).status).toBe(200)
})
