import { t } from '#say'
import type { Db } from '../../db/client.ts'
import { forbidden } from '../../http/errors.ts'
import { permitsDownloads } from '../../queries/guests.ts'

/**
 * Throws 403 if the guest may not have the original of a file that they see. Without downloads, originals are only played: films and sounds, which have no
 * picture in their place.
 */
export async function requireOriginal(db: Db, { type }: { type: string }, download: boolean): Promise<void> {
  if (!download && /^(video|audio)\//.test(type)) return
  if (!(await permitsDownloads(db))) throw forbidden(t`This link shows pictures, without downloads of the originals`)
}
