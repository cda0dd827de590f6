import { t } from '#say'
import { buildModifiers, type Format, type Modifiers } from '../../contract/images.ts'
import { AppError } from '../http/errors.ts'
import { noneMatch } from '../media/conditions.ts'
import { imageCacheControl, renditionResponse, SAFE } from '../media/file-response.ts'
import { fitOf, formatFor, makeImage, nearestRendition } from '../media/image.ts'
import { imageKey, imagesMarkKey, imagesPrefix, withStorage } from '../media/storage.ts'
import type { ImageSource } from '../queries/images.ts'

interface ImageStores {
  bucket: R2Bucket
  images: ImagesBinding | undefined
  /** Runs work after the response. */
  later: (work: Promise<unknown>) => void
  /** Called before an image is made. Throws 429 if the caller has made too many. */
  limit: () => Promise<unknown>
}

/** The asset's image in the requested size, from storage or newly made. */
export async function serveImage(stores: ImageStores, asset: ImageSource, modifiers: Modifiers, request: Request): Promise<Response> {
  const { bucket, images } = stores
  if (!images) return withoutService(bucket, asset, modifiers, request)
  const format = formatFor(modifiers, request.headers.get('accept') ?? undefined)
  const name = `${asset.version}-${spellingOf(modifiers, format)}`
  const etag = `"${name}"`
  const headers = new Headers({
    ...SAFE,
    etag,
    vary: 'accept',
    'content-type': `image/${format}`,
    'cache-control': imageCacheControl(request, asset),
  })
  if (noneMatch(request.headers.get('if-none-match') ?? undefined, etag)) return new Response(null, { status: 304, headers })
  const stored = await withStorage(() => bucket.get(imageKey(asset.id, name)))
  if (stored) return new Response(stored.body, { headers: sized(headers, stored.size) })
  await stores.limit()
  const { bytes, cacheable } = await makeImage({ bucket, images }, asset, { modifiers, format })
  if (cacheable) stores.later(storeImage(bucket, asset, name, { bytes, type: `image/${format}` }))
  else headers.set('cache-control', 'private, no-store')
  return new Response(bytes, { headers: sized(headers, bytes.length) })
}

/** One name for all modifiers that mean the same image. */
function spellingOf(modifiers: Modifiers, format: Format): string {
  return buildModifiers({ ...modifiers, format, fit: fitOf(modifiers) }).replaceAll(',', '.')
}

function sized(headers: Headers, length: number): Headers {
  headers.set('content-length', String(length))
  return headers
}

async function storeImage(bucket: R2Bucket, asset: ImageSource, name: string, made: { bytes: Uint8Array; type: string }): Promise<void> {
  await bucket.put(imageKey(asset.id, name), made.bytes, { httpMetadata: { contentType: made.type } })
  // Reading the mark avoids a listing, which costs twelve times as much and only finds images after a new version.
  const marked = Number((await bucket.head(imagesMarkKey(asset.id)))?.customMetadata?.version ?? -1)
  // A newer one: this request remembered the version before (worker/queries/picture-access.ts).
  if (marked >= asset.version) return
  await removeOlderImages(bucket, asset)
  await bucket.put(imagesMarkKey(asset.id), '', { customMetadata: { version: String(asset.version) } })
}

/** Removes images of older versions, which are no longer requested. */
async function removeOlderImages(bucket: R2Bucket, { id, version }: ImageSource): Promise<void> {
  let cursor: string | undefined
  do {
    const page: R2Objects = await bucket.list({ prefix: imagesPrefix(id), ...(cursor && { cursor }) })
    const old = page.objects.map(({ key }) => key).filter((key) => !key.startsWith(imageKey(id, `${version}-`)))
    if (old.length > 0) await bucket.delete(old)
    cursor = page.truncated ? page.cursor : undefined
  } while (cursor)
}

/** Without the Images service: the rendition that the browser made at the upload. */
async function withoutService(bucket: R2Bucket, asset: ImageSource, modifiers: Modifiers, request: Request): Promise<Response> {
  const name = nearestRendition(asset, modifiers)
  if (!name) throw new AppError('unsupported_media', t`There is no smaller picture of this file. Download the original instead`)
  const response = await renditionResponse(bucket, asset, name, request)
  // Not immutable: with the service, this URL has another image.
  response.headers.set('cache-control', 'private, no-cache')
  return response
}
