import { newId } from '../../../contract/ids.ts'
import type { AppEnv } from '../../context.ts'
import { forbidden, notFound } from '../../http/errors.ts'
import { removeFiles, withStorage } from '../../media/storage.ts'
import { abortMultipart } from '../../media/uploads.ts'
import { removeAsset } from '../../queries/assets.ts'

type Caller = Pick<AppEnv['Variables'], 'db' | 'user'> & { bucket: R2Bucket }

/**
 * Moves an asset to the trash and gives the id that undoes it; an upload that is not finished is cancelled, with everything that storage
 * has of it, and that cannot be undone.
 */
export async function discardAsset({ db, user, bucket }: Caller, id: string): Promise<string | undefined> {
  const changeId = newId()
  const { outcome, cancelled, r2UploadId } = await removeAsset(db, user.id, { id, changeId })
  if (outcome === 'missing') throw notFound('The asset')
  if (outcome === 'forbidden') throw forbidden('Only the author, admins and the owner may delete this')
  if (!cancelled) return changeId
  if (r2UploadId) await abortMultipart(bucket, id, r2UploadId)
  await withStorage(() => removeFiles(bucket, id))
  return undefined
}
