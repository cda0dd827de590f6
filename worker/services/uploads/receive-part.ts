import type { Db } from '../../db/client.ts'
import { AppError, forbidden, notFound } from '../../http/errors.ts'
import type { Body } from '../../media/stream-into.ts'
import { abortMultipart, beginMultipart, storePart, storeSinglePart } from '../../media/uploads.ts'
import type { Caller } from '../../queries/permissions.ts'
import { claimMultipart, findUpload, recordPart, resetUpload, type StoredUpload } from '../../queries/uploads.ts'

type UploadCaller = Caller<'item.add'>

/** The caller's unfinished upload. Throws 404 if it is not theirs, 409 if it is finished, 403 if they may no longer add to its collections. */
export async function openUpload(caller: UploadCaller, id: string): Promise<StoredUpload> {
  const upload = await findUpload(caller, id)
  if (!upload) throw notFound('The upload')
  if (upload.status === 'ready') throw new AppError('conflict', 'This upload is complete')
  requireMayAdd(upload)
  return upload
}

export function requireMayAdd({ mayAdd }: StoredUpload): void {
  if (!mayAdd) throw forbidden('You may no longer add to this collection, so the upload cannot go on')
}

export const uploadRestarted = () => new AppError('conflict', 'This upload has begun anew. Ask what it still needs, and send that')

/** Stores and records one part. A repeated part replaces the earlier one. */
export async function receivePart(
  caller: UploadCaller & { bucket: R2Bucket },
  { id, n }: { id: string; n: string },
  request: Request,
): Promise<number> {
  const upload = await openUpload(caller, id)
  const number = partNumber(n, upload)
  const body = partBody(request, lengthOf(number, upload))
  const r2UploadId = upload.parts === 1 ? null : await multipartOf(caller, upload)
  const part = r2UploadId
    ? await storePart(caller.bucket, { id: upload.id, r2UploadId, n: number }, body)
    : await storeSinglePart(caller.bucket, upload, body)
  if (!part) {
    // The storage has its own rule for removing unfinished uploads.
    await resetUpload(caller.db, upload.id, r2UploadId)
    throw uploadRestarted()
  }
  if (!(await recordPart(caller.db, { id: upload.id, r2UploadId, n: number, part }))) throw uploadRestarted()
  return number
}

function partNumber(text: string, { parts }: StoredUpload): number {
  const n = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : 0
  if (n < 1 || n > parts) throw new AppError('invalid', `Parts are numbered from 1 to ${parts}`)
  return n
}

/** Every part but the last is `partSize` long. */
function lengthOf(n: number, { size, partSize, parts }: StoredUpload): number {
  return n < parts ? partSize : size - partSize * (parts - 1)
}

function partBody(request: Request, length: number): Body {
  const sent = request.headers.get('content-length')
  if (!request.body || sent === null || Number(sent) !== length) {
    throw new AppError('invalid', `This part must be exactly ${length} bytes long${sent === null ? '' : `, not ${sent}`}`)
  }
  return { stream: request.body, length }
}

/** Concurrent first parts all use the multipart upload whose id is stored first. */
async function multipartOf({ db, bucket }: { db: Db; bucket: R2Bucket }, upload: StoredUpload): Promise<string> {
  if (upload.r2UploadId) return upload.r2UploadId
  const { uploadId } = await beginMultipart(bucket, upload.id)
  const claimed = await claimMultipart(db, upload.id, uploadId)
  if (claimed !== uploadId) await abortMultipart(bucket, upload.id, uploadId)
  if (claimed === null) throw uploadRestarted()
  return claimed
}
