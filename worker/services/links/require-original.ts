import type { Db } from '../../db/client.ts'
import { forbidden } from '../../http/errors.ts'
import type { StoredFile } from '../../queries/assets.ts'
import { findFileRules } from '../../queries/guests.ts'

/**
 * Throws 403 if the guest may not have the original of a file that they see. Without downloads, originals are only played: films and sounds, which have no
 * picture in their place. An original can hold where it was made, so a link that hides places has none.
 */
export async function requireOriginal(db: Db, { type }: Pick<StoredFile, 'type'>, download: boolean): Promise<void> {
  const rules = await findFileRules(db)
  if (rules?.location !== 'exact') throw forbidden('This link hides places, which the original file can hold')
  if (!rules.download && (download || !/^(video|audio)\//.test(type)))
    throw forbidden('This link shows pictures, without downloads of the originals')
}
