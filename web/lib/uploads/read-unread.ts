import { getFile, putRendition } from '../../../contract/assets.ts'
import type { ErrorCode } from '../../../contract/errors.ts'
import { type FoundInFile, listUnread, recordFound, type UnreadAsset } from '../../../contract/unread.ts'
import { ApiError, call, urlOf } from '../api.ts'
import { whenIdle } from '../scheduling.ts'
import { NotLoaded } from './not-loaded.ts'
import { createPreparePool } from './prepare-pool.ts'
import type { Prepared, PreparedMeta } from './types.ts'

const PICTURES = ['thumb', 'preview'] as const

/**
 * Reads the caller's assets that a device has to read, one after the other, as files are read that are added here, and sends what it has found: once per
 * asset, also if that is nothing. Resolves to true when all have had their turn, to false when `mayGoOn` has stopped it. A file that could not be
 * fetched, or whose decoder could not, is passed over. Throws ApiError where the server does not answer.
 */
export async function readUnread(mayGoOn: () => boolean, signal: AbortSignal): Promise<boolean> {
  const readers = createPreparePool()
  try {
    return await readAll(readers, mayGoOn, signal)
  } finally {
    readers.close()
  }
}

type Readers = ReturnType<typeof createPreparePool>

async function readAll(readers: Readers, mayGoOn: () => boolean, signal: AbortSignal): Promise<boolean> {
  let after: string | null = null
  for (;;) {
    const { assets }: { assets: UnreadAsset[] } = await call(listUnread, { query: after ? { after } : {}, signal })
    for (const asset of assets) {
      await new Promise<void>((resolve) => whenIdle(resolve))
      if (!mayGoOn()) return false
      const found = await read(readers, asset, signal)
      if (found !== 'later') await send(asset, found, signal)
      after = asset.id
    }
    if (assets.length === 0) return true
  }
}

/** Null for a file that cannot be read. */
async function read(readers: Readers, asset: UnreadAsset, signal: AbortSignal): Promise<Prepared | null | 'later'> {
  const { id, name, type, size, renditions } = asset
  const url = urlOf(getFile.path, { params: { id } })
  try {
    if (type.startsWith('video/'))
      return await readers.prepareStored(
        { url, size, name, type, picture: !PICTURES.every((picture) => renditions.includes(picture)) },
        signal,
      )
    return await readers.prepare(await download(url, size, signal), { name, type, signal, onProgress: () => {} })
  } catch (error) {
    if (signal.aborted) throw error
    return error instanceof NotLoaded ? 'later' : null
  }
}

/** Throws NotLoaded. */
async function download(url: string, size: number, signal: AbortSignal): Promise<Blob> {
  try {
    const answer = await fetch(url, { credentials: 'same-origin', cache: 'no-store', signal })
    const file = await answer.blob()
    if (answer.ok && file.size === size) return file
  } catch (error) {
    if (signal.aborted) throw error
  }
  throw new NotLoaded()
}

async function send({ id, renditions }: UnreadAsset, found: Prepared | null, signal: AbortSignal): Promise<void> {
  const params = { id }
  try {
    for (const rendition of PICTURES) {
      const body = found?.[rendition]
      if (!body || renditions.includes(rendition)) continue
      await unlessRefused(call(putRendition, { params: { id, rendition }, body, signal }), 'invalid', 'too_large', 'unsupported_media')
    }
    const record = (body: FoundInFile) => call(recordFound, { params, body, signal })
    if (!found || !(await unlessRefused(record(foundIn(found.meta)), 'invalid'))) await record({})
  } catch (error) {
    // It was removed meanwhile, or frozen for its author.
    if (!isCode(error, 'not_found', 'forbidden')) throw error
  }
}

const isCode = (error: unknown, ...codes: ErrorCode[]) => error instanceof ApiError && codes.some((code) => code === error.code)

/** Null if the server refuses it for one of these reasons. */
async function unlessRefused<T>(answer: Promise<T>, ...codes: ErrorCode[]): Promise<T | null> {
  try {
    return await answer
  } catch (error) {
    if (isCode(error, ...codes)) return null
    throw error
  }
}

function foundIn({
  width,
  height,
  duration,
  thumbhash,
  date,
  dateZone,
  datePrecision,
  location,
  alt,
  contentId,
}: PreparedMeta): FoundInFile {
  return { width, height, duration, thumbhash, date, dateZone, datePrecision, location, alt, contentId }
}
