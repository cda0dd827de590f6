import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../contract/ids.ts'
import { WORKER_BUNDLE } from '../../dev/build-worker.ts'
import { type Answer, Client } from '../../dev/http-client.ts'
import { type Stack, startStack } from '../../dev/stack.ts'

let stack: Stack
let ada: Client
let collectionId: string

beforeAll(async () => {
  stack = await startStack({ worker: WORKER_BUNDLE, assets: false, vars: { RATE_LIMIT_FACTOR: '1000' } })
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

/** Creates posts at once with client ids. */
function create(count: number, onAnswer = () => {}): Promise<Write[]> {
  const writes = Array.from({ length: count }, async () => {
    const id = newId()
    const answer = await ada.post('/api/post', { id, type: 'note', title: `Note ${id}`, collectionIds: [collectionId] })
    onAnswer()
    return { id, answer }
  })
  return Promise.all(writes)
}

/** Creates 200 posts at once; `meanwhile` runs once a quarter of them were answered. */
async function createWhile(meanwhile: () => Promise<void>): Promise<Write[]> {
  let answered = 0
  let disturb = () => {}
  const disturbed = new Promise<void>((resolve) => {
    disturb = resolve
  }).then(meanwhile)
  const results = await create(200, () => {
    if (++answered === 50) disturb()
  })
  disturb()
  await disturbed
  return results
}

/** Connections of the test's own, with which it disturbs the database. */
async function disturbing(work: (connect: () => Promise<pg.Client>) => Promise<void>): Promise<void> {
  const open: pg.Client[] = []
  const connect = async () => {
    const client = new pg.Client({ connectionString: stack.postgresUrl })
    await client.connect()
    open.push(client)
    return client
  }
  try {
    await work(connect)
  } finally {
    await Promise.all(open.map((client) => client.end()))
  }
}

/** Closes all other connections, and waits until they are. New ones have the settings that the database has now. */
const CLOSE_OTHERS =
  'select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'

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

test('A database that takes no more connections gets 503, and the data is complete after it', async () => {
  let writes: Write[] = []
  await disturbing(async (connect) => {
    await (await connect()).query(CLOSE_OTHERS)
    let refusal: unknown
    while (!refusal) {
      await connect().catch((error: unknown) => {
        refusal = error
      })
    }
    expect(refusal).toMatchObject({ code: '53300' })
    writes = await create(40)
  })
  await healthy()
  expect(writes.every(({ answer }) => answer.status === 503)).toBe(true)
  await expectWhole(writes)
  await expectRepeatable(writes)
})

test('Writes that the database ends after its time limit get 503, and the data is complete after it', async () => {
  let writes: Write[] = []
  await disturbing(async (connect) => {
    const own = await connect()
    await own.query("alter database cairn set statement_timeout = '100ms'")
    await own.query(CLOSE_OTHERS)
    try {
      // A post is inserted before its link, which waits for this lock.
      await own.query('begin; lock table post_collections in exclusive mode')
      writes = await create(40)
      await own.query('rollback')
    } finally {
      await own.query('alter database cairn reset statement_timeout')
      await own.query(CLOSE_OTHERS)
    }
  })
  await healthy()
  expect(writes.every(({ answer }) => answer.status === 503)).toBe(true)
  await expectWhole(writes)
  await expectRepeatable(writes)
})

const OLD = 'correct horse battery'
const NEXT = 'a quite new password'

const WAYS: [what: string, prepare: (browser: Client, email: string) => Promise<() => Promise<Answer>>][] = [
  ['changed', async (browser) => () => browser.post('/api/auth/change-password', { currentPassword: OLD, newPassword: NEXT })],
  [
    'reset by a link',
    async (browser, email) => {
      await browser.post('/api/auth/forgot-password', { email })
      const mailed = async () => (await stack.mailCatcher.list(email)).find(({ subject }) => subject.includes('new password'))
      await expect.poll(mailed).toBeDefined()
      const token = new URL((await mailed())?.link ?? '').searchParams.get('token')
      return () => browser.post('/api/auth/reset-password', { token, newPassword: NEXT })
    },
  ],
]

test.each(WAYS)(
  'A password that is %s while sessions cannot be ended is set again in the same way, and then they end',
  async (_, prepare) => {
    const email = `${newId()}@example.org`
    const [owner, thief] = [new Client(stack.origin), new Client(stack.origin)]
    await owner.post('/api/auth/sign-up', { email, password: OLD })
    expect((await thief.post('/api/auth/sign-in', { email, password: OLD })).status).toBe(200)
    const act = await prepare(owner, email)

    await stack.sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'full' using errcode = '53100'; end $$`
    await stack.sql`create trigger refuse before delete on sessions for each statement execute function refuse()`
    const failed = await act().finally(() => stack.sql`drop function refuse cascade`)
    expect([failed.status, failed.body.error.code]).toEqual([503, 'unavailable'])
    expect((await owner.post('/api/auth/refresh')).status).toBe(200)

    expect((await act()).status).toBe(200)
    expect((await thief.get('/api/collections')).status).toBe(401)
    const signIn = async (password: string) => (await new Client(stack.origin).post('/api/auth/sign-in', { email, password })).status
    expect([await signIn(OLD), await signIn(NEXT)]).toEqual([401, 200])
  },
)
