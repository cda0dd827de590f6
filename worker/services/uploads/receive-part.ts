import { t } from '#say'
import { AppError, forbidden, notFound } from '../../http/errors.ts'
import { originalKey } from '../../media/storage.ts'
import type { Body } from '../../media/stream-into.ts'
import { abortMultipart, beginMultipart, storePart, storeSinglePart } from '../../media/uploads.ts'
import type { Caller } from '../../queries/permissions.ts'
import { findUpload, type PartsRow, partsRow, type StoredUpload } from '../../queries/uploads.ts'

type UploadCaller = Caller<'item.add'>

/** The caller's unfinished upload. Throws 404 if it is not theirs, 409 if it is finished, 403 if they may no longer add to its collections. */
export async function openUpload(caller: UploadCaller, id: string): Promise<StoredUpload> {
  const upload = await findUpload(caller, id)
  if (!upload) throw notFound(t`The upload was not found`)
  if (upload.status === 'ready') throw new AppError('conflict', t`This upload is complete`)
  requireMayAdd(upload)
  return upload
}

export function requireMayAdd({ mayAdd }: StoredUpload): void {
  if (!mayAdd) throw forbidden(t`You may no longer add to this collection, so the upload cannot go on`)
}

export const uploadRestarted = () => new AppError('conflict', t`This upload has begun anew. Ask what it still needs, and send that`)

/** Stores and records one part. A repeated part replaces the earlier one. */
export async function receivePart(
  caller: UploadCaller & { bucket: R2Bucket },
  { id, n }: { id: string; n: string },
  request: Request,
): Promise<number> {
  const upload = await openUpload(caller, id)
  const { db, bucket } = caller
  return storeReceived(bucket, { ...upload, key: originalKey(upload.id) }, partsRow(db, 'uploads', upload.id), { n, request })
}

/** A file that comes in parts; `key` is that of its object. */
type InParts = Pick<StoredUpload, 'size' | 'checksum' | 'partSize' | 'parts' | 'r2UploadId'> & { key: string }

export async function storeReceived(
  bucket: R2Bucket,
  upload: InParts,
  row: PartsRow,
  { n, request }: { n: string; request: Request },
): Promise<number> {
  const number = partNumber(n, upload)
  const body = partBody(request, lengthOf(number, upload))
  const r2UploadId = upload.parts === 1 ? null : await multipartOf(bucket, upload, row)
  const part = r2UploadId
    ? await storePart(bucket, { key: upload.key, r2UploadId, n: number }, body)
    : await storeSinglePart(bucket, upload, body)
  if (!part) {
    // The storage has its own rule for removing unfinished uploads.
    await row.reset(r2UploadId)
    throw uploadRestarted()
  }
  if (!(await row.record(r2UploadId, number, part))) throw uploadRestarted()
  return number
}

function partNumber(text: string, { parts }: InParts): number {
  const n = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : 0
  if (n < 1 || n > parts) throw new AppError('invalid', t`Parts are numbered from 1 to ${{ count: String(parts) }}`)
  return n
}

/** Every part but the last is `partSize` long. */
function lengthOf(n: number, { size, partSize, parts }: InParts): number {
  return n < parts ? partSize : size - partSize * (parts - 1)
}

function partBody(request: Request, length: number): Body {
  const sent = request.headers.get('content-length')
  if (!request.body || sent === null || Number(sent) !== length) {
    const size = String(length)
    throw new AppError(
      'invalid',
      sent === null ? t`This part must be exactly ${size} bytes long` : t`This part must be exactly ${size} bytes long, not ${sent}`,
    )
  }
  return { stream: request.body, length }
}

/** Concurrent first parts all use the multipart upload whose id is stored first. */
async function multipartOf(bucket: R2Bucket, { key, r2UploadId }: InParts, row: PartsRow): Promise<string> {
  if (r2UploadId) return r2UploadId
  const { uploadId } = await beginMultipart(bucket, key)
  const claimed = await row.claim(uploadId)
  if (claimed !== uploadId) await abortMultipart(bucket, key, uploadId)
  if (claimed === null) throw uploadRestarted()
  return claimed
}
