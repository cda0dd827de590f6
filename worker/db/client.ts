import { neon, neonConfig } from '@neondatabase/serverless'
import type { SQL } from 'drizzle-orm'
import { drizzle, type NeonHttpDatabase } from 'drizzle-orm/neon-http'
import * as schema from './schema.ts'

export type Db = NeonHttpDatabase<typeof schema>

/** Milliseconds that an answer may take; then it counts as an outage, as if nobody were there. */
const TIMEOUT = 30_000

/**
 * The database over Neon's HTTP endpoint: one request per statement or batch, no connection to keep.
 * `proxy` is host:port of a local endpoint that speaks the same protocol.
 */
export function connect(url: string, proxy?: string, timeout = TIMEOUT): Db {
  if (proxy) neonConfig.fetchEndpoint = `http://${proxy}/sql`
  neonConfig.fetchFunction = (to: string, init: RequestInit) => fetch(to, { ...init, signal: AbortSignal.timeout(timeout) })
  return drizzle(neon(url), { schema })
}

/** All rows of a statement. The caller names the shape that its SQL selects. */
export async function rows<T>(db: Db, statement: SQL): Promise<T[]> {
  const result = await db.execute(statement)
  return result.rows as T[]
}

/** The first row of a statement, or null. */
export async function firstRow<T>(db: Db, statement: SQL): Promise<T | null> {
  return (await rows<T>(db, statement))[0] ?? null
}

/** Statements in one transaction and one round trip, each seeing what those before it wrote: the first row of each, or null. */
export async function firstRows<T extends unknown[]>(
  db: Db,
  ...statements: { [K in keyof T]: SQL }
): Promise<{ [K in keyof T]: T[K] | null }> {
  const [first, ...others] = statements.map((statement) => db.execute(statement))
  if (!first) throw new Error('A batch needs a statement')
  const results = await db.batch([first, ...others])
  // Each statement has its own row type, which the caller names; null where it gave no row.
  return results.map((result) => result.rows[0] ?? null) as { [K in keyof T]: T[K] | null }
}
