import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WORKER_BUNDLE } from '../build-worker.ts'
import { Client } from '../http-client.ts'
import { makeOwnCheckout } from '../own-checkout.ts'
import { seedDemo } from '../seed.ts'
import { type Stack, startStack } from '../stack.ts'
import { PROJECT } from '../state-folder.ts'
import { restoreLocal, saveLocal } from './backup.ts'
import { type Manifest, readManifest } from './manifest.ts'
import { listTables } from './tables.ts'

const LARGE = new Uint8Array(33 * 1024 * 1024).map((_, nth) => nth % 251)
let home: string
let checkout: string
let dir: string
let folder: string

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'cairn-backup-'))
  checkout = path.join(home, 'cairn')
  dir = path.join(checkout, '.cairn')
  folder = path.join(home, 'backup')
  await makeOwnCheckout(checkout)
})

afterAll(() => rm(home, { recursive: true, force: true }))

/** The commands of docs/deploy.md for a local Cairn, verbatim. */
async function commandsOf(date: string): Promise<string[]> {
  const page = await readFile(path.join(PROJECT, 'docs/deploy.md'), 'utf8')
  const lines = page.split('\n').filter((line) => line.startsWith('npm') && line.includes(date))
  return lines.map((line) => line.replace(/\s+#.*/, '').replace(`~/cairn-${date}`, folder))
}

/** Runs a command. Fails if it fails or does not end. */
async function follow(command = ''): Promise<string> {
  const [npm = '', ...args] = command.split(' ')
  return (await promisify(execFile)(npm, args, { cwd: checkout, timeout: 120_000 })).stdout
}

async function withCairn<T>(work: (stack: Stack) => Promise<T>): Promise<T> {
  const stack = await startStack({ dir, worker: WORKER_BUNDLE, assets: false, vars: { RATE_LIMIT_FACTOR: '1000' } })
  try {
    return await work(stack)
  } finally {
    await stack.stop()
  }
}

/** Every row of every table as text, sorted, without what a restore changes. */
async function rowsOf({ postgresUrl }: Stack): Promise<Record<string, string[]>> {
  const client = new pg.Client({ connectionString: postgresUrl })
  await client.connect()
  try {
    const tables = await listTables(client)
    const rows: Record<string, string[]> = {}
    for (const { id } of tables) {
      const row = id === 'public.collections' ? "(to_jsonb(t) - 'revision')" : 't'
      rows[id] = (await client.query(`select ${row}::text as row from ${id} t order by 1`)).rows.map((found) => found.row)
    }
    return rows
  } finally {
    await client.end()
  }
}

async function schemaOf({ postgresUrl }: Stack): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: postgresUrl })
  await client.connect()
  try {
    const { rows } = await client.query(
      `select conrelid::regclass::text as of, conname as name, pg_get_constraintdef(oid) as text from pg_constraint
       union all select tgrelid::regclass::text, tgname, tgenabled::text from pg_trigger where not tgisinternal order by 1, 2, 3`,
    )
    return rows
  } finally {
    await client.end()
  }
}

async function objectsOf(stack: Stack) {
  const bucket = await stack.bucket()
  const { objects } = await bucket.list()
  const read = async (key: string) => {
    const object = await bucket.get(key)
    const bytes = Buffer.from((await object?.arrayBuffer()) ?? new ArrayBuffer())
    return [key, { bytes, type: object?.httpMetadata?.contentType, custom: object?.customMetadata }] as const
  }
  return new Map(await Promise.all(objects.map(({ key }) => read(key))))
}

