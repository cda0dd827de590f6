import { sql } from 'drizzle-orm'
import { type Db, rows } from '../db/client.ts'

export async function pingDatabase(db: Db): Promise<void> {
  await rows(db, sql`select 1`)
}
