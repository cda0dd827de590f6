import { createHash } from 'node:crypto'
import dns from 'node:dns'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool, type PoolClient } from '@neondatabase/serverless'
import { drizzle } from 'drizzle-orm/neon-serverless'
import { migrate } from 'drizzle-orm/neon-serverless/migrator'
import { z } from 'zod'
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

const Journal = z.looseObject({ entries: z.array(z.looseObject({ idx: z.number(), when: z.number(), tag: z.string() })) })
type JournalEntry = z.infer<typeof Journal>['entries'][number]

export async function readJournal(folder = MIGRATIONS): Promise<z.infer<typeof Journal>> {
  return Journal.parse(JSON.parse(await readFile(path.join(folder, 'meta/_journal.json'), 'utf8')))
}

/**
 * Migrates a database through Neon's driver, which local and deployed databases both use. Each run applies the missing migrations in one
 * transaction; without any it changes nothing. Throws a SetupError if a table stays in use, or as `missingMigrations`.
 */
export async function migrateDatabase(databaseUrl: string, folder = MIGRATIONS, pauses = PAUSES): Promise<void> {
  if (!existsSync(path.join(folder, 'meta/_journal.json'))) return
  await connected(databaseUrl, async (client) => {
    // A session lock: it ends with the connection, however this run ends.
    await client.query('select pg_advisory_lock($1)', [LOCK])
    await missingMigrations(await appliedMigrations(client), folder)
    // While a change of a table waits for a backup that reads it, all queries of the site wait behind it.
    await client.query(`set lock_timeout = '3s'`)
    await whenUnlocked(() => migrate(drizzle(client), { migrationsFolder: folder }), pauses)
    await client.query('select pg_advisory_unlock($1)', [LOCK])
  })
}

/**
 * Tags of the migrations that this code would apply. Throws if the database has one that this code does not know, because the code is older
 * than the database, or as `missingMigrations`.
 */
export async function pendingMigrations(databaseUrl: string, folder = MIGRATIONS): Promise<string[]> {
  const applied = await connected(databaseUrl, appliedMigrations)
  const { entries } = await readJournal(folder)
  const unknown = applied.find(({ when }) => !entries.some((entry) => entry.when === when))
  if (unknown)
    throw new SetupError(
      `The database is newer than this code: it has had a migration of ${new Date(unknown.when).toISOString()} that is not here. Deploy the newest code, or take only the worker back with "npm run deploy -- --rollback".`,
    )
  return missingMigrations(applied, folder)
}

interface Applied {
  hash: string
  when: number
}

/** Migrations applied to a database, oldest first; none if it is empty. */
async function appliedMigrations(client: PoolClient): Promise<Applied[]> {
  const { rows: there } = await client.query(`select to_regclass('drizzle.__drizzle_migrations') is not null as there`)
  if (!there[0]?.there) return []
  const { rows } = await client.query('select hash, created_at from drizzle.__drizzle_migrations order by created_at')
  return rows.map(({ hash, created_at }) => ({ hash, when: Number(created_at) }))
}

/** Tags of the migrations that a database lacks. Throws for one that drizzle would skip, and for one that was changed after it ran. */
async function missingMigrations(applied: Applied[], folder: string): Promise<string[]> {
  const { entries } = await readJournal(folder)
  const hashes = new Map(applied.map(({ when, hash }) => [when, hash]))
  const last = applied.at(-1)?.when ?? 0
  const missing = entries.filter(({ when }) => !hashes.has(when))
  const late = missing.find(({ when }) => when < last)
  if (late)
    throw new SetupError(
      `The migration ${late.tag} is older than one that the database has had: remove it and make it again with "npm run migration", so that it comes last. ${ANEW}`,
    )
  for (const entry of entries) {
    const hash = hashes.get(entry.when)
    if (hash !== undefined && hash !== (await hashOf(folder, entry)))
      throw new SetupError(
        `The migration ${entry.tag} is not the one that the database has had: migrations are append-only. Undo its change and add another. ${ANEW}`,
      )
  }
  return missing.map(({ tag }) => tag)
}

const ANEW = 'A database on your own machine can also begin anew: "npm start -- --reset".'

/** The same hash as drizzle's migrator computes. */
async function hashOf(folder: string, { tag }: JournalEntry): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path.join(folder, `${tag}.sql`), 'utf8'))
    .digest('hex')
}

async function connected<T>(databaseUrl: string, work: (client: PoolClient) => Promise<T>): Promise<T> {
  if (await isLocal(databaseUrl)) pointDriverHere()
  const pool = new Pool({ connectionString: withoutPooler(databaseUrl), max: 1 })
  try {
    const client = await pool.connect()
    try {
      return await work(client)
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
