import dns from 'node:dns'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from '@neondatabase/serverless'
import { drizzle } from 'drizzle-orm/neon-serverless'
import { migrate } from 'drizzle-orm/neon-serverless/migrator'
import { isThisMachine } from '../contract/loopback.ts'
import { pointDriverHere } from './neon.ts'
import { errorCode, SetupError } from './setup-error.ts'
import { PROJECT } from './state-folder.ts'

export const MIGRATIONS = path.join(PROJECT, 'migrations')
/** An arbitrary number that no other lock uses: it serializes concurrent migrations. */
const LOCK = 4_747_001
/** Error code of a statement that did not get its lock within `lock_timeout`. */
const LOCK_NOT_AVAILABLE = '55P03'

/** Milliseconds between attempts at a lock that others hold. */
const PAUSES = [5_000, 10_000, 20_000]

/**
 * Migrates a database through Neon's driver, which local and deployed databases both use. Each run applies the missing migrations in one
 * transaction; without any it changes nothing. Throws a SetupError if a table stays in use.
 */
export async function migrateDatabase(databaseUrl: string, folder = MIGRATIONS, pauses = PAUSES): Promise<void> {
  if (!existsSync(path.join(folder, 'meta/_journal.json'))) return
  if (await isLocal(databaseUrl)) pointDriverHere()
  const pool = new Pool({ connectionString: withoutPooler(databaseUrl), max: 1 })
  try {
    const client = await pool.connect()
    try {
      // A session lock: it ends with the connection, however this run ends.
      await client.query('select pg_advisory_lock($1)', [LOCK])
      // While a change of a table waits for a backup that reads it, all queries of the site wait behind it.
      await client.query(`set lock_timeout = '3s'`)
      await whenUnlocked(() => migrate(drizzle(client), { migrationsFolder: folder }), pauses)
      await client.query('select pg_advisory_unlock($1)', [LOCK])
    } finally {
      client.release()
    }
  } finally {
    await pool.end()
  }
}

async function whenUnlocked(work: () => Promise<void>, [pause, ...pauses]: number[]): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof Error) || errorCode(error.cause) !== LOCK_NOT_AVAILABLE) throw error
    if (pause === undefined)
      throw new SetupError(
        'The database was not migrated, because a table that changes is in use: a backup may be running. Run the same command again when it has ended.',
      )
    await sleep(pause)
    await whenUnlocked(work, pauses)
  }
}

/** Neon's pooler reassigns a connection after each transaction, together with its session lock. */
export function withoutPooler(databaseUrl: string): string {
  return databaseUrl.replace(/-pooler(?=\.[\w.-]+\.neon\.tech)/, '')
}

/** Whether the host of a database leads to this machine. False for one that leads nowhere: connecting says what is wrong with it. */
export async function isLocal(databaseUrl: string): Promise<boolean> {
  const { hostname } = new URL(databaseUrl)
  return new Promise((resolve) => dns.lookup(hostname, (error, address) => resolve(!error && isThisMachine(address))))
}

/** `node dev/migrate.ts` with DATABASE_URL migrates a deployed database. */
if (import.meta.main) {
  const url = process.env.DATABASE_URL
  if (!url) throw new Error('Set DATABASE_URL to the connection string of the database to migrate')
  await migrateDatabase(url)
}
