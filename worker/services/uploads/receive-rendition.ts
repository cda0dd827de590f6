import { LIMITS, RENDITIONS, type RenditionName } from '../../../contract/limits.ts'
import { AppError, forbidden, notFound } from '../../http/errors.ts'
import { readBytes } from '../../http/read-body.ts'
import { longestSide } from '../../media/longest-side.ts'
import { binaryType } from '../../media/sniff-binary.ts'
import { renditionKey, withStorage } from '../../media/storage.ts'
import { RENDITION_TYPES, type RenditionType, stripMetadata } from '../../media/strip-metadata.ts'
import type { Caller } from '../../queries/permissions.ts'
import { mayAddRendition, recordRendition } from '../../queries/uploads.ts'

type RenditionCaller = Caller<'item.add' | 'item.edit'> & { bucket: R2Bucket }

export function renditionName(text: string | undefined): RenditionName {
  if (text !== undefined && Object.hasOwn(RENDITIONS, text)) return text as RenditionName
  throw notFound('The rendition')
}

/** Stores a rendition made by the browser, without metadata. A repeated call replaces it. */
export async function receiveRendition(
  caller: RenditionCaller,
  { id, name }: { id: string; name: RenditionName },
  request: Request,
): Promise<void> {
  const { db, bucket } = caller
  const allowed = await mayAddRendition(caller, id)
  if (allowed === null) throw notFound('The asset')
  if (!allowed) throw forbidden('Your role in this collection no longer lets you change this file')
  const bytes = await readBytes(request, LIMITS.renditionSize)
  const type = renditionType(bytes, request.headers.get('content-type'))
  const clean = stripMetadata(bytes, type)
  // A small file can decode to an image large enough to crash the browser of every viewer.
  if (longestSide(clean, type) > RENDITIONS[name])
    throw new AppError('invalid', `A ${name} is at most ${RENDITIONS[name]} pixels wide and high`)
  await withStorage(() => bucket.put(renditionKey(id, name), clean, { httpMetadata: { contentType: type } }))
  if (await recordRendition(db, id, { name, type })) return
  await withStorage(() => bucket.delete(renditionKey(id, name)))
  throw notFound('The asset')
}

/** The type by the bytes. An image type that is declared must be the same. */
function renditionType(bytes: Uint8Array, declared: string | null): RenditionType {
  const found = binaryType(bytes)
  const type = RENDITION_TYPES.find((allowed) => allowed === found)
  if (!type) throw new AppError('unsupported_media', 'A rendition is a WebP, AVIF or JPEG picture')
  const named = declared?.split(';')[0]?.trim().toLowerCase()
  if (named?.startsWith('image/') && named !== type) throw new AppError('unsupported_media', `This is ${type}, not ${named}`)
  return type
}