test('A restore after a reset returns every row and byte, and users can sign in as before', { timeout: 400_000 }, async () => {
  const before = await withCairn(async (stack) => {
    await seedDemo(stack)
    await (await stack.bucket()).put('map/large.pmtiles', LARGE, { customMetadata: { of: 'a test' } })
    // Until nothing is left that the minute's task would do after the restore.
    const unread = () => stack.sql`select name from assets where metadata_read is null and version > 1`
    await expect.poll(() => stack.worker.runScheduled().then(unread), { timeout: 100_000 }).toEqual([])
    const [collection] = await stack.sql`select c.id, c.revision::int from collections c join users u on u.id = c.user_id
      where u.email = 'nora@example.org' and c.deleted_at is null limit 1`
    return { rows: await rowsOf(stack), schema: await schemaOf(stack), objects: await objectsOf(stack), collection }
  })
  const [save, restore] = await commandsOf('2026-11-21')
  await follow(save)
  const saved = await readManifest(folder)
  expect(saved.objects?.count).toBe(before.objects.size)
  expect(saved.tables.find(({ name }) => name === 'posts')?.rows).toBe(before.rows['public.posts']?.length)
  const names = saved.tables.map(({ name }) => name)
  for (const name of ['session', 'sessions', 'refreshes', 'push_subscriptions', 'mailed_links']) expect(names).not.toContain(name)

  const later = await startStack({ dir, worker: false, assets: false })
  await later.sql`delete from posts`
  await later.sql`insert into users (id, email) values ('later', 'later@example.org')`
  await later.stop()
  await expect(follow(restore)).rejects.toThrow('Nobody is there to be asked')
  expect(await follow(`${restore} --yes`)).toContain('valid again')

  await withCairn(async (stack) => {
    // In parallel: the minute's task also runs here.
    const [rows, objects] = await Promise.all([rowsOf(stack), objectsOf(stack)])
    expect(rows).toEqual(before.rows)
    expect(await stack.sql`select id from sessions`).toEqual([])
    expect(await schemaOf(stack)).toEqual(before.schema)
    expect([...objects.keys()]).toEqual([...before.objects.keys()])
    for (const [key, { bytes, ...metadata }] of before.objects) {
      expect(objects.get(key)?.bytes.equals(bytes), key).toBe(true)
      expect(objects.get(key)).toMatchObject(metadata)
    }
    const nora = new Client(stack.origin)
    expect((await nora.post('/api/auth/sign-in', { email: 'nora@example.org', password: 'cairn-demo' })).status).toBe(200)
    const { body } = await nora.get('/api/asset')
    const file = await nora.get(`/api/asset/${body.assets[0].id}/file`)
    expect(file.status).toBe(200)
    // A device may have seen changes that were made after the backup, and the numbers of later ones must not be theirs.
    const { id, revision } = before.collection ?? {}
    for (let nth = 0; nth < 5; nth++) await nora.post('/api/post', { type: 'note', title: `${nth}`, collectionIds: [id] })
    expect((await nora.get(`/api/post?collection_id=${id}&since=${revision + 3}`)).status).toBe(410)
    // Sequences continue after the restored rows.
    expect((await nora.post('/api/collections', { name: 'After the fire' })).status).toBe(201)
  })
})

test('A backup requires an empty folder, and a restore an empty Cairn', async () => {
  await expect(saveLocal(dir, folder)).rejects.toThrow('is not empty')
  await expect(saveLocal(dir, path.join(dir, 'copy'))).rejects.toThrow('a backup needs another place')
  await expect(restoreLocal(dir, folder)).rejects.toThrow('The database is not empty')
})

test('A damaged or unfinished backup restores nothing', async () => {
  const empty = path.join(home, 'other')
  const { tables } = await readManifest(folder)
  const file = path.join(folder, tables.find(({ name }) => name === 'posts')?.file ?? '')
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.slice(0, -20))
  await expect(restoreLocal(empty, folder)).rejects.toThrow('damaged')
  await rm(file)
  await expect(restoreLocal(empty, folder)).rejects.toThrow('missing')
  await rm(path.join(folder, 'backup.json'))
  await expect(restoreLocal(empty, folder)).rejects.toThrow('no finished backup')
})

/** The same backup with another manifest, whose hashes are correct. */
async function changed(backup: string, change: (manifest: Manifest) => Partial<Manifest>): Promise<string> {
  const copy = await mkdtemp(path.join(home, 'changed-'))
  await cp(backup, copy, { recursive: true })
  const manifest = await readManifest(backup)
  await writeFile(path.join(copy, 'backup.json'), JSON.stringify({ ...manifest, ...change(manifest) }))
  return copy
}

test('Declining, or a backup that is damaged or cannot be restored here, deletes nothing', async () => {
  const removed: string[] = []
  const removing = (answer: boolean) => async () => {
    removed.push(String(answer))
    return answer
  }
  const another = path.join(home, 'another')
  await saveLocal(dir, another)
  const newer = await changed(another, ({ schema }) => ({ schema: { when: schema.when + 1, tag: '9999_later' } }))
  const deployed = await changed(another, ({ tables }) => ({
    tables: tables.map((table) => (table.schema === 'auth' ? { ...table, schema: 'neon_auth' } : table)),
    objects: null,
  }))
  const inside = path.join(dir, 'backup')
  await cp(another, inside, { recursive: true })
  const link = path.join(home, 'link')
  await symlink(inside, link)
  const refused = (backup: string) => expect(restoreLocal(dir, backup, removing(true))).rejects
  await refused(path.join(home, 'none')).toThrow('no finished backup')
  await refused(newer).toThrow('made by a newer Cairn (9999_later)')
  await refused(deployed).toThrow('set DATABASE_URL to an empty one')
  for (const backup of [inside, link]) await refused(backup).toThrow('a backup needs another place')
  expect(removed).toEqual([])

  expect(await restoreLocal(dir, another, removing(false))).toBe(null)
  await expect(restoreLocal(dir, another)).rejects.toThrow('The database is not empty')
})

test('A folder without data has nothing to back up, and a failed backup leaves no files', async () => {
  const target = path.join(home, 'of-nothing')
  await expect(saveLocal(path.join(home, 'never'), target)).rejects.toThrow('nothing to back up')
  expect(await readdir(target)).toEqual([])
})
