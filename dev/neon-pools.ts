import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { NeonQuery, NeonRequest } from './neon-request.ts'

const POOL_SIZE = 20
const LAST_QUERIES_MS = 1_000
/** Leaves every value as Postgres writes it; the driver parses by `dataTypeID`. */
const RAW_TEXT = { getTypeParser: () => (value: unknown) => value }
/** Statements whose effect outlives a transaction; such a connection must not be reused. */
const SESSION_STATE =
  /^\s*(set\s+(?!local|transaction)|listen|prepare|declare|create\s+temp)|set_config\([^()]*,\s*false\s*\)|pg_(try_)?advisory_lock\(/i

/** One pool per database, user and password, so that tests can use many databases side by side. */
export class NeonPools {
  #pools = new Map<string, pg.Pool>()
  #host: string
  #port: number

  constructor(host: string, port: number) {
    this.#host = host
    this.#port = port
  }

  /**
   * Runs a query, or a batch in one transaction. Nothing is ever retried: when a connection breaks, only the caller knows whether the write
   * may be repeated.
   */
  async run(request: NeonRequest): Promise<unknown> {
    const client = await this.#pool(request).connect()
    let keep = false
    try {
      const results = await runAll(client, request)
      keep = client.getTransactionStatus() === 'I' && !request.queries.some(({ query }) => SESSION_STATE.test(query))
      return request.begin === undefined ? results[0] : { results }
    } catch (error) {
      if (error instanceof pg.DatabaseError && error.severity === 'ERROR') keep = await rolledBack(client)
      throw error
    } finally {
      client.release(!keep)
    }
  }

  async forget(database: string): Promise<void> {
    const of = [...this.#pools].filter(([key]) => key.startsWith(`${JSON.stringify(database)} `))
    for (const [key] of of) this.#pools.delete(key)
    await Promise.all(of.map(([, pool]) => pool.end()))
  }

  /** Gives running queries a moment; the database rolls back longer ones when it shuts down. */
  async end(): Promise<void> {
    const ended = Promise.all([...this.#pools.values()].map((pool) => pool.end()))
    this.#pools.clear()
    await Promise.race([ended, sleep(LAST_QUERIES_MS, undefined, { ref: false })])
  }

  #pool({ user, password, database }: NeonRequest): pg.Pool {
    const key = `${JSON.stringify(database)} ${JSON.stringify([user, password])}`
    const known = this.#pools.get(key)
    if (known) return known
    const pool = new pg.Pool({
      host: this.#host,
      port: this.#port,
      user,
      password,
      database,
      max: POOL_SIZE,
      idleTimeoutMillis: 30_000,
      connectionTimeoutMillis: 5_000,
    })
    surviveBrokenConnections(pool)
    this.#pools.set(key, pool)
    return pool
  }
}

/** Without a listener a closed connection would be an uncaught error. Callers waiting for a query get the error anyway. */
export function surviveBrokenConnections(pool: pg.Pool): void {
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
}

async function runAll(client: pg.PoolClient, request: NeonRequest): Promise<unknown[]> {
  if (request.begin !== undefined) await client.query(request.begin)
  const results = []
  for (const query of request.queries) results.push(await runOne(client, query, request.rawText))
  if (request.begin !== undefined) await client.query('commit')
  return results
}

async function runOne(client: pg.PoolClient, { query, params, arrayMode }: NeonQuery, rawText: boolean) {
  const config = { text: query, values: params, ...(rawText && { types: RAW_TEXT }) }
  const result = arrayMode
    ? await client.query({ ...config, rowMode: 'array' as const })
    : await client.query<Record<string, unknown>>(config)
  // Several statements in one text give several results; Neon returns the last.
  const { fields, rows, command, rowCount } = Array.isArray(result) ? result.at(-1) : result
  return { fields, rows, command, rowCount, rowAsArray: arrayMode }
}

async function rolledBack(client: pg.PoolClient): Promise<boolean> {
  if (client.getTransactionStatus() === 'I') return true
  return client.query('rollback').then(
    () => true,
    () => false,
  )
}
