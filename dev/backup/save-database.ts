import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { readJournal } from '../migrate.ts'
import { SetupError } from '../setup-error.ts'
import type { Manifest } from './manifest.ts'
import { EXACT_TEXT, lastMigration, listSequences, listTables, type Table } from './tables.ts'

/** Rows held in memory. One of `edits` may have a megabyte. */
const BATCH = 50

/** Saves all rows from one snapshot, as lines of JSON with the text of each column. */
export async function saveDatabase(url: string, folder: string): Promise<Pick<Manifest, 'schema' | 'tables' | 'sequences'>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`begin isolation level repeatable read read only; ${EXACT_TEXT}`)
    await mkdir(path.join(folder, 'tables'), { recursive: true })
    const schema = await schemaOf(client)
    const tables: Manifest['tables'] = []
    for (const table of await listTables(client)) tables.push(await saveTable(client, table, folder))
    const sequences = []
    for (const name of await listSequences(client)) {
      const { rows } = await client.query(`select last_value::text as value, is_called as called from ${name}`)
      sequences.push({ name, value: rows[0].value, called: rows[0].called })
    }
    return { schema, tables, sequences }
  } finally {
    await client.end()
  }
}

async function schemaOf(client: pg.Client): Promise<Manifest['schema']> {
  const last = await lastMigration(client)
  if (last === null) throw new SetupError('There is nothing to back up: Cairn was never started here.')
  const entry = (await readJournal()).entries.find(({ when }) => when === last)
  if (!entry) throw new SetupError('The database is newer than this code: back it up with the Cairn that runs on it.')
  return { when: entry.when, tag: entry.tag }
}

async function saveTable(client: pg.Client, table: Table, folder: string): Promise<Manifest['tables'][number]> {
  const { schema, name } = table
  const file = `tables/${schema}.${name}.ndjson`
  const hash = createHash('sha256')
  let count = 0
  async function* lines() {
    for await (const rows of batches(client, table)) {
      count += rows.length
      for (const row of rows) {
        const line = `${JSON.stringify(row)}\n`
        hash.update(line)
        yield line
      }
    }
  }
  await pipeline(lines, createWriteStream(path.join(folder, file), { mode: 0o600 }))
  return { schema, name, columns: table.columns.map((column) => column.name), file, rows: count, sha256: hash.digest('hex') }
}

async function* batches(client: pg.Client, { id, columns }: Table): AsyncGenerator<(string | null)[][]> {
  const texts = columns.map(({ name }) => `${client.escapeIdentifier(name)}::text`)
  await client.query(`declare backup no scroll cursor for select ${texts.join(', ')} from only ${id}`)
  for (;;) {
    const { rows } = await client.query({ text: `fetch ${BATCH} from backup`, rowMode: 'array' })
    if (rows.length > 0) yield rows
    if (rows.length < BATCH) break
  }
  await client.query('close backup')
}
