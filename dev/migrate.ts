import { existsSync } from 'node:fs'
import path from 'node:path'
import { Pool } from '@neondatabase/serverless'
import { drizzle } from 'drizzle-orm/neon-serverless'
import { migrate } from 'drizzle-orm/neon-serverless/migrator'
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
  if (isLocal(databaseUrl)) pointDriverHere()
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

export function isLocal(databaseUrl: string): boolean {
  return ['127.0.0.1', 'localhost'].includes(new URL(databaseUrl).hostname)
}

/** `node dev/migrate.ts` with DATABASE_URL migrates a deployed database. */
if (import.meta.main) {
  const url = process.env.DATABASE_URL
  if (!url) throw new Error('Set DATABASE_URL to the connection string of the database to migrate')
  await migrateDatabase(url)
}
