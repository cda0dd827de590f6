import { isZone } from '../../contract/dates.ts'
import { type Capture, captureOf, NO_CAPTURE } from '../../contract/photos/capture.ts'
import { dateInName } from '../../contract/photos/date-in-name.ts'
import { readPhotoTags } from '../../contract/photos/photo-tags.ts'
import { connect } from '../db/client.ts'
import type { Env } from '../env.ts'
import { AppError } from '../http/errors.ts'
import { relayChanges } from '../live/change-relay.ts'
import { originalKey, withStorage } from '../media/storage.ts'
import { claimUnread, leaveToDevice, recordMetadata, type UnreadPhoto, unclaim } from '../queries/metadata.ts'

/** Bytes from the start of a file. */
const READ = 8 * 1024 * 1024
/** A worker has 128 MB. A read value takes about 30 bytes. */
const LIMITS = { reads: 1024 * 1024, text: 256 * 1024 }

/** What a photo says of itself, or its name, as a browser reads it before an upload. Throws 503 without the storage. */
export async function readMetadata(bucket: R2Bucket, { id, name, zone }: UnreadPhoto): Promise<Capture> {
  const bytes = await withStorage(async () => {
    const object = await bucket.get(originalKey(id), { range: { offset: 0, length: READ } })
    return object && new Response(object.body).arrayBuffer()
  })
  if (!bytes) return NO_CAPTURE
  const { tags } = await readPhotoTags(bytes, LIMITS)
  const reading = { zone: zone !== null && isZone(zone) ? zone : 'UTC', now: Date.now() }
  const capture = captureOf(tags, reading)
  return capture.date === null ? { ...capture, ...dateInName(name, reading.zone, reading.now) } : capture
}

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
      const capture = await readMetadata(env.FILES, photo)
      if (capture.date !== null || capture.location !== null || capture.alt !== null) {
        await recordMetadata(db, photo.id, capture)
        filled = true
      } else if (isCut(photo)) await leaveToDevice(db, photo.id)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      // The storage does not answer: this photo and those after it wait for the next run.
      const rest = photos.slice(nth).map(({ id }) => id)
      await unclaim(db, rest)
      throw error
    }
  }
  if (filled) await relayChanges(env)
}
