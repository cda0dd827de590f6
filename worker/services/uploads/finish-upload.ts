import { t } from '#say'
import type { Asset } from '../../../contract/assets.ts'
import { AppError, fieldError, notFound, violates } from '../../http/errors.ts'
import { isDecodable } from '../../media/image.ts'
import { type Inspected, inspectStored } from '../../media/inspect.ts'
import { isWithinLimits } from '../../media/measure-original.ts'
import { SNIFF_BYTES, sniff } from '../../media/sniff.ts'
import { originalKey, removeFiles, withStorage } from '../../media/storage.ts'
import { assemble, WRONG_BYTES } from '../../media/uploads.ts'
import { findAsset } from '../../queries/assets.ts'
import type { Caller } from '../../queries/permissions.ts'
import {
  becomeCopy,
  findUpload,
  markReady,
  mergeIntoDuplicate,
  partsRow,
  type ReadyFile,
  type StoredUpload,
} from '../../queries/uploads.ts'
import { requireMayAdd, uploadRestarted } from './receive-part.ts'

type UploadCaller = Caller<'item.add'> & { bucket: R2Bucket }
export type Finished = { asset: Asset; duplicate?: true; linked?: string[] }

/**
 * Marks the asset as ready if size and SHA-256 of the stored file are as declared. Throws `invalid` otherwise. A repeated call returns the same
 * asset.
 */
export async function finishUpload(caller: UploadCaller, id: string): Promise<Finished> {
  const upload = await findUpload(caller, id)
  if (!upload) throw notFound(t`The upload was not found`)
  if (upload.status === 'ready') return finished(await findAsset(caller.db, caller.user.id, id))
  requireMayAdd(upload)
  requireAllParts(upload)
  const stored = await storedOriginal(caller.bucket, upload)
  if (!stored || stored.size !== upload.size || stored.sha256 !== upload.checksum) throw await restartUpload(caller, upload)
  const showable = await isWithinLimits(caller.bucket, id, stored.start)
  return makeReady(caller, { ...upload, type: sniff(stored.start.subarray(0, SNIFF_BYTES), upload.type), showable })
}

function finished(asset: Asset | null): Finished {
  if (!asset) throw notFound(t`The upload was not found`)
  return { asset }
}

export function requireAllParts({ parts, received }: Pick<StoredUpload, 'parts' | 'received'>): void {
  const missing = Array.from({ length: parts }, (_, i) => i + 1).filter((n) => !(n in received))
  if (missing.length === 0) return
  const numbers = missing.slice(0, 20).join(', ')
  const message = missing.length > 20 ? t`Still to be sent: part ${numbers} and more` : t`Still to be sent: part ${numbers}`
  throw fieldError('invalid', 'parts', message)
}

async function storedOriginal(bucket: R2Bucket, { id, r2UploadId, received }: StoredUpload): Promise<Inspected | null> {
  if (received['1']?.etag === WRONG_BYTES) return null
  const key = originalKey(id)
  if (r2UploadId) await assemble(bucket, { key, r2UploadId }, received)
  return inspectStored(bucket, key)
}

/**
 * Restarts the upload and returns the error to throw. Only the request that resets the row removes the object. The object of a file of one part
 * is never wrong (`storeSinglePart`), so it stays: a concurrent request may have stored it.
 */
async function restartUpload({ db, bucket }: UploadCaller, { id, r2UploadId }: StoredUpload): Promise<AppError> {
  const reset = await partsRow(db, 'uploads', id).reset(r2UploadId)
  if (reset && r2UploadId) await withStorage(() => bucket.delete(originalKey(id)))
  return new AppError('invalid', t`What arrived is not the file that was declared: its size or SHA-256 differs. Send all parts again`, {
    fields: { checksum: t`The SHA-256 of the parts put together is another` },
  })
}

/** Makes a stored file visible, or puts the caller's existing asset with the same file in its place. */
export async function makeReady(caller: UploadCaller, upload: ReadyFile & Pick<StoredUpload, 'size' | 'checksum'>): Promise<Finished> {
  const ready = () =>
    markReady(caller, { ...upload, drawable: isDecodable(upload) }).catch((error: unknown) => {
      if (!violates(error, 'assets_one_per_file')) throw error
      return null
    })
  const asset = await ready()
  if (asset) return { asset }
  const merged = await mergeIntoDuplicate(caller, upload)
  if (!merged) {
    await becomeCopy(caller, upload)
    const copy = await ready()
    if (!copy) throw uploadRestarted()
    return { asset: copy }
  }
  const { asset: existing, linked } = merged
  if (existing.id !== upload.id) await withStorage(() => removeFiles(caller.bucket, upload.id))
  return existing.id === upload.id ? { asset: existing } : { asset: existing, duplicate: true, linked }
}
