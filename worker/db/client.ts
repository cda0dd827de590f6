import { type NeonQueryFunction, type NeonQueryPromise, neon, neonConfig } from '@neondatabase/serverless'
import type { SQL } from 'drizzle-orm'
import { drizzle, type NeonHttpDatabase } from 'drizzle-orm/neon-http'
import * as schema from './schema.ts'

type Client = NeonQueryFunction<boolean, boolean>
type Bare = NeonQueryPromise<boolean, boolean>

export type Db = NeonHttpDatabase<typeof schema>

/** Milliseconds. A slower response counts as an outage. */
const TIMEOUT = 30_000

/**
 * The database over Neon's HTTP endpoint: one request per statement or batch, without a connection.
 * `proxy` is host:port of a local endpoint that speaks the same protocol.
 */
export function connect(url: string, proxy?: string, timeout = TIMEOUT): Db {
  return drizzle(client(url, proxy, timeout), { schema })
}

/**
 * The database in the name of a session or an access token, given by its id: every transaction first checks that it has not been revoked, in the same round
 * trip. Once it has, each statement throws CA002, which answers `unauthenticated`, and nothing is read or written. The check also limits the transaction
 * to the collection of a token for one (the view `memberships`).
 */
export function connectAs(access: string, url: string, proxy?: string): Db {
  return drizzle(checked(client(url, proxy, TIMEOUT), access), { schema })
}

function client(url: string, proxy: string | undefined, timeout: number): Client {
  if (proxy) neonConfig.fetchEndpoint = `http://${proxy}/sql`
  neonConfig.fetchFunction = (to: string, init: RequestInit) => fetch(to, { ...init, signal: AbortSignal.timeout(timeout) })
  return neon(url)
}

/** Drizzle uses these two methods of the client, and awaits a single statement or passes it on to `transaction`. */
function checked(inner: Client, access: string): Client {
  const check = () => inner.query('select check_access($1)', [access])
  class Statement implements PromiseLike<unknown> {
    readonly bare: Bare
    constructor(bare: Bare) {
      this.bare = bare
    }
    // biome-ignore lint/suspicious/noThenProperty: as Neon's own statements, it runs when it is awaited
    then: Promise<unknown>['then'] = (done, failed) =>
      inner
        .transaction([check(), this.bare])
        .then(([, result]) => result)
        .then(done, failed)
  }
  const query = (...args: Parameters<Client['query']>) => new Statement(inner.query(...args))
  const transaction = async (statements: Statement[], options?: Parameters<Client['transaction']>[1]) =>
    (await inner.transaction([check(), ...statements.map(({ bare }) => bare)], options)).slice(1)
  return { query, transaction } as unknown as Client
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
