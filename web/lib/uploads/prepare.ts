import type { Said } from '#language'
import { msg } from '#say'
import type { FilmFile } from '../../../contract/films/film-parts.ts'
import { HEADER_BYTES, type ImageHeader, readImageHeader } from '../../../contract/image-header.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { captureOf, NO_CAPTURE } from '../../../contract/photos/capture.ts'
import { dateInName } from '../../../contract/photos/date-in-name.ts'
import { findFilm } from '../film-in-photo.ts'
import { sha256 } from '../hash.ts'
import { animationSeconds } from './animation.ts'
import { decodePicture, pixelsOf } from './decode/decode.ts'
import { readFileTags } from './file-tags.ts'
import type { Film } from './film.ts'
import { NotLoaded, orNotLoaded } from './not-loaded.ts'
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

export interface PrepareListener {
  onProgress: (share: number) => void
  /** The bytes are hashed, and their content is read now. */
  onReading: () => void
}

/**
 * Reads checksum, metadata and renditions of a file before it is sent. Never throws for invalid content, only for bytes that cannot be
 * read, and NotLoaded.
 */
export async function prepare(job: PrepareJob, { onProgress, onReading }: PrepareListener): Promise<Prepared> {
  const checksum = await sha256(job.file, onProgress)
  onReading()
  return datedByName(await withContent(unread(checksum, job.type), job), job)
}

/** A film of which only parts are read, and so not its checksum. `picture`: whether it lacks one. */
export async function prepareFilm(job: FilmJob & { name: string; type: string; picture: boolean; probe: Probe | null }): Promise<Prepared> {
  return datedByName(await withProbe(unread('', job.type), job, job.probe ?? NOTHING_SHOWN, job.picture), job)
}

type FilmJob = Pick<PrepareJob, 'zone' | 'decode'> & { file: FilmFile }

function unread(checksum: string, type: string): Prepared {
  const meta = { checksum, type, width: null, height: null, duration: null, thumbhash: null, ...NO_CAPTURE }
  return { meta, thumb: null, preview: null, note: null }
}

async function withContent(plain: Prepared, job: PrepareJob): Promise<Prepared> {
  if (job.probe) return withProbe(plain, job, job.probe)
  const start = await bytesOf(job.file, HEADER_BYTES)
  let header = readImageHeader(start)
  // The frame of a JPEG comes after all that is said about it, such as maps of its depth.
  if (header?.type === 'image/jpeg' && header.width === null) header = readImageHeader(await bytesOf(job.file, FAR_HEADER_BYTES))
  if (!header && isFilm(start, job.type)) return withProbe(plain, job, NOTHING_SHOWN)
  if (!header) return job.type.startsWith('image/') && job.type !== 'image/svg+xml' ? { ...plain, note: NO_IMAGE } : plain
  return withImage(plain, job, header)
}

const FAR_HEADER_BYTES = 32 * 1024 * 1024

const bytesOf = async (file: Blob, count: number) => new Uint8Array(await file.slice(0, count).arrayBuffer())

