import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { databaseError } from '../http/errors.ts'
import { connect, connectAround, firstRows, rows } from './client.ts'

test('a database that never answers counts as an outage', async () => {
  const server = createServer(() => {}).listen(0, '127.0.0.1')
  const { port } = await new Promise<AddressInfo>((resolve) => server.once('listening', () => resolve(server.address() as AddressInfo)))
  const db = connect('postgres://cairn:x@127.0.0.1/cairn', `127.0.0.1:${port}`, 50)
  const failure = await rows(db, sql`select 1`).catch((error: unknown) => error)
  // No SQLSTATE, as if the database were unreachable.
  expect(databaseError(failure)).toMatchObject({ message: expect.stringMatching(/^Error connecting to database/) })
  expect(databaseError(failure)?.code).toBeUndefined()
  server.closeAllConnections()
  server.close()
})

test('what goes around the statements is in the same round trip and transaction: the check of an access first', async () => {
  const taken: unknown[] = []
  const take = (rows: unknown[]) => void taken.push(...rows)
  const requests: { query: string; params: unknown[] }[][] = []
  const server = createServer(async (request, response) => {
    const { queries } = (await json(request)) as { queries: { query: string; params: unknown[] }[] }
    requests.push(queries)
    const results = queries.map((_, n) => ({
      fields: [{ name: 'n', dataTypeID: 23 }],
      rows: [[String(n)]],
      command: 'SELECT',
      rowCount: 1,
    }))
    response.end(JSON.stringify({ results }))
  }).listen(0, '127.0.0.1')
  const { port } = await new Promise<AddressInfo>((resolve) => server.once('listening', () => resolve(server.address() as AddressInfo)))
  const access = '0198b2c4-0000-7000-8000-000000000001'
  const db = connectAround('postgres://cairn:x@127.0.0.1/cairn', `127.0.0.1:${port}`, { access, last: { statement: 'select 0', take } })
  const check = { query: 'select check_access($1)', params: [access] }
  expect(await rows(db, sql`select ${7}::int as n`)).toEqual([{ n: 1 }])
  expect(await firstRows(db, sql`select 8 as n`, sql`select 9 as n`)).toEqual([{ n: 1 }, { n: 2 }])
  expect(requests.map((queries) => queries.map(({ query }) => query))).toEqual([
    [check.query, 'select $1::int as n', 'select 0'],
    [check.query, 'select 8 as n', 'select 9 as n', 'select 0'],
  ])
  for (const [first] of requests) expect(first).toEqual(check)
  expect(taken).toEqual([{ n: 2 }, { n: 3 }])
  server.closeAllConnections()
  server.close()
})
