import dns from 'node:dns'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { Pool } from '@neondatabase/serverless'
import { drizzle } from 'drizzle-orm/neon-serverless'
import { migrate } from 'drizzle-orm/neon-serverless/migrator'
import { isThisMachine } from '../contract/loopback.ts'
import { pointDriverHere } from './neon.ts'
import { PROJECT } from './state-folder.ts'

export const MIGRATIONS = path.join(PROJECT, 'migrations')
/** An arbitrary number that no other lock uses: it serializes concurrent migrations. */
const LOCK = 4_747_001

/**
 * Migrates a database through Neon's driver, which local and deployed databases both use. Each run applies the missing migrations in one
 * transaction; without any it changes nothing.
 */
export async function migrateDatabase(databaseUrl: string, folder = MIGRATIONS): Promise<void> {
  if (!existsSync(path.join(folder, 'meta/_journal.json'))) return
  if (await isLocal(databaseUrl)) pointDriverHere()
  const pool = new Pool({ connectionString: withoutPooler(databaseUrl), max: 1 })
  try {
    const client = await pool.connect()
    try {
      // A session lock: it ends with the connection, however this run ends.
      await client.query('select pg_advisory_lock($1)', [LOCK])
      await migrate(drizzle(client), { migrationsFolder: folder })
      await client.query('select pg_advisory_unlock($1)', [LOCK])
    } finally {
      client.release()
    }
  } finally {
    await pool.end()
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
