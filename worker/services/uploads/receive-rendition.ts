import { t } from '#say'
import { LIMITS, RENDITIONS, type RenditionName } from '../../../contract/limits.ts'
import { AppError, forbidden, notFound } from '../../http/errors.ts'
import { readBytes } from '../../http/read-body.ts'
import { acceptRendition } from '../../media/accept-rendition.ts'
import { binaryType } from '../../media/sniff-binary.ts'
import { renditionKey, withStorage } from '../../media/storage.ts'
import { RENDITION_TYPES, type RenditionType } from '../../media/strip-metadata.ts'
import type { Caller } from '../../queries/permissions.ts'
import { mayAddRendition, recordRendition } from '../../queries/uploads.ts'

type RenditionCaller = Caller<'item.add' | 'item.edit'> & { bucket: R2Bucket; images: ImagesBinding | undefined }

export function renditionName(text: string | undefined): RenditionName {
  if (text !== undefined && Object.hasOwn(RENDITIONS, text)) return text as RenditionName
  throw notFound(t`The rendition was not found`)
}

/** Stores a rendition made by the browser, without metadata. A repeated call replaces it. */
export async function receiveRendition(
  caller: RenditionCaller,
  { id, name }: { id: string; name: RenditionName },
  request: Request,
): Promise<void> {
  const { db, bucket, images } = caller
  const sent = { bytes: await readBytes(request, LIMITS.renditionSize), type: request.headers.get('content-type') }
  // After the body, which may have taken long enough for a role to end.
  const allowed = await mayAddRendition(caller, id)
  if (allowed === null) throw notFound(t`The asset was not found`)
  if (!allowed) throw forbidden(t`Your role in this collection no longer lets you change this file`)
  const { bytes, type: stored } = await acceptSent(images, name, sent)
  await withStorage(() => bucket.put(renditionKey(id, name), bytes, { httpMetadata: { contentType: stored } }))
  if (await recordRendition(db, id, { name, type: stored })) return
  await withStorage(() => bucket.delete(renditionKey(id, name)))
  throw notFound(t`The asset was not found`)
}

/** `sent.type` is the declared media type. Throws 400, 413 or 415 for what is no such rendition. */
export async function acceptSent(
  images: ImagesBinding | undefined,
  name: RenditionName,
  sent: { bytes: Uint8Array; type: string | null },
): Promise<{ bytes: Uint8Array; type: RenditionType }> {
  if (sent.bytes.length > LIMITS.renditionSize)
    throw new AppError('too_large', t`A ${{ rendition: name }} may have at most ${{ size: String(LIMITS.renditionSize) }} bytes`)
  return acceptRendition(images, { bytes: sent.bytes, type: renditionType(sent.bytes, sent.type) }, name)
}

/** The type by the bytes. An image type that is declared must be the same. */
function renditionType(bytes: Uint8Array, declared: string | null): RenditionType {
  const found = binaryType(bytes)
  const type = RENDITION_TYPES.find((allowed) => allowed === found)
  if (!type) throw new AppError('unsupported_media', t`A rendition is a WebP, AVIF or JPEG picture`)
  const named = declared?.split(';')[0]?.trim().toLowerCase()
  if (named?.startsWith('image/') && named !== type) throw new AppError('unsupported_media', t`This is ${type}, not ${{ declared: named }}`)
  return type
}
