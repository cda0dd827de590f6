import { t } from '#say'
import { AppError, notFound } from '../http/errors.ts'
import { noneMatch } from './conditions.ts'
import { contentRange, parseRange } from './ranges.ts'
import { withStorage } from './storage.ts'

/** More than a reader of PMTiles requests at once. */
const MAX_BYTES = 16 * 1024 * 1024
/** One day without revalidation: an archive is replaced a few times a year. */
const CACHE = 'private, max-age=86400'

/** A part of a PMTiles archive in object storage, in one call, whose response has the size of the archive. */
export async function tilesResponse(bucket: R2Bucket, key: string | undefined, request: Request): Promise<Response> {
  if (!key) throw notFound(t`The map archive was not found`)
  const header = request.headers.get('range') ?? undefined
  // The size is not known yet, so suffix ranges are refused.
  const wanted = parseRange(header, Number.MAX_SAFE_INTEGER)
  if (!wanted || wanted === 'unsatisfiable' || /=\s*-/.test(header ?? ''))
    throw new AppError('invalid', t`Ask for a part: bytes=first-last`)
  if (wanted.length > MAX_BYTES) throw new AppError('too_large', t`Ask for at most 16 MiB at once`)
  const found = await withStorage(() => bucket.get(key, { range: wanted }).catch(nullIfBeyondEnd))
  const object = found ?? (await withStorage(() => bucket.head(key)))
  if (!object) throw notFound(t`The map archive was not found`)
  const headers = new Headers({
    etag: object.httpEtag,
    'cache-control': CACHE,
    'accept-ranges': 'bytes',
    'content-type': 'application/vnd.pmtiles',
  })
  const range = parseRange(header, object.size)
  if (!found || !range || range === 'unsatisfiable') {
    await found?.body.cancel()
    headers.set('content-range', `bytes */${object.size}`)
    return new Response(null, { status: 416, headers })
  }
  if (noneMatch(request.headers.get('if-none-match') ?? undefined, found.httpEtag)) {
    await found.body.cancel()
    return new Response(null, { status: 304, headers })
  }
  headers.set('content-range', contentRange(range, found.size))
  headers.set('content-length', String(range.length))
  return new Response(found.body, { status: 206, headers })
}

/** R2 fails with 10039 for a range beyond the end; some versions send the whole object instead. */
function nullIfBeyondEnd(error: unknown): null {
  if (error instanceof Error && error.message.includes('(10039)')) return null
  throw error
}
