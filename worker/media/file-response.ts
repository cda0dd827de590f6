import { t } from '#say'
import type { RenditionName } from '../../contract/limits.ts'
import { notFound } from '../http/errors.ts'
import type { SeenFile, StoredFile } from '../queries/assets.ts'
import type { StoredFilm } from '../queries/films.ts'
import { type Patch, patched } from './clean/patches.ts'
import { noneMatch, rangeStillValid } from './conditions.ts'
import { contentDisposition } from './content-disposition.ts'
import { placelessPatches } from './placeless.ts'
import { type ByteRange, contentRange, parseRange } from './ranges.ts'
import { mayShowInline } from './sniff.ts'
import { filmKey, originalKey, renditionKey, withStorage } from './storage.ts'

/** Headers that prevent a browser from running uploaded files in our origin. */
export const SAFE = {
  'content-security-policy': "sandbox; default-src 'none'",
  'x-content-type-options': 'nosniff',
}

type ServedFile = Pick<SeenFile, 'name' | 'type' | 'size' | 'checksum' | 'place'>

/** The original, whole or in part; without the place, if that is hidden from the caller. Permissions can change at any time, so the browser must revalidate; the entity tag makes that cheap. */
export function fileResponse(bucket: R2Bucket, file: SeenFile, request: Request): Promise<Response> {
  return storedResponse(bucket, { ...file, key: originalKey(file.id), cacheControl: 'private, no-cache' }, request)
}

/** The playable film of a video, in the same way: its bytes depend on what the caller may see, so no address names them for ever. */
export function filmResponse(bucket: R2Bucket, film: StoredFilm, request: Request): Promise<Response> {
  const served = { ...film, key: filmKey(film.asset_id, film.id), cacheControl: 'private, no-cache' }
  return storedResponse(bucket, served, request)
}

/** A stored object. Size and digest are in its row, so conditions and ranges are checked without a call to storage. */
async function storedResponse(
  bucket: R2Bucket,
  file: ServedFile & { key: string; cacheControl: string },
  request: Request,
): Promise<Response> {
  const ask = (name: string) => request.headers.get(name) ?? undefined
  const hidden = file.place !== 'exact'
  const etag = `"${file.checksum}${hidden ? '-placeless' : ''}"`
  const download = new URL(request.url).searchParams.get('download') === '1'
  const headers = new Headers({
    ...SAFE,
    etag,
    'cache-control': file.cacheControl,
    'accept-ranges': 'bytes',
    'content-type': file.type,
    'content-disposition': contentDisposition(download || !mayShowInline(file.type) ? 'attachment' : 'inline', file.name),
  })
  if (noneMatch(ask('if-none-match'), etag)) return new Response(null, { status: 304, headers })
  const patches = hidden ? await placelessPatches(bucket, file) : []
  const range = rangeStillValid(ask('if-range'), etag) ? parseRange(ask('range'), file.size) : null
  if (range === 'unsatisfiable') return notSatisfiable(file.size, headers)
  headers.set('content-length', String(range?.length ?? file.size))
  if (range) headers.set('content-range', contentRange(range, file.size))
  const status = range ? 206 : 200
  if (request.method === 'HEAD') return new Response(null, { status, headers })
  const object = await withStorage(() => bucket.get(file.key, range ? { range } : {}))
  if (!object) throw missing(file.key)
  return new Response(patchedBody(object.body, patches, range ?? { offset: 0, length: file.size }), { status, headers })
}

/** Of a known length, without which no Content-Length would be sent. */
function patchedBody(body: ReadableStream<Uint8Array>, patches: readonly Patch[], { offset, length }: ByteRange): ReadableStream {
  return patches.length === 0 ? body : patched(body, patches, offset).pipeThrough(new FixedLengthStream(length))
}

function notSatisfiable(size: number, headers: Headers): Response {
  headers.set('content-range', `bytes */${size}`)
  headers.set('content-type', 'application/json')
  headers.delete('content-disposition')
  const error = { code: 'range_not_satisfiable', message: t`The file has ${{ size: String(size) }} bytes` }
  return new Response(JSON.stringify({ success: false, error }), { status: 416, headers })
}

/** An image may be cached for ever if `?v=` names its current version. Any other URL may have another image later. */
export function imageCacheControl(request: Request, { version }: { version: number | string }): string {
  const versioned = new URL(request.url).searchParams.get('v') === String(version)
  return versioned ? 'private, max-age=31536000, immutable' : 'private, no-cache'
}

/** A rendition of the asset. Storing another one raises the version in the entity tag, so conditions are checked without a call to storage. */
export async function renditionResponse(bucket: R2Bucket, file: StoredFile, name: RenditionName, request: Request): Promise<Response> {
  const type = file.renditions[name]
  if (!type) throw notFound(t`The rendition was not found`)
  const etag = `"${file.version}-${name}"`
  const headers = new Headers({ ...SAFE, etag, 'cache-control': imageCacheControl(request, file), 'content-type': type })
  if (noneMatch(request.headers.get('if-none-match') ?? undefined, etag)) return new Response(null, { status: 304, headers })
  const object = await withStorage(() => bucket.get(renditionKey(file.id, name)))
  if (!object) throw missing(renditionKey(file.id, name))
  headers.set('content-length', String(object.size))
  return new Response(object.body, { headers })
}

/** Logs a row without its object, which is data loss, and returns a 404. */
function missing(key: string) {
  console.error(JSON.stringify({ level: 'error', what: 'A row has no object in storage', key }))
  return notFound(t`The file was not found`)
}
