import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type NeonPeer, startNeonPeer } from '../deploy/neon-peer.ts'
import { readJournal } from '../deploy/schema-version.ts'
import { migrateDatabase } from '../migrate.ts'
import { type Stack, startStack } from '../stack.ts'
import { restoreDeployed, restoreLocal, saveDeployed } from './backup.ts'
import { readManifest } from './manifest.ts'

const ADA = '00000000-0000-4000-8000-00000000000a'
const SIGN_IN = `
insert into neon_auth."user" values ('${ADA}', 'Ada', 'ada@example.org');
insert into neon_auth.account values (gen_random_uuid(), '${ADA}', 'hash');
insert into neon_auth.session values (gen_random_uuid(), '${ADA}', 'token');
insert into users (id, email) values ('${ADA}', 'ada@example.org')`

let stack: Stack
let neon: NeonPeer
let folder: string

beforeAll(async () => {
  stack = await startStack({ worker: false, assets: false, migrations: false })
  neon = await startNeonPeer(stack)
  folder = await mkdtemp(path.join(tmpdir(), 'cairn-deployed-'))
  for (const database of ['site', 'empty', 'taken', 'preview']) {
    await neon.create(database)
    await neon.enableAuth(database)
  }
  await migrateDatabase(neon.url('site'))
  await neon.query('site', SIGN_IN)
})

afterAll(async () => {
  await neon?.stop()
  await Promise.all([stack?.stop(), folder && rm(folder, { recursive: true })])
})

const column = async (database: string, text: string) =>
  (await neon.query(database, text)).rows.map((row) => Object.values<string>(row).join())

test('people of a deployment sign in to the database that it is restored into, with their passwords and at its own sign-in service', async () => {
  const saved = await saveDeployed(neon.url('site'), path.join(folder, 'copy'))
  const names = saved.tables.flatMap(({ schema, name }) => (schema === 'neon_auth' ? [name] : []))
  expect(names).toEqual(['account', 'user'])

  await restoreDeployed(neon.url('empty'), path.join(folder, 'copy'))
  expect(await column('empty', 'select id, email from users')).toEqual([`${ADA},ada@example.org`])
  expect(await column('empty', 'select "userId", password from neon_auth.account')).toEqual([`${ADA},hash`])
  expect(await column('empty', 'select endpoint_id from neon_auth.project_config')).toEqual(['ep-of-empty'])
  expect(await column('empty', 'select token from neon_auth.session')).toEqual([])
})

test('where somebody has signed up already nothing is restored', async () => {
  await neon.query('taken', `insert into neon_auth."user" values ('${ADA}', 'Ada', 'ada@example.org')`)
  const restored = restoreDeployed(neon.url('taken'), path.join(folder, 'copy'))
  await expect(restored).rejects.toThrow('The database is not empty (neon_auth."user")')
})

test('rows of an older schema do not go into a later one, where no migration would bring them on', async () => {
  const older = path.join(folder, 'older')
  await cp(path.join(folder, 'copy'), older, { recursive: true })
  const { entries } = await readJournal()
  const { when, tag } = entries.at(-2) ?? {}
  const manifest = await readManifest(older)
  await writeFile(path.join(older, 'backup.json'), JSON.stringify({ ...manifest, schema: { when, tag } }))

  // As in an opened preview.
  await migrateDatabase(neon.url('preview'))
  await expect(restoreDeployed(neon.url('preview'), older)).rejects.toThrow(`the backup (${tag}) has not`)
  expect(await column('preview', 'select id from users')).toEqual([])
  await restoreDeployed(neon.url('preview'), path.join(folder, 'copy'))
  expect(await column('preview', 'select id from users')).toEqual([ADA])
})

test("on one's own machine the backup of a deployment takes nothing away", async () => {
  const removed = vi.fn(async () => true)
  const restored = restoreLocal(path.join(folder, 'own'), path.join(folder, 'copy'), removed)
  await expect(restored).rejects.toThrow('This is the backup of a deployment')
  expect(removed).not.toHaveBeenCalled()
})
