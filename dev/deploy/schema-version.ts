import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { Pool } from '@neondatabase/serverless'
import { z } from 'zod'
import { isLocal, MIGRATIONS } from '../migrate.ts'
import { pointDriverHere } from '../neon.ts'
import { SetupError } from '../setup-error.ts'

const Journal = z.looseObject({ entries: z.array(z.looseObject({ idx: z.number(), when: z.number(), tag: z.string() })) })
type JournalEntry = z.infer<typeof Journal>['entries'][number]

export async function readJournal(folder = MIGRATIONS): Promise<z.infer<typeof Journal>> {
  return Journal.parse(JSON.parse(await readFile(path.join(folder, 'meta/_journal.json'), 'utf8')))
}

interface Applied {
  hash: string
  when: number
}

/** Migrations applied to a database, oldest first; none if it is empty. */
async function appliedMigrations(databaseUrl: string): Promise<Applied[]> {
  if (await isLocal(databaseUrl)) pointDriverHere()
  const pool = new Pool({ connectionString: databaseUrl, max: 1 })
  try {
    const { rows: there } = await pool.query(`select to_regclass('drizzle.__drizzle_migrations') is not null as there`)
    if (!there[0]?.there) return []
    const { rows } = await pool.query('select hash, created_at from drizzle.__drizzle_migrations order by created_at')
    return rows.map(({ hash, created_at }) => ({ hash, when: Number(created_at) }))
  } finally {
    await pool.end()
  }
}

/**
 * Tags of the migrations that this code would apply. Throws if the database has one that this code does not know: either the code is older
 * than the database, or the migration was changed after it ran.
 */
export async function pendingMigrations(databaseUrl: string, folder = MIGRATIONS): Promise<string[]> {
  const applied = await appliedMigrations(databaseUrl)
  const { entries } = await readJournal(folder)
  const known = new Map(
    await Promise.all(entries.map(async (entry) => [entry.when, { entry, hash: await hashOf(folder, entry) }] as const)),
  )
  for (const { when, hash } of applied) {
    const own = known.get(when)
    if (!own)
      throw new SetupError(
        `The database is newer than this code: it has had a migration of ${new Date(when).toISOString()} that is not here. Deploy the newest code, or take only the worker back with "npm run deploy -- --rollback".`,
      )
    if (own.hash !== hash)
      throw new SetupError(`The migration ${own.entry.tag} is not the one that the database has had: migrations are append-only.`)
  }
  return entries.filter(({ when }) => !applied.some((one) => one.when === when)).map(({ tag }) => tag)
}

/** The same hash as drizzle's migrator computes. */
async function hashOf(folder: string, { tag }: JournalEntry): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path.join(folder, `${tag}.sql`), 'utf8'))
    .digest('hex')
}
