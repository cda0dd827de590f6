import { createReadStream } from 'node:fs'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { MIGRATIONS, migrateDatabase, readJournal } from '../migrate.ts'
import { SetupError } from '../setup-error.ts'
import type { Manifest } from './manifest.ts'
import { EXACT_TEXT, isLeftOut, lastMigration, listForeignKeys, listTables, SITE, type Table, targetsFirst } from './tables.ts'

/** Rows and characters of one statement. Postgres takes at most 256 MiB. */
const BATCH = { rows: 1_000, length: 8_000_000 }

/**
 * Devices may remember revisions from after the backup. Theirs must not come again, nor those after an earlier restore of the same backup: `since` then
 * gets 410, and they load everything anew. Also in docs/deploy.md.
 */
const LEAP = 'update collections set revision = revision + extract(epoch from now())::bigint'

interface Target {
  /** Connection string of plain Postgres. */
  url: string
  /** Connection string for Neon's driver, which runs the migrations. */
  databaseUrl: string
}

/** Throws if the target has data or a later schema: migrations that have already run would not convert the restored rows. */
export async function requireRoom({ url }: Target, { schema }: Pick<Manifest, 'schema'>): Promise<void> {
  await connected(url, async (client) => {
    for (const { id } of (await listTables(client)).filter((table) => table.id !== SITE)) {
      const { rows } = await client.query(`select exists (select from ${id}) as used`)
      if (rows[0].used) throw new SetupError(`The database is not empty (${id}): a backup is restored into an empty one only.`)
    }
    if (((await lastMigration(client)) ?? 0) > schema.when)
      throw new SetupError(
        `The database has had migrations that the backup (${schema.tag}) has not, and its rows have to go through them as well: restore it into a database that no Cairn has run on (on your own machine with --reset), or take a new backup.`,
      )
  })
}

/** Throws if this code does not know the schema of the rows. */
export async function requireKnownSchema({ schema: { when, tag } }: Manifest): Promise<void> {
  const { entries } = await readJournal()
  if (!entries.some((entry) => entry.when === when))
    throw new SetupError(`The backup was made by a newer Cairn (${tag}): restore it with that one, or a later.`)
}

/** Restores all rows or none: first the old schema, then the rows in one transaction, then the later migrations. */
export async function restoreDatabase({ url, databaseUrl }: Target, folder: string, manifest: Manifest): Promise<void> {
  await migrateTo(databaseUrl, manifest.schema)
  await connected(url, async (client) => {
    await client.query(`begin; ${EXACT_TEXT}`)
    await load(client, folder, manifest)
    await client.query(LEAP)
    await client.query('commit')
    await client.query('analyze')
  })
  await migrateDatabase(databaseUrl)
}

async function migrateTo(databaseUrl: string, { when }: Manifest['schema']): Promise<void> {
  const journal = await readJournal()
  const folder = await mkdtemp(path.join(tmpdir(), 'cairn-schema-'))
  try {
    await cp(MIGRATIONS, folder, { recursive: true })
    const entries = journal.entries.filter((entry) => entry.when <= when)
    await writeFile(path.join(folder, 'meta/_journal.json'), JSON.stringify({ ...journal, entries }))
    await migrateDatabase(databaseUrl, folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Load extends Table {
  /** Those of `columns` that the backup contains. */
  saved: string[]
  file: string
}

/**
 * Inserts rows as they are: triggers are off, and foreign keys are checked at the end. Tables owned by others keep their triggers and keys.
 */
async function load(client: pg.Client, folder: string, manifest: Manifest): Promise<void> {
  const keys = await listForeignKeys(client)
  const [own, foreign] = [keys.filter((key) => key.own), keys.filter((key) => !key.own)]
  for (const { table, name } of own) await client.query(`alter table ${table} drop constraint ${name}`)
  for (const table of targetsFirst(await tablesToLoad(client, folder, manifest), foreign)) {
    if (table.own) await client.query(`alter table ${table.id} disable trigger user`)
    await loadTable(client, table)
    if (table.own) await client.query(`alter table ${table.id} enable trigger user`)
  }
  for (const { table, name, definition } of own) await client.query(`alter table ${table} add constraint ${name} ${definition}`)
  for (const { name, value, called } of manifest.sequences) await client.query('select setval($1::regclass, $2, $3)', [name, value, called])
}

async function tablesToLoad(client: pg.Client, folder: string, { tables }: Manifest): Promise<Load[]> {
  const there = new Map((await listTables(client)).map((table) => [`${table.schema}.${table.name}`, table]))
  // Backups of an earlier version contain more tables.
  const wanted = tables.filter((table) => !isLeftOut(table))
  return wanted.map(({ schema, name, columns, file }) => {
    const table = there.get(`${schema}.${name}`)
    const unknown = columns.find((column) => !table?.columns.some((own) => own.name === column))
    if (!table || unknown)
      throw new SetupError(`The database has no ${schema}.${name}${unknown ? `.${unknown}` : ''}: its schema is not the backup's.`)
    return { ...table, saved: columns, file: path.join(folder, file) }
  })
}

async function loadTable(client: pg.Client, { id, columns, saved, file }: Load): Promise<void> {
  const types = new Map(columns.map(({ name, type }) => [name, type]))
  const names = saved.map((name) => client.escapeIdentifier(name)).join(', ')
  const values = saved.map((name, nth) => `(r ->> ${nth})::${types.get(name)}`).join(', ')
  const insert = `insert into ${id} (${names}) overriding system value select ${values} from jsonb_array_elements($1::jsonb) r`
  if (id === SITE) await client.query(`delete from ${id}`)
  let batch: string[] = []
  let length = 0
  const flush = async () => {
    if (batch.length > 0) await client.query(insert, [`[${batch.join(',')}]`])
    batch = []
    length = 0
  }
  for await (const line of linesOf(file)) {
    batch.push(line)
    length += line.length
    if (batch.length === BATCH.rows || length >= BATCH.length) await flush()
  }
  await flush()
}

/** Splits at \n only, unlike readline, for which U+2028 in a text would end the line as well. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of createReadStream(file, { encoding: 'utf8', highWaterMark: 1024 * 1024 })) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
