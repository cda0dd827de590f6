import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WORKER_BUNDLE } from './build-worker.ts'
import { Client } from './http-client.ts'
import { MIGRATIONS, migrateDatabase, readJournal } from './migrate.ts'
import { HOST } from './ports.ts'
import { childrenNamed, waitUntilGone } from './processes.ts'
import { type StackOptions, startStack } from './stack.ts'
import { prepareStateFolder } from './state-folder.ts'

const SERVICES = { worker: false, assets: false, migrations: false } satisfies StackOptions

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'cairn-test-'))
})
afterEach(() => rm(dir, { recursive: true, force: true }))

/** Starts a stack in a process of its own. Returns the process and the process id of its database. */
async function elsewhere(): Promise<{ child: ChildProcess; database: number }> {
  const script = `import { startStack } from ${JSON.stringify(path.join(import.meta.dirname, 'stack.ts'))}
    const stack = await startStack({ dir: ${JSON.stringify(dir)}, worker: false, assets: false, migrations: false })
    await stack.sql\`create table kept (id int)\`
    console.log('ready')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  const pidFile = await readFile(path.join(dir, 'postgres/postmaster.pid'), 'utf8')
  return { child, database: Number(pidFile.split('\n')[0]) }
}

test('A killed process takes its database with it, and the next start finds every commit', { timeout: 60_000 }, async () => {
  const { child, database } = await elsewhere()
  child.kill('SIGKILL')
  await once(child, 'exit')
  const stack = await startStack({ dir, ...SERVICES })
  expect(await stack.sql`select * from kept`).toEqual([])
  await stack.stop()
  expect(await waitUntilGone(database, 0)).toBe(true)
})

test("A second start on the same folder names the first one's address", { timeout: 60_000 }, async () => {
  const { child, database } = await elsewhere()
  await expect(startStack({ dir, ...SERVICES })).rejects.toThrow(`already runs on this checkout at http://${HOST}`)
  child.kill('SIGKILL')
  expect(await waitUntilGone(database, 20_000)).toBe(true)
})

test('A taken port, a read-only folder and a database of another version each get a clear error', async () => {
  const server = createServer().listen(0, HOST)
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  await expect(startStack({ dir, port, ...SERVICES })).rejects.toThrow(`Port ${port} is taken by another program`)
  server.close()

  await writeFile(path.join(dir, 'file'), '')
  await expect(prepareStateFolder(path.join(dir, 'file/.cairn'))).rejects.toThrow('cannot be written (ENOTDIR)')

  await prepareStateFolder(path.join(dir, 'postgres'))
  await writeFile(path.join(dir, 'postgres/PG_VERSION'), '17\n')
  await expect(startStack({ dir, ...SERVICES })).rejects.toThrow('was made by Postgres 17 and this Cairn runs Postgres 18')
})

test('A killed database and a killed worker are started again, and the site answers with its data', { timeout: 120_000 }, async () => {
  const said: string[] = []
  const gaveUp: string[] = []
  const before = await childrenNamed('workerd')
  const stack = await startStack({
    ...{ dir, worker: WORKER_BUNDLE, assets: false },
    ...{ log: (line: string) => said.push(line), onGiveUp: (reason: string) => gaveUp.push(reason) },
  })
  try {
    const ada = new Client(stack.origin)
    await ada.post('/api/auth/sign-up', { email: 'ada@example.org', password: 'correct horse battery' })
    const { collection } = (await ada.post('/api/collections', { name: 'Kyoto' })).body
    const collections = () =>
      ada.get('/api/collections').then(
        ({ body }) => body.collections?.map(({ id }: { id: string }) => id),
        () => [],
      )

    process.kill(stack.postgres.pid ?? 0, 'SIGKILL')
    await expect.poll(() => said).toContain('The database runs again.')
    expect(said).toContain('The database ended by itself (SIGKILL). It is started again in 1 s.')
    await expect.poll(collections).toEqual([collection.id])

    const [worker = 0] = (await childrenNamed('workerd')).filter((pid) => !before.includes(pid))
    process.kill(worker, 'SIGKILL')
    await expect.poll(() => said).toContain('The worker runs again.')
    await expect.poll(collections).toEqual([collection.id])
    expect(gaveUp).toEqual([])
  } finally {
    await stack.stop()
  }
})

