import { HEADER_BYTES, type ImageHeader, readImageHeader } from '../../../contract/image-header.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { sha256 } from '../hash.ts'
import { animationSeconds } from './animation.ts'
import { captureOf, NO_CAPTURE } from './capture.ts'
import { dateInName } from './date-in-name.ts'
import { decodePicture, pixelsOf } from './decode/decode.ts'
import { DecoderMissing } from './decode/decoder-missing.ts'
import type { Film } from './film.ts'
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
  /** What a video element showed of a film, which is only there on the page, not in a worker. Null for other files. */
  probe: Probe | null
  /** False after an image crashed a worker, or a film the page: then only the bytes are hashed. */
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
  if (job.probe) return withProbe(plain, job, job.probe)
  const start = new Uint8Array(await job.file.slice(0, HEADER_BYTES).arrayBuffer())
  const header = readImageHeader(start)
  if (!header && isFilm(start, job.type)) return withProbe(plain, job, NOTHING_SHOWN)
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
  const { tags, orientation, contentId, film } = await readPhotoTags(job.file)
  const meta = { ...plain.meta, type: header.type, ...captureOf(tags, { zone: job.zone, now: Date.now() }), contentId }
  if (!job.decode) return { ...plain, meta, note: NO_IMAGE }
  try {
    const decoded = await decodePicture(job.file, header, orientation ?? 1)
    if (!decoded) return { ...plain, meta, note: pixelsOf(header) > LIMITS.imagePixels ? TOO_LARGE : noPicture(header.type) }
    const { bitmap, width, height } = decoded
    const { thumb, preview, thumbhash } = await makeRenditions(bitmap)
    bitmap.close()
    const duration = film ? await secondsOf(job.file.slice(film.start, film.end)) : await animationOf(job.file, header.type)
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

/** Of the film in a motion photo. Without it the photo stays one. */
const secondsOf = async (film: Blob) => (await readContainer(film, 'UTC', false))?.duration ?? null

/** Formats of which a damaged file is more likely than a browser that does not know them. */
const COMMON = /^image\/(?:jpeg|png|gif|webp|bmp)$/

const noPicture = (type: string) =>
  COMMON.test(type)
    ? 'This picture is damaged; the original is kept'
    : 'This picture is damaged or of a kind that cannot be shown here; the original is kept'

const NOTHING_SHOWN: Probe = { width: null, height: null, duration: null, frame: null }

/** Whether these first bytes are those of MP4, QuickTime or Matroska, for films whose names do not say it. */
function isFilm(start: Uint8Array, type: string): boolean {
  if (/^(image|audio)\//.test(type)) return false
  const [first, second] = [String.fromCharCode(...start.subarray(0, 4)), String.fromCharCode(...start.subarray(4, 8))]
  return first === '\x1aE\xdf\xa3' || /^(ftyp|moov|mdat|wide)$/.test(second)
}

/** A film: what its container says, with the picture of the video element, otherwise one that is decoded here. */
async function withProbe(plain: Prepared, { file, zone, decode }: PrepareJob, probe: Probe): Promise<Prepared> {
  const film = decode ? await readContainer(file, zone, !probe.frame) : null
  const frame = probe.frame ?? film?.frame
  const { width, height } = probe.width || !film ? probe : film
  const { date, dateZone, datePrecision, location } = film ?? NO_CAPTURE
  const duration = film?.duration ?? probe.duration
  const meta = {
    ...plain.meta,
    width,
    height,
    duration,
    date,
    dateZone,
    datePrecision,
    location,
    alt: film?.words ?? null,
    contentId: film?.contentId ?? null,
  }
  if (!frame) return { ...plain, meta, note: film?.width ? `This browser cannot show this film${named(film)}; the original is kept` : null }
  try {
    const { thumb, preview, thumbhash } = await makeRenditions(frame)
    return { ...plain, meta: { ...meta, thumbhash }, thumb, preview }
  } catch {
    return { ...plain, meta }
  } finally {
    frame.close()
  }
}

/** Null for a damaged container. Throws DecoderMissing. */
async function readContainer(file: Blob, zone: string, withFrame: boolean): Promise<Film | null> {
  const { readFilm } = await import('./film.ts').catch(() => {
    throw new DecoderMissing()
  })
  return readFilm(file, { zone, withFrame }).catch(() => null)
}

const CODECS: Record<string, string> = { hevc: 'HEVC', prores: 'ProRes', avc: 'H.264', mp4v: 'MPEG-4', jpeg: 'Motion JPEG', s263: 'H.263' }

function named({ codec }: Film): string {
  return codec ? ` (${CODECS[codec] ?? codec.toUpperCase()})` : ''
}
