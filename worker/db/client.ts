import { type NeonQueryFunction, type NeonQueryPromise, neon, neonConfig } from '@neondatabase/serverless'
import type { SQL } from 'drizzle-orm'
import { drizzle, type NeonHttpDatabase } from 'drizzle-orm/neon-http'

type Client = NeonQueryFunction<boolean, boolean>
type Bare = NeonQueryPromise<boolean, boolean>

export type Db = NeonHttpDatabase

/** Milliseconds. A slower response counts as an outage. */
const TIMEOUT = 30_000

/**
 * The database over Neon's HTTP endpoint: one request per statement or batch, without a connection.
 * `proxy` is host:port of a local endpoint that speaks the same protocol.
 */
export function connect(url: string, proxy?: string, timeout = TIMEOUT): Db {
  return drizzle(client(url, proxy, timeout))
}

/**
 * What a guest writes: what they say, what they upload, or what they do to files that they have added. CA006 and CA007 for a link that does not allow it
 * (migrations/0045_guests_answer.sql, 0048_contributions.sql).
 */
export type GuestWork = 'answer' | 'upload' | 'own'

/** Statements that run before and after those of every transaction, in the same round trip. */
export interface Around {
  /**
   * Id of a session or an access token. If it has been revoked, every statement throws CA002, which answers `unauthenticated`, and nothing is
   * read or written. Also limits transactions to the collection of a token for one (the view `memberships`).
   */
  access?: string | undefined
  /** The access is a guest's, and the transaction writes for them: see GuestWork. */
  guest?: GuestWork | undefined
  /** The guest is not looking, so this does not count as a visit. */
  unseen?: boolean
  /** Runs last. `take` gets its rows once the transaction is committed. */
  last?: { statement: string; take: (rows: unknown[]) => void } | undefined
}

/** The database with something around every transaction. */
export function connectAround(url: string, proxy: string | undefined, around: Around): Db {
  return drizzle(wrapped(client(url, proxy, TIMEOUT), around))
}

function client(url: string, proxy: string | undefined, timeout: number): Client {
  if (proxy) neonConfig.fetchEndpoint = `http://${proxy}/sql`
  neonConfig.fetchFunction = (to: string, init: RequestInit) => fetch(to, { ...init, signal: AbortSignal.timeout(timeout) })
  return neon(url)
}

/** Rows as objects, in a result like those of Drizzle's own statements. */
const WHOLE: Parameters<Client['query']>[2] = { arrayMode: false, fullResults: true }

/** Drizzle uses these two methods of the client, and awaits a single statement or passes it on to `transaction`. */
function wrapped(inner: Client, { access, guest, unseen, last }: Around): Client {
  async function run(statements: Bare[], options?: Parameters<Client['transaction']>[1]) {
    const first = access === undefined ? [] : [inner.query('select check_access($1)', [access])]
    if (guest === 'answer') {
      first.unshift(inner.query('select lock_collection_of_guest($1)', [access]))
      first.push(inner.query('select guest.begin_answer()'))
    } else if (guest) {
      first.unshift(inner.query("select set_config('cairn.uncounted', '1', true)"))
      first.push(inner.query('select guest.begin_add($1)', [guest === 'own']))
    } else if (unseen) first.unshift(inner.query("select set_config('cairn.uncounted', '1', true)"))
    const after = last ? [inner.query(last.statement, [], WHOLE)] : []
    const results = await inner.transaction([...first, ...statements, ...after], options)
    const end = last && results.at(-1)
    if (end) last.take((end as { rows: unknown[] }).rows)
    return results.slice(first.length, first.length + statements.length)
  }
  class Statement implements PromiseLike<unknown> {
    readonly bare: Bare
    constructor(bare: Bare) {
      this.bare = bare
    }
    // biome-ignore lint/suspicious/noThenProperty: as Neon's own statements, it runs when it is awaited
    then: Promise<unknown>['then'] = (done, failed) =>
      run([this.bare])
        .then(([result]) => result)
        .then(done, failed)
  }
  const query = (...args: Parameters<Client['query']>) => new Statement(inner.query(...args))
  const transaction = (statements: Statement[], options?: Parameters<Client['transaction']>[1]) =>
    run(
      statements.map(({ bare }) => bare),
      options,
    )
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

/** The row of a statement that always gives one. */
export function present<T>(row: T | null | undefined): T {
  if (row === null || row === undefined) throw new Error('A statement that always gives a row gave none')
  return row
}

/** The only row of a statement that always gives one. */
export async function oneRow<T>(db: Db, statement: SQL): Promise<T> {
  return present(await firstRow<T>(db, statement))
}

/** Runs statements in one transaction and one round trip. Each sees the writes of those before it. Returns the first row of each, or null. */
export async function firstRows<T extends unknown[]>(
  db: Db,
  ...statements: { [K in keyof T]: SQL }
): Promise<{ [K in keyof T]: T[K] | null }> {
  const results = await inOrder(db, statements)
  // The caller gives the row type of each statement.
  return results.map(({ rows: [first] }) => first ?? null) as { [K in keyof T]: T[K] | null }
}

type Read = ((db: Db) => Promise<unknown>) | null
type Outcome<R extends Read> = R extends (db: Db) => Promise<infer T> ? T : null

/** Runs reads of exactly one statement each in one transaction and one round trip. One that is null is not run. */
export async function together<R extends Record<string, Read>>(db: Db, reads: R): Promise<{ [K in keyof R]: Outcome<R[K]> }> {
  const count = Object.values(reads).filter((read) => read !== null).length
  const statements: SQL[] = []
  const results = Promise.withResolvers<Awaited<ReturnType<typeof inOrder>>>()
  const gathering = {
    execute(statement: SQL) {
      const nth = statements.push(statement) - 1
      if (nth >= count) throw new Error('A read has more than one statement')
      if (nth === count - 1) results.resolve(inOrder(db, statements))
      return results.promise.then((all) => all[nth])
    },
  } as unknown as Db
  const outcomes = await Promise.all(Object.entries(reads).map(async ([name, read]) => [name, read && (await read(gathering))]))
  // The same names as in `reads`.
  return Object.fromEntries(outcomes) as { [K in keyof R]: Outcome<R[K]> }
}

async function inOrder(db: Db, statements: readonly SQL[]) {
  const [first, ...others] = statements.map((statement) => db.execute(statement))
  return first ? db.batch([first, ...others]) : []
}
