import { sql } from 'drizzle-orm'
import { type Db, firstRow } from '../db/client.ts'
import type { StoredFile } from './assets.ts'
import { visibleItem } from './permissions.ts'

/** What making a picture of an asset needs to know. `width` and `height` are what its author's browser said. */
export interface Picture extends StoredFile {
  version: number
  width: number | null
  height: number | null
}

/** The ready asset that the caller sees, or null. */
export async function findPicture(db: Db, userId: string, id: string): Promise<Picture | null> {
  const row = await firstRow<Omit<Picture, 'size'> & { size: string }>(
    db,
    sql`select i.id, i.name, i.type, i.size, i.checksum, i.renditions, i.version, i.width, i.height from assets i
      where i.id = ${id} and i.status = 'ready' and ${visibleItem('asset', userId)}`,
  )
  return row && { ...row, size: Number(row.size) }
}
