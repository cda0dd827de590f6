import type { Places } from '../../../contract/places.ts'
import type { Db } from '../../db/client.ts'
import { forbidden } from '../../http/errors.ts'
import { permitsDownloads } from '../../queries/guests.ts'

/**
 * Throws 403 if the guest may not have the original of a file that they see. Without downloads, originals are only played: films and sounds, which have no
 * picture in their place. `place`: what the guest may know of places from the file.
 */
export async function requireOriginal(db: Db, { type, place }: { type: string; place: Places }, download: boolean): Promise<void> {
  if (place !== 'exact') throw forbidden('This link hides places, and the original file can hold one')
  if (!download && /^(video|audio)\//.test(type)) return
  if (!(await permitsDownloads(db))) throw forbidden('This link shows pictures, without downloads of the originals')
}
