import { HEADER_BYTES, type ImageHeader, readImageHeader } from '../../../contract/image-header.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { sha256 } from '../hash.ts'
import { animationSeconds } from './animation.ts'
import { captureOf, NO_CAPTURE } from './capture.ts'
import { dateInName } from './date-in-name.ts'
import { decodePicture, pixelsOf } from './decode/decode.ts'
import { DecoderMissing } from './decode/decoder-missing.ts'
import { readPhotoTags } from './photo-tags.ts'
import { makeRenditions } from './renditions.ts'
import type { Prepared, Probe } from './types.ts'

export interface PrepareJob {
  file: Blob
  name: string
  /** Media type as the browser guessed it from the name. */
  type: string
  /** The reader's time zone, for photos that do not say theirs. */
  zone: string
  /** A frame and measures of a video, which can only be read on the page, not in a worker. */
  probe: Probe | null
  /** False after an image crashed a worker: then only the bytes are hashed. */
  decode: boolean
}

/**
 * Reads checksum, metadata and renditions of a file before it is sent. Never throws for invalid content, only for bytes that cannot be
 * read, and DecoderMissing.
 */
export async function prepare(job: PrepareJob, onProgress: (share: number) => void): Promise<Prepared> {
  const checksum = await sha256(job.file, onProgress)
  const plain: Prepared = {
    meta: { checksum, type: job.type, width: null, height: null, duration: null, thumbhash: null, ...NO_CAPTURE },
    thumb: null,
    preview: null,
    note: null,
  }
  return datedByName(await withContent(plain, job), job)
}

async function withContent(plain: Prepared, job: PrepareJob): Promise<Prepared> {
  if (job.probe) return withProbe(plain, job.probe)
  const header = readImageHeader(new Uint8Array(await job.file.slice(0, HEADER_BYTES).arrayBuffer()))
  if (!header) return job.type.startsWith('image/') && job.type !== 'image/svg+xml' ? { ...plain, note: NO_IMAGE } : plain
  return withImage(plain, job, header)
}

/** A photo or film that does not say when it was taken may be named by it. */
function datedByName(prepared: Prepared, { name, zone }: PrepareJob): Prepared {
  const { meta } = prepared
  if (meta.date !== null || !/^(?:image|video|audio)\//.test(meta.type)) return prepared
  const when = dateInName(name, zone, Date.now())
  return when ? { ...prepared, meta: { ...meta, ...when, dateFrom: 'name' }, note: prepared.note ?? DATED_BY_NAME } : prepared
}

const DATED_BY_NAME = 'Dated by its name: the file itself has no date'
const NO_IMAGE = 'This is not a picture that can be shown; it is kept as a file'
const TOO_LARGE = 'Too large to be shown as a picture; it is kept as a file'

async function withImage(plain: Prepared, job: PrepareJob, header: ImageHeader): Promise<Prepared> {
  const { tags, orientation } = await readPhotoTags(job.file)
  const meta = { ...plain.meta, type: header.type, ...captureOf(tags, { zone: job.zone, now: Date.now() }) }
  if (!job.decode) return { ...plain, meta, note: NO_IMAGE }
  try {
    const decoded = await decodePicture(job.file, header, orientation ?? 1)
    if (!decoded) return { ...plain, meta, note: pixelsOf(header) > LIMITS.imagePixels ? TOO_LARGE : noPicture(header.type) }
    const { bitmap, width, height } = decoded
    const { thumb, preview, thumbhash } = await makeRenditions(bitmap)
    bitmap.close()
    const duration = await animationOf(job.file, header.type)
    return { meta: { ...meta, width, height, duration, thumbhash }, thumb, preview, note: null }
  } catch (error) {
    if (error instanceof DecoderMissing) throw error
    return { ...plain, meta, note: noPicture(header.type) }
  }
}

/** Bytes; a larger picture that moves is shown still. */
const MAX_MOVING = 64 * 1024 * 1024

async function animationOf(file: Blob, type: string): Promise<number | null> {
  return file.size <= MAX_MOVING ? animationSeconds(new Uint8Array(await file.arrayBuffer()), type) : null
}

/** Formats of which a damaged file is more likely than a browser that does not know them. */
const COMMON = /^image\/(?:jpeg|png|gif|webp|bmp)$/

const noPicture = (type: string) =>
  COMMON.test(type)
    ? 'This picture is damaged; the original is kept'
    : 'This picture is damaged or of a kind that cannot be shown here; the original is kept'

async function withProbe(plain: Prepared, probe: Probe): Promise<Prepared> {
  const { width, height, duration, frame } = probe
  const measured = { ...plain, meta: { ...plain.meta, width, height, duration } }
  if (!frame) return measured
  try {
    const { thumb, preview, thumbhash } = await makeRenditions(frame)
    return { ...measured, meta: { ...measured.meta, thumbhash }, thumb, preview }
  } catch {
    return measured
  } finally {
    frame.close()
  }
}