/** A photo or film that does not say when it was taken may be named by it. */
function datedByName(prepared: Prepared, { name, zone }: Pick<PrepareJob, 'name' | 'zone'>): Prepared {
  const { meta } = prepared
  if (meta.date !== null || !/^(?:image|video|audio)\//.test(meta.type)) return prepared
  const when = dateInName(name, zone, Date.now())
  return when ? { ...prepared, meta: { ...meta, ...when, dateFrom: 'name' }, note: prepared.note ?? DATED_BY_NAME } : prepared
}

const DATED_BY_NAME = msg`Dated by its name: the file itself has no date`
const NO_IMAGE = msg`This is not a picture that can be shown; it is kept as a file`
const TOO_LARGE = msg`Too large to be shown as a picture; it is kept as a file`

async function withImage(plain: Prepared, job: PrepareJob, header: ImageHeader): Promise<Prepared> {
  const { tags, orientation, size, contentId } = await readFileTags(job.file)
  const meta = { ...plain.meta, type: header.type, ...captureOf(tags, { zone: job.zone, now: Date.now() }), contentId }
  if (!job.decode) return { ...plain, meta, note: noPicture(header.type) }
  try {
    const decoded = await decodePicture(job.file, header, { orientation: orientation ?? 1, size })
    if (!decoded) return { ...plain, meta, note: pixelsOf(header) > LIMITS.imagePixels ? TOO_LARGE : noPicture(header.type) }
    const { bitmap, width, height } = decoded
    const { thumb, preview, thumbhash } = await makeRenditions(bitmap)
    bitmap.close()
    const duration = (await filmSeconds(job.file, header.type)) ?? (await animationOf(job.file, header.type))
    return { meta: { ...meta, width, height, duration, thumbhash }, thumb, preview, note: null }
  } catch (error) {
    if (error instanceof NotLoaded) throw error
    return { ...plain, meta, note: noPicture(header.type) }
  }
}

/** Bytes; a larger picture that moves is shown still. */
const MAX_MOVING = 64 * 1024 * 1024

async function animationOf(file: Blob, type: string): Promise<number | null> {
  return file.size <= MAX_MOVING ? animationSeconds(new Uint8Array(await file.arrayBuffer()), type) : null
}

/** Of the film in a motion photo. Without it the photo stays one. */
async function filmSeconds(file: Blob, type: string): Promise<number | null> {
  if (file.size > MAX_MOVING || !/^image\/(?:jpeg|hei[cf])$/.test(type)) return null
  const film = findFilm(new Uint8Array(await file.arrayBuffer()))
  return film && ((await readContainer(file.slice(film.start, film.end), 'UTC', false))?.duration ?? null)
}

/** Formats of which a damaged file is more likely than a browser that does not know them. */
const COMMON = /^image\/(?:jpeg|png|gif|webp|bmp)$/

const noPicture = (type: string) =>
  COMMON.test(type)
    ? msg`Damaged, so without a picture; the original is kept`
    : msg`Damaged, or of a kind that cannot be shown; the original is kept`

const NOT_READ = msg`Reading it failed twice, so it has no date; the original is kept`
const NOTHING_SHOWN: Probe = { width: null, height: null, duration: null, frame: null }

/** Whether these first bytes are those of MP4, QuickTime or Matroska, for films whose names do not say it. */
function isFilm(start: Uint8Array, type: string): boolean {
  if (/^(image|audio)\//.test(type)) return false
  const [first, second] = [String.fromCharCode(...start.subarray(0, 4)), String.fromCharCode(...start.subarray(4, 8))]
  return first === '\x1aE\xdf\xa3' || /^(ftyp|moov|mdat|wide)$/.test(second)
}

/** A film: what its container says, with the picture of the video element, otherwise one that is decoded here. */
async function withProbe(plain: Prepared, { file, zone, decode }: FilmJob, probe: Probe, picture = true): Promise<Prepared> {
  const film = decode ? await readContainer(file, zone, picture && !probe.frame) : null
  const frame = probe.frame ?? film?.frame
  const { width, height } = probe.width || !film ? probe : film
  const { date, dateZone, datePrecision, isMoment, location } = film ?? NO_CAPTURE
  const duration = film?.duration ?? probe.duration
  const meta = {
    ...plain.meta,
    width,
    height,
    duration,
    date,
    dateZone,
    datePrecision,
    isMoment,
    location,
    alt: film?.words ?? null,
    contentId: film?.contentId ?? null,
    plays: film?.plays ?? null,
  }
  if (!frame) return { ...plain, meta, note: decode ? notShown(film) : NOT_READ }
  try {
    const { thumb, preview, thumbhash } = await makeRenditions(frame)
    return { ...plain, meta: { ...meta, thumbhash }, thumb, preview, note: decode ? seldomPlayed(film) : NOT_READ }
  } catch {
    return { ...plain, meta }
  } finally {
    frame.close()
  }
}

/** Null for a damaged container. Throws NotLoaded. */
async function readContainer(file: FilmFile, zone: string, withFrame: boolean): Promise<Film | null> {
  const { readFilm } = await orNotLoaded(import('./film.ts'))
  return readFilm(file, { zone, withFrame }).catch(() => null)
}

function notShown(film: Film | null): Said {
  const codec = codecName(film)
  return codec ? msg`This browser cannot show it (${codec}); the original is kept` : msg`This browser cannot show it; the original is kept`
}

/** For a film that this browser plays, and few others do. */
function seldomPlayed(film: Film | null): Said | null {
  if (!film?.plays || film.plays === 'widely') return null
  // Their codec is no obstacle, their container is.
  const codec = /^(?:avc|vp[89])$/.test(film.codec ?? '') ? null : codecName(film)
  return codec ? msg`Most browsers cannot play it (${codec})` : msg`Most browsers cannot play it`
}

const CODECS: Record<string, string> = {
  hevc: 'HEVC',
  prores: 'ProRes',
  avc: 'H.264',
  mp4v: 'MPEG-4',
  jpeg: 'Motion JPEG',
  s263: 'H.263',
  av1: 'AV1',
}

function codecName(film: Film | null): string | null {
  const codec = film?.codec
  return codec ? (CODECS[codec] ?? codec.toUpperCase()) : null
}
