import { say } from '#language'
import { t } from '#say'
import { newId } from '../../../contract/ids.ts'
import { NOT_YOURS_TO_CHANGE } from '../../http/access.ts'
import { forbidden, notFound } from '../../http/errors.ts'
import { originalKey, removeFiles, withStorage } from '../../media/storage.ts'
import { abortMultipart } from '../../media/uploads.ts'
import { trashAsset } from '../../queries/assets.ts'
import type { Caller } from '../../queries/permissions.ts'

/**
 * Removes an asset. `changeId` undoes it, and `stillIn` are the collections of the caller in which it still is. An unfinished upload is
 * discarded with its stored parts, which cannot be undone: then both are missing.
 */
export async function discardAsset(
  caller: Caller<'item.remove'> & { bucket: R2Bucket },
  id: string,
): Promise<{ changeId?: string; stillIn?: string[] }> {
  const changeId = newId()
  const { outcome, discarded, r2UploadId, stillIn } = await trashAsset(caller, { id, changeId })
  if (outcome === 'missing') throw notFound(t`The asset was not found`)
  if (outcome === 'forbidden') throw forbidden(say(NOT_YOURS_TO_CHANGE))
  if (!discarded) return { changeId, stillIn }
  if (r2UploadId) await abortMultipart(caller.bucket, originalKey(id), r2UploadId)
  await withStorage(() => removeFiles(caller.bucket, id))
  return {}
}
