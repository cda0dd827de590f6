import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { MIGRATIONS, readJournal, withoutPooler } from '../migrate.ts'

const { entries } = await readJournal()

test('Migrations are numbered without gaps and in order of time, since drizzle skips one older than the last', async () => {
  expect(entries.map(({ idx }) => idx)).toEqual(entries.map((_, nth) => nth))
  expect(entries.map(({ when }) => when)).toEqual(entries.map(({ when }) => when).toSorted((a, b) => a - b))
  const files = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).toSorted()
  expect(files).toEqual(entries.map(({ tag }) => `${tag}.sql`))
})

test.each(entries.map(({ tag }) => tag))('%s removes nothing that the previous code needs', async (tag) => {
  const sql = await readFile(path.join(MIGRATIONS, `${tag}.sql`), 'utf8')
  const statements = sql.replace(/--.*$/gm, '')
  expect(statements).not.toMatch(/\bdrop\s+(table|column|schema|type|extension)\b|\brename\s+(to|column)\b|\btruncate\s/i)
})

test('A session lock is not taken through a pooler', () => {
  const direct = 'postgresql://u:p@ep-cool-sun-a1.eu-central-1.aws.neon.tech/neondb?sslmode=require'
  expect(withoutPooler(direct.replace('-a1.', '-a1-pooler.'))).toBe(direct)
  expect(withoutPooler(direct)).toBe(direct)
  expect(withoutPooler('postgresql://u:a-pooler@127.0.0.1:5432/db')).toBe('postgresql://u:a-pooler@127.0.0.1:5432/db')
})
