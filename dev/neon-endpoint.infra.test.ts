import { Pool } from '@neondatabase/serverless'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { localSql } from './neon.ts'
import { type Stack, startStack } from './stack.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack({ worker: false, assets: false, migrations: false })
  await stack.sql`create table notes (id int primary key, body text)`
}, 60_000)
afterAll(() => stack.stop())

test('Values arrive with the types that the driver parses', async () => {
  const [row] = await stack.sql`select ${7}::int as n, ${'å'}::text as t, '{"a":[1]}'::jsonb as j, '{1,2}'::int[] as a, null as nothing,
    '\\xff00'::bytea as b, timestamptz '2026-01-02 03:04:05Z' as at`
  expect(row).toMatchObject({ n: 7, t: 'å', j: { a: [1] }, a: [1, 2], nothing: null, at: new Date('2026-01-02T03:04:05Z') })
})

test('A failed batch leaves nothing behind and names the constraint', async () => {
  const { sql } = stack
  const batch = sql.transaction([sql`insert into notes values (1, 'a')`, sql`insert into notes values (1, 'b')`])
  await expect(batch).rejects.toMatchObject({ code: '23505', constraint: 'notes_pkey', table: 'notes' })
  expect(await sql`select * from notes where id = 1`).toEqual([])
})

test('A read-only batch cannot write', async () => {
  const { sql } = stack
  await expect(sql.transaction([sql`insert into notes values (2, 'a')`], { readOnly: true })).rejects.toMatchObject({ code: '25006' })
})

test('Session state never reaches the next caller', async () => {
  await stack.sql`set statement_timeout = 1234`
  await stack.sql`begin`
  const rows = await Promise.all(
    Array.from({ length: 30 }, () => stack.sql`select current_setting('statement_timeout') as t, now() = statement_timestamp() as fresh`),
  )
  expect(rows.flat().every((row) => row.t === '0' && row.fresh === true)).toBe(true)
})

test('An interactive transaction runs through the WebSocket tunnel', async () => {
  const pool = new Pool({ connectionString: stack.databaseUrl, max: 1 })
  const client = await pool.connect()
  await client.query('begin')
  await client.query("insert into notes values (3, 'a')")
  await client.query('rollback')
  client.release()
  await pool.end()
  expect(await stack.sql`select * from notes where id = 3`).toEqual([])
})

test('A wrong password and an unknown database are refused', async () => {
  const wrong = new URL(stack.databaseUrl)
  wrong.password = 'wrong'
  await expect(localSql(wrong.href)`select 1`).rejects.toMatchObject({ code: '28P01' })
  await expect(localSql(stack.databaseUrl.replace(/cairn$/, 'nowhere'))`select 1`).rejects.toMatchObject({ code: '3D000' })
})

test('A connection that breaks during a write is reported once and never retried', async () => {
  await stack.sql`create sequence tries`
  await expect(stack.sql`select nextval('tries'), pg_terminate_backend(pg_backend_pid())`).rejects.toThrow('503')
  expect(await stack.sql`select nextval('tries')::int as n`).toEqual([{ n: 2 }])
})

test('Only queries that run while the database is killed fail', async () => {
  const running = Promise.allSettled(Array.from({ length: 10 }, () => stack.sql`select pg_sleep(30)`))
  const pool = new Pool({ connectionString: stack.databaseUrl, max: 1 })
  pool.on('error', () => {})
  const tunnelled = pool.query('select pg_sleep(30)').catch((error: unknown) => error)
  await expect
    .poll(async () => (await stack.sql`select count(*)::int as n from pg_stat_activity where query like 'select pg_sleep(30)'`)[0]?.n)
    .toBe(11)
  await stack.killDatabase()
  expect((await running).every(({ status }) => status === 'rejected')).toBe(true)
  expect(await tunnelled).toBeInstanceOf(Error)
  await stack.postgres.start()
  expect(await stack.sql`select 1 as n`).toEqual([{ n: 1 }])
})

test('The database can stop and start again under a filled pool', async () => {
  await Promise.all(Array.from({ length: 20 }, () => stack.sql`select pg_sleep(0.05)`))
  await stack.killDatabase()
  await expect(stack.sql`select 1`).rejects.toThrow('503')
  await stack.postgres.start()
  expect(await Promise.all(Array.from({ length: 40 }, () => stack.sql`select 1 as n`))).toHaveLength(40)
})
