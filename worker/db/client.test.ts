import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { databaseError } from '../http/errors.ts'
import { connect, rows } from './client.ts'

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
