import { newId } from '../../../contract/ids.ts'
import { forbidden, notFound } from '../../http/errors.ts'
import { removeFiles, withStorage } from '../../media/storage.ts'
import { abortMultipart } from '../../media/uploads.ts'
import { trashAsset } from '../../queries/assets.ts'
import type { Caller } from '../../queries/permissions.ts'

/**
 * Moves an asset to the trash and returns the id that undoes it. An unfinished upload is discarded with its stored parts, which cannot be
 * undone.
 */
export async function discardAsset(caller: Caller<'item.remove'> & { bucket: R2Bucket }, id: string): Promise<string | undefined> {
  const changeId = newId()
  const { outcome, discarded, r2UploadId } = await trashAsset(caller, { id, changeId })
  if (outcome === 'missing') throw notFound('The asset')
  if (outcome === 'forbidden') throw forbidden('Only the author, admins and the owner may delete this')
  if (!discarded) return changeId
  if (r2UploadId) await abortMultipart(caller.bucket, id, r2UploadId)
  await withStorage(() => removeFiles(caller.bucket, id))
  return undefined
}
