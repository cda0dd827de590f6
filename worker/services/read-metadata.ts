import { isZone } from '../../contract/dates.ts'
import { filmInChunks } from '../../contract/films/film-chunks.ts'
import { type FilmHeaders, readFilmHeaders } from '../../contract/films/film-headers.ts'
import { captureOf, NO_CAPTURE, type Reading } from '../../contract/photos/capture.ts'
import { dateInName } from '../../contract/photos/date-in-name.ts'
import { type PhotoMetadata, readPhotoTags } from '../../contract/photos/photo-tags.ts'
import { connect } from '../db/client.ts'
import type { Env } from '../env.ts'
import { AppError, warn } from '../http/errors.ts'
import { relayChanges } from '../live/change-relay.ts'
import { originalKey, withStorage } from '../media/storage.ts'
import { claimUnread, type FileSays, leaveToDevice, recordMetadata, type UnreadFile, unclaim } from '../queries/metadata.ts'

/** Bytes from the start of a file. */
const READ = 8 * 1024 * 1024
/** A worker has 128 MB. A read value takes about 30 bytes. */
const READ_LIMITS = { reads: 1024 * 1024, text: 256 * 1024 }

/** Chunks of a film, of 1 MiB each: mediabunny takes the tables of a film into memory as a whole. */
const CHUNKS = 16

/** What a photo or film says of itself, or its name, as a browser reads it before an upload. Throws 503 without the storage. */
export async function readMetadata(bucket: R2Bucket, file: UnreadFile): Promise<FileSays> {
  const reading = { zone: file.zone !== null && isZone(file.zone) ? file.zone : 'UTC', now: Date.now() }
  const says = isFilm(file) ? await readFilm(bucket, file, reading.zone) : await readPhoto(bucket, file, reading)
  return { ...says, ...(says.date === null && dateInName(file.name, reading.zone, reading.now)) }
}

const isFilm = ({ type }: Pick<UnreadFile, 'type'>) => type.startsWith('video/')

async function readPhoto(bucket: R2Bucket, { id }: UnreadFile, reading: Reading): Promise<FileSays> {
  const found = await readTags(bucket, id)
  return found ? { ...captureOf(found.tags, reading), contentId: found.contentId } : { ...NO_CAPTURE, contentId: null }
}

/** Read in ranges, since what a film says of itself may be at its end. */
async function readFilm(bucket: R2Bucket, { id, size }: UnreadFile, zone: string): Promise<FileSays> {
  let outage: unknown = null
  const load = async (offset: number, to: number): Promise<ArrayBuffer> => {
    try {
      return await withStorage(async () => {
        const object = await bucket.get(originalKey(id), { range: { offset, length: to - offset } })
        return object ? await object.arrayBuffer() : new ArrayBuffer(0)
      })
    } catch (error) {
      outage = error
      throw error
    }
  }
  const { words, ...found }: FilmHeaders = await readFilmHeaders(filmInChunks({ size, most: CHUNKS, load }), zone)
  // Readers of films pass over what they cannot read.
  if (outage) throw outage
  return { ...found, alt: words }
}

/** Null without the file. Throws 503 without the storage. */
async function readTags(bucket: R2Bucket, id: string): Promise<PhotoMetadata | null> {
  const bytes = await withStorage(async () => {
    const object = await bucket.get(originalKey(id), { range: { offset: 0, length: READ } })
    return object && new Response(object.body).arrayBuffer()
  })
  return bytes && readPhotoTags(bytes, READ_LIMITS)
}

/** The camera's identifier of the shot of a photo. Throws 503 without the storage. */
export const readContentId = async (bucket: R2Bucket, id: string) => (await readTags(bucket, id))?.contentId ?? null

/** Whether tags may be beyond what is read here: those of a TIFF are anywhere, and a device reads more of a film. */
const isCut = (file: UnreadFile) => isFilm(file) || (file.type === 'image/tiff' && file.size > READ)

/**
 * Reads photos and films that came without date, place or caption, and those that an earlier reader has read, and fills what they lack. The others, and
 * what a person has changed, stay as they are.
 */
export async function readUnreadFiles(env: Env): Promise<void> {
  const db = connect(env.DATABASE_URL, env.NEON_PROXY)
  const files = await claimUnread(db)
  let filled = false
  for (const [nth, file] of files.entries()) {
    try {
      const says = await readMetadata(env.FILES, file).catch(unlessOutage)
      if (!says) continue
      if ([says.date, says.location, says.alt, says.contentId, says.duration ?? null, says.width ?? null].some((value) => value !== null)) {
        await recordMetadata(db, file.id, says)
        filled = true
      } else if (isCut(file)) await leaveToDevice(db, file.id)
    } catch (error) {
      // Storage or database do not answer: this file and those after it wait for the next run.
      const rest = files.slice(nth).map(({ id }) => id)
      await unclaim(db, rest)
      throw error
    }
  }
  if (filled) await relayChanges(env)
}

/** Null for a file whose own fault it is: it is not read again. */
function unlessOutage(error: unknown): null {
  if (error instanceof AppError) throw error
  warn('A file could not be read', error)
  return null
}
