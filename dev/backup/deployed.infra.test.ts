import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type NeonPeer, startNeonPeer } from '../deploy/neon-peer.ts'
import { migrateDatabase, readJournal } from '../migrate.ts'
import { type Stack, startStack } from '../stack.ts'
import { restoreDeployed, restoreLocal, saveDeployed } from './backup.ts'
import { readManifest } from './manifest.ts'

const ADA = '00000000-0000-4000-8000-00000000000a'
const SIGN_IN = `
insert into neon_auth."user" values ('${ADA}', 'Ada', 'ada@example.org');
insert into neon_auth.account values (gen_random_uuid(), '${ADA}', 'hash');
insert into neon_auth.session values (gen_random_uuid(), '${ADA}', 'token');
insert into users (id, email) values ('${ADA}', 'ada@example.org');
insert into sessions (id, user_id) values ('${ADA}', '${ADA}');
insert into push_subscriptions (id, user_id, session_id, endpoint, p256dh, auth) values (gen_random_uuid(), '${ADA}', '${ADA}', 'https://push.example.org', 'key', 'auth');
insert into mailed_links (key, id, expires_at) values ('key', '${ADA}', now() + interval '1 hour');
insert into refreshes (key, claim, claimed_until) values ('key', '', now());
insert into edits (id, user_id, action, before) select gen_random_uuid(), '${ADA}', 'post', jsonb_build_object('body', E'\\u2028' || repeat(md5(n::text), 10000))
from generate_series(1, 60) n`

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

test('Users can sign in with their passwords at the sign-in service of the restored database', async () => {
  const saved = await saveDeployed(neon.url('site'), path.join(folder, 'copy'))
  const names = saved.tables.flatMap(({ schema, name }) => (schema === 'neon_auth' ? [name] : []))
  expect(names).toEqual(['account', 'user'])

  await restoreDeployed(neon.url('empty'), path.join(folder, 'copy'))
  expect(await column('empty', 'select id, email from users')).toEqual([`${ADA},ada@example.org`])
  expect(await column('empty', 'select "userId", password from neon_auth.account')).toEqual([`${ADA},hash`])
  expect(await column('empty', 'select endpoint_id from neon_auth.project_config')).toEqual(['ep-of-empty'])
  expect(await column('empty', 'select token from neon_auth.session')).toEqual([])
  for (const table of ['sessions', 'push_subscriptions', 'mailed_links', 'refreshes'])
    expect(await column('empty', `select 1 from ${table}`), table).toEqual([])
})

test('Rows of many megabytes are restored, with every character', async () => {
  const edits = `select count(*), md5(string_agg(before::text, '' order by id)) from edits`
  expect(await column('empty', edits)).toEqual(await column('site', edits))
})

test('A restore into a database with accounts is refused', async () => {
  await neon.query('taken', `insert into neon_auth."user" values ('${ADA}', 'Ada', 'ada@example.org')`)
  const restored = restoreDeployed(neon.url('taken'), path.join(folder, 'copy'))
  await expect(restored).rejects.toThrow('The database is not empty (neon_auth."user")')
})

test('A restore into a database with a later schema is refused, since no migration would convert the rows', async () => {
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
  // The bucket knows the restored database as its own.
  expect(await column('preview', 'select id from site')).toEqual(await column('site', 'select id from site'))
})

test("A local restore of a deployment's backup deletes nothing", async () => {
  const removed = vi.fn(async () => true)
  const restored = restoreLocal(path.join(folder, 'own'), path.join(folder, 'copy'), removed)
  await expect(restored).rejects.toThrow('This is the backup of a deployment')
  expect(removed).not.toHaveBeenCalled()
})
