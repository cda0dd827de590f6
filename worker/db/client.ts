import { neon, neonConfig } from '@neondatabase/serverless'
import type { SQL } from 'drizzle-orm'
import { drizzle, type NeonHttpDatabase } from 'drizzle-orm/neon-http'
import * as schema from './schema.ts'

export type Db = NeonHttpDatabase<typeof schema>

/** Milliseconds. A slower response counts as an outage. */
const TIMEOUT = 30_000

/**
 * The database over Neon's HTTP endpoint: one request per statement or batch, without a connection.
 * `proxy` is host:port of a local endpoint that speaks the same protocol.
 */
export function connect(url: string, proxy?: string, timeout = TIMEOUT): Db {
  if (proxy) neonConfig.fetchEndpoint = `http://${proxy}/sql`
  neonConfig.fetchFunction = (to: string, init: RequestInit) => fetch(to, { ...init, signal: AbortSignal.timeout(timeout) })
  return drizzle(neon(url), { schema })
}

/** All rows of a statement. `T` must be the shape that the SQL selects; it is not checked. */
export async function rows<T>(db: Db, statement: SQL): Promise<T[]> {
  const result = await db.execute(statement)
  return result.rows as T[]
}

/** The first row of a statement, or null. */
export async function firstRow<T>(db: Db, statement: SQL): Promise<T | null> {
  return (await rows<T>(db, statement))[0] ?? null
}

/** Runs statements in one transaction and one round trip. Each sees the writes of those before it. Returns the first row of each, or null. */
export async function firstRows<T extends unknown[]>(
  db: Db,
  ...statements: { [K in keyof T]: SQL }
): Promise<{ [K in keyof T]: T[K] | null }> {
  const [first, ...others] = statements.map((statement) => db.execute(statement))
  if (!first) throw new Error('A batch needs a statement')
  const results = await db.batch([first, ...others])
  // The caller gives the row type of each statement.
  return results.map((result) => result.rows[0] ?? null) as { [K in keyof T]: T[K] | null }
}
