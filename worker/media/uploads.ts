import type { ReceivedPart } from '../db/schema/uploads.ts'
import { refusalOf, withStorage } from './storage.ts'
import { type Body, streamInto } from './stream-into.ts'

/** ETag of a file of one part that storage refused because its SHA-256 differs from the declared one. Nothing is stored. */
export const WRONG_BYTES = ''

/**
 * Stores a file of one part. Storage checks the SHA-256, so that the object never differs from the declared file, even with concurrent
 * requests. A mismatch is recorded as WRONG_BYTES and reported when the upload is completed.
 */
export async function storeSinglePart(
  bucket: R2Bucket,
  { key, checksum }: { key: string; checksum: string },
  body: Body,
): Promise<ReceivedPart> {
  try {
    const object = await withStorage(() => streamInto(body, (stream) => bucket.put(key, stream, { sha256: checksum })))
    return { etag: object.etag, size: body.length, sha256: checksum }
  } catch (error) {
    if (refusalOf(error) !== 'bad-digest') throw error
    return { etag: WRONG_BYTES, size: body.length }
  }
}

export function beginMultipart(bucket: R2Bucket, key: string): Promise<R2MultipartUpload> {
  return withStorage(() => bucket.createMultipartUpload(key))
}

export interface PartOf {
  /** Of the object. */
  key: string
  r2UploadId: string
  n: number
}

/** Stores one part of a large file. Null if storage no longer knows the upload. */
export async function storePart(bucket: R2Bucket, { key, r2UploadId, n }: PartOf, body: Body): Promise<ReceivedPart | null> {
  const upload = bucket.resumeMultipartUpload(key, r2UploadId)
  try {
    const { etag } = await withStorage(() => streamInto(body, (stream) => upload.uploadPart(n, stream)))
    return { etag, size: body.length }
  } catch (error) {
    if (refusalOf(error) !== 'upload-lost') throw error
    return null
  }
}

/** Assembles the parts to one object. If storage no longer knows the upload, another request may have done so: the caller must check. */
export async function assemble(
  bucket: R2Bucket,
  { key, r2UploadId }: Omit<PartOf, 'n'>,
  received: Record<string, ReceivedPart>,
): Promise<void> {
  const parts = Object.entries(received).map(([n, { etag }]) => ({ partNumber: Number(n), etag }))
  parts.sort((a, b) => a.partNumber - b.partNumber)
  try {
    await withStorage(() => bucket.resumeMultipartUpload(key, r2UploadId).complete(parts))
  } catch (error) {
    if (refusalOf(error) !== 'upload-lost') throw error
  }
}

/** Discards the parts of an upload. No error if storage no longer knows it. */
export async function abortMultipart(bucket: R2Bucket, key: string, r2UploadId: string): Promise<void> {
  try {
    await withStorage(() => bucket.resumeMultipartUpload(key, r2UploadId).abort())
  } catch (error) {
    if (refusalOf(error) !== 'upload-lost') throw error
  }
}
