import { readImageHeader } from '../../contract/image-header.ts'
import { LIMITS } from '../../contract/limits.ts'
import { JpegWalk, MAX_SCANS } from './jpeg-walk.ts'
import { originalKey, withStorage } from './storage.ts'

/** First bytes of an original that `isWithinLimits` needs. Most JPEGs have their frame and first scan there. */
export const MEASURED_BYTES = 128 * 1024

/**
 * Whether an original is safe for browsers to decode: it has few enough pixels and scans. Reads them from the file, not from what the client
 * declared, and decodes nothing. True for files that are not images.
 */
export async function isWithinLimits(bucket: R2Bucket, id: string, start: Uint8Array): Promise<boolean> {
  const header = readImageHeader(start)
  if (!header) return true
  if (header.type === 'image/jpeg') return isModestJpeg(bucket, id, start)
  // Every ordinary AVIF has its size at the start.
  if (header.type === 'image/avif' && header.width === null) return false
  return (header.width ?? 0) * (header.height ?? 0) <= LIMITS.imagePixels
}

/** The same of a stored original. */
export async function isStoredWithinLimits(bucket: R2Bucket, id: string): Promise<boolean> {
  const start = await withStorage(async () => {
    const object = await bucket.get(originalKey(id), { range: { offset: 0, length: MEASURED_BYTES } })
    return object && new Uint8Array(await new Response(object.body).arrayBuffer())
  })
  return start === null || isWithinLimits(bucket, id, start)
}

async function isModestJpeg(bucket: R2Bucket, id: string, start: Uint8Array): Promise<boolean> {
  const first = new JpegWalk()
  first.write(start)
  return isModest(first.hasOneScan || first.ended ? first : await walkAll(bucket, id))
}

const isModest = ({ pixels, scans }: JpegWalk) => pixels <= LIMITS.imagePixels && scans <= MAX_SCANS

function walkAll(bucket: R2Bucket, id: string): Promise<JpegWalk> {
  return withStorage(async () => {
    const walk = new JpegWalk()
    const object = await bucket.get(originalKey(id))
    if (!object) return walk
    for await (const chunk of object.body) {
      walk.write(chunk)
      // Leaving the loop cancels the stream.
      if (walk.ended || !isModest(walk)) break
    }
    return walk
  })
}