test('A database that ended is not started again while everything is stopped', { timeout: 60_000 }, async () => {
  const stack = await startStack({ dir, ...SERVICES })
  const { pid = 0 } = stack.postgres
  process.kill(pid, 'SIGKILL')
  expect(await waitUntilGone(pid, 20_000)).toBe(true)
  await stack.stop()
  expect(stack.postgres.pid).toBeUndefined()
})

test('Concurrent migrations run once', { timeout: 60_000 }, async () => {
  const stack = await startStack({ dir, ...SERVICES })
  await Promise.all([1, 2, 3].map(() => migrateDatabase(stack.databaseUrl)))
  await migrateDatabase(stack.databaseUrl)
  const journal = JSON.parse(await readFile(path.join(import.meta.dirname, '../migrations/meta/_journal.json'), 'utf8'))
  const [applied] = await stack.sql`select count(*)::int as n from drizzle.__drizzle_migrations`
  expect(applied?.n).toBe(journal.entries.length)
  await stack.stop()
})

test('A migration that would be skipped because of its date, or was changed after it ran, is refused by its name', {
  timeout: 60_000,
}, async () => {
  const stack = await startStack({ dir, ...SERVICES })
  const folder = path.join(dir, 'migrations')
  const write = async (tag: string, sql: string) => writeFile(path.join(folder, `${tag}.sql`), sql)
  const setOrder = async (...tags: string[]) => {
    const entries = tags.map((tag, idx) => ({ idx, version: '7', when: Number(tag.slice(-1)), tag, breakpoints: true }))
    await writeFile(path.join(folder, 'meta/_journal.json'), JSON.stringify({ version: '7', dialect: 'postgresql', entries }))
  }
  try {
    await mkdir(path.join(folder, 'meta'), { recursive: true })
    for (const tag of ['of_1', 'of_2', 'of_3']) await write(tag, `create table ${tag} (id int)`)
    await setOrder('of_1', 'of_3')
    await migrateDatabase(stack.databaseUrl, folder)
    await setOrder('of_1', 'of_2', 'of_3')
    await expect(migrateDatabase(stack.databaseUrl, folder)).rejects.toThrow('The migration of_2 is older than one')
    await setOrder('of_1', 'of_3')
    await write('of_3', 'create table of_3 (id text)')
    await expect(migrateDatabase(stack.databaseUrl, folder)).rejects.toThrow('The migration of_3 is not the one')
    await write('of_3', 'create table of_3 (id int)')
    await migrateDatabase(stack.databaseUrl, folder)
  } finally {
    await stack.stop()
  }
})

test('A migration that waits for a backup leaves the site answering, and succeeds when the backup has ended', {
  timeout: 60_000,
}, async () => {
  const stack = await startStack({ dir, ...SERVICES })
  const folder = path.join(dir, 'migrations')
  const backup = new pg.Client({ connectionString: stack.postgresUrl })
  try {
    await cp(MIGRATIONS, folder, { recursive: true })
    await migrateDatabase(stack.databaseUrl)
    const journal = await readJournal(folder)
    const last = journal.entries.at(-1)
    journal.entries.push({ ...last, idx: (last?.idx ?? 0) + 1, when: (last?.when ?? 0) + 1, tag: 'one_more' })
    await writeFile(path.join(folder, 'meta/_journal.json'), JSON.stringify(journal))
    await writeFile(path.join(folder, 'one_more.sql'), 'alter table assets add column one_more int')

    await backup.connect()
    await backup.query('begin')
    await backup.query('select count(*) from assets')
    await expect(migrateDatabase(stack.databaseUrl, folder, [])).rejects.toThrow('a backup may be running')
    const migrating = migrateDatabase(stack.databaseUrl, folder)
    const waits = () => stack.sql`select 1 from pg_locks where mode = 'AccessExclusiveLock' and not granted`
    await expect.poll(waits).toHaveLength(1)
    const asked = performance.now()
    await stack.sql`select count(*) from assets`
    expect(performance.now() - asked).toBeLessThan(5_000)
    await backup.query('commit')
    await migrating
    await stack.sql`select one_more from assets`
  } finally {
    await backup.end()
    await stack.stop()
  }
})
