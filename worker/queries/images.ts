import { sql } from 'drizzle-orm'
import { type Db, firstRow } from '../db/client.ts'
import type { StoredFile } from './assets.ts'
import { visibleItem } from './permissions.ts'

/** An asset from which images are made. `width` and `height` are as declared by the browser that uploaded it. */
export interface ImageSource extends StoredFile {
  version: number
  width: number | null
  height: number | null
}

/** Null if the caller does not see the asset, or it is not ready. */
export async function findImageSource(db: Db, userId: string, id: string): Promise<ImageSource | null> {
  const row = await firstRow<Omit<ImageSource, 'size'> & { size: string }>(
    db,
    sql`select i.id, i.name, i.type, i.size, i.checksum, i.renditions, i.version, i.width, i.height from assets i
      where i.id = ${id} and i.status = 'ready' and ${visibleItem('asset', userId)}`,
  )
  return row && { ...row, size: Number(row.size) }
}
