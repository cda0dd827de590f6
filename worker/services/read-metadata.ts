import { isZone } from '../../contract/dates.ts'
import { captureOf, NO_CAPTURE } from '../../contract/photos/capture.ts'
import { dateInName } from '../../contract/photos/date-in-name.ts'
import { type PhotoMetadata, readPhotoTags } from '../../contract/photos/photo-tags.ts'
import { connect } from '../db/client.ts'
import type { Env } from '../env.ts'
import { AppError } from '../http/errors.ts'
import { relayChanges } from '../live/change-relay.ts'
import { originalKey, withStorage } from '../media/storage.ts'
import { claimUnread, type FileSays, leaveToDevice, recordMetadata, type UnreadPhoto, unclaim } from '../queries/metadata.ts'

/** Bytes from the start of a file. */
const READ = 8 * 1024 * 1024
/** A worker has 128 MB. A read value takes about 30 bytes. */
const LIMITS = { reads: 1024 * 1024, text: 256 * 1024 }

/** What a photo says of itself, or its name, as a browser reads it before an upload. Throws 503 without the storage. */
export async function readMetadata(bucket: R2Bucket, { id, name, zone }: UnreadPhoto): Promise<FileSays> {
  const found = await readTags(bucket, id)
  if (!found) return { ...NO_CAPTURE, contentId: null }
  const { tags, contentId } = found
  const reading = { zone: zone !== null && isZone(zone) ? zone : 'UTC', now: Date.now() }
  const capture = captureOf(tags, reading)
  return { ...capture, ...(capture.date === null && dateInName(name, reading.zone, reading.now)), contentId }
}

/** Null without the file. Throws 503 without the storage. */
async function readTags(bucket: R2Bucket, id: string): Promise<PhotoMetadata | null> {
  const bytes = await withStorage(async () => {
    const object = await bucket.get(originalKey(id), { range: { offset: 0, length: READ } })
    return object && new Response(object.body).arrayBuffer()
  })
  return bytes && readPhotoTags(bytes, LIMITS)
}

/** The camera's identifier of the shot of a photo. Throws 503 without the storage. */
export const readContentId = async (bucket: R2Bucket, id: string) => (await readTags(bucket, id))?.contentId ?? null

/** Whether tags may be beyond what is read here: those of a TIFF are anywhere. */
const isCut = ({ type, size }: UnreadPhoto) => type === 'image/tiff' && size > READ

/**
 * Reads photos that came without date, place or caption, and those that an earlier reader has read, and fills what they lack. The others, and
 * what a person has changed, stay as they are.
 */
export async function readUnreadPhotos(env: Env): Promise<void> {
  const db = connect(env.DATABASE_URL, env.NEON_PROXY)
  const photos = await claimUnread(db)
  let filled = false
  for (const [nth, photo] of photos.entries()) {
    try {
      const says = await readMetadata(env.FILES, photo).catch(unlessOutage)
      if (!says) continue
      if ([says.date, says.location, says.alt, says.contentId].some((value) => value !== null)) {
        await recordMetadata(db, photo.id, says)
        filled = true
      } else if (isCut(photo)) await leaveToDevice(db, photo.id)
    } catch (error) {
      // Storage or database do not answer: this photo and those after it wait for the next run.
      const rest = photos.slice(nth).map(({ id }) => id)
      await unclaim(db, rest)
      throw error
    }
  }
  if (filled) await relayChanges(env)
}

/** Null for a photo whose own fault it is: it is not read again. */
function unlessOutage(error: unknown): null {
  if (error instanceof AppError) throw error
  console.warn(
    JSON.stringify({ level: 'warn', what: 'A photo could not be read', error: error instanceof Error ? error.message : String(error) }),
  )
  return null
}
