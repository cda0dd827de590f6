import { t } from '#say'
import type { Asset, NewAsset } from '../../../contract/assets.ts'
import { RENDITIONS, type RenditionName } from '../../../contract/limits.ts'
import { AppError, notFound } from '../../http/errors.ts'
import { isWithinLimits, MEASURED_BYTES } from '../../media/measure-original.ts'
import { SNIFF_BYTES, sniff } from '../../media/sniff.ts'
import { originalKey, renditionKey, withStorage } from '../../media/storage.ts'
import type { RenditionType } from '../../media/strip-metadata.ts'
import type { Caller } from '../../queries/permissions.ts'
import type { AttemptLimit } from '../../queries/rate-limits.ts'
import { findUpload } from '../../queries/uploads.ts'
import { type BegunUpload, beginUpload } from './begin-upload.ts'
import { type Finished, finishUpload, makeReady } from './finish-upload.ts'
import { requireMayAdd } from './receive-part.ts'
import { acceptSent } from './receive-rendition.ts'

type WholeCaller = Caller<'item.add'> & { bucket: R2Bucket; images: ImagesBinding | undefined }

/** A file that fits one part. Size and checksum of `asset` are those of `bytes`. */
export interface WholeFile {
  asset: NewAsset
  bytes: Uint8Array<ArrayBuffer>
  renditions: Partial<Record<RenditionName, File>>
}

/**
 * Takes a file and its renditions in one request: two round trips to the database. Between them the asset is an unfinished upload like any
 * other, so that a repeated call, or one in parts, goes on with it. Throws 429 at the `limit`, and 409 if the id is that of
 * another file.
 */
export async function receiveWhole(
  caller: WholeCaller,
  { asset, bytes, renditions }: WholeFile,
  limit: AttemptLimit,
): Promise<{ made: boolean; received: BegunUpload | Finished }> {
  const pictures = await acceptAll(caller.images, renditions)
  const { made, begun } = await beginUpload(caller, asset, limit)
  const { id, size, checksum } = begun.asset
  if (checksum !== asset.checksum || size !== asset.size) throw new AppError('conflict', t`Another file has this id. Send another one`)
  if (!begun.upload) return { made: false, received: begun }
  if (!made && (await isReady(caller, id))) return { made: false, received: await finishUpload(caller, id) }
  const received = await storeWhole(caller, begun.asset, { bytes, type: asset.type, pictures })
  return { made: !received.duplicate, received }
}

/** Stores all bytes of an upload that has begun, and nothing of which has come in parts. */
export async function storeWhole(
  caller: Caller<'item.add'> & { bucket: R2Bucket },
  { id, size, checksum }: Pick<Asset, 'id' | 'size' | 'checksum'>,
  { bytes, type: declared, pictures = [] }: { bytes: Uint8Array<ArrayBuffer>; type: string; pictures?: Picture[] },
): Promise<Finished> {
  const { bucket } = caller
  await withStorage(() =>
    Promise.all([
      bucket.put(originalKey(id), bytes, { sha256: checksum }),
      ...pictures.map(({ name, bytes, type }) => bucket.put(renditionKey(id, name), bytes, { httpMetadata: { contentType: type } })),
    ]),
  )
  const showable = await isWithinLimits(bucket, id, bytes.subarray(0, MEASURED_BYTES))
  const type = sniff(bytes.subarray(0, SNIFF_BYTES), declared)
  const stored = Object.fromEntries(pictures.map((picture) => [picture.name, picture.type]))
  return makeReady(caller, { id, r2UploadId: null, type, size, checksum, showable, renditions: stored })
}

interface Picture {
  name: RenditionName
  bytes: Uint8Array
  type: RenditionType
}

async function acceptAll(images: ImagesBinding | undefined, sent: WholeFile['renditions']): Promise<Picture[]> {
  const names = (Object.keys(RENDITIONS) as RenditionName[]).filter((name) => sent[name])
  return Promise.all(
    names.map(async (name) => {
      const file = sent[name] as File
      return { name, ...(await acceptSent(images, name, { bytes: new Uint8Array(await file.arrayBuffer()), type: file.type })) }
    }),
  )
}

/**
 * Whether the caller's existing upload is ready by now. Throws 409 if it is in parts, and 403 if they may no longer add to its collections.
 */
async function isReady(caller: WholeCaller, id: string): Promise<boolean> {
  const upload = await findUpload(caller, id)
  if (!upload) throw notFound(t`The upload was not found`)
  if (upload.status === 'ready') return true
  requireMayAdd(upload)
  if (upload.r2UploadId) throw new AppError('conflict', t`This upload was begun in parts. Send those that are missing`)
  return false
}
