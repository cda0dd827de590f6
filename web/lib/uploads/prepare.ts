import { HEADER_BYTES, type ImageHeader, readImageHeader } from '../../../contract/image-header.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { sha256 } from '../hash.ts'
import { NO_CAPTURE, readCapture } from './exif.ts'
import { makeRenditions } from './renditions.ts'
import type { Prepared, Probe } from './types.ts'

export interface PrepareJob {
  file: Blob
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
 * read.
 */
export async function prepare(job: PrepareJob, onProgress: (share: number) => void): Promise<Prepared> {
  const checksum = await sha256(job.file, onProgress)
  const plain: Prepared = {
    meta: { checksum, type: job.type, width: null, height: null, duration: null, thumbhash: null, ...NO_CAPTURE },
    thumb: null,
    preview: null,
    note: null,
  }
  if (job.probe) return withProbe(plain, job.probe)
  const header = readImageHeader(new Uint8Array(await job.file.slice(0, HEADER_BYTES).arrayBuffer()))
  if (!header) return job.type.startsWith('image/') && job.type !== 'image/svg+xml' ? { ...plain, note: NO_IMAGE } : plain
  return withImage(plain, job, header)
}

const NO_IMAGE = 'This is not a picture that can be shown; it is kept as a file'

async function withImage(plain: Prepared, job: PrepareJob, header: ImageHeader): Promise<Prepared> {
  const meta = { ...plain.meta, type: header.type, ...(await readCapture(job.file, job.zone)) }
  const pixels = (header.width ?? 0) * (header.height ?? 0)
  if (!job.decode || pixels > LIMITS.imagePixels) {
    const note = pixels > LIMITS.imagePixels ? 'Too large to be shown as a picture; it is kept as a file' : NO_IMAGE
    return { ...plain, meta, note }
  }
  try {
    // The EXIF orientation is applied here, so width and height are those displayed.
    const bitmap = await createImageBitmap(job.file, { imageOrientation: 'from-image' })
    const { width, height } = bitmap
    const { thumb, preview, thumbhash } = await makeRenditions(bitmap)
    bitmap.close()
    return { meta: { ...meta, width, height, thumbhash }, thumb, preview, note: null }
  } catch {
    return { ...plain, meta, note: 'This picture is damaged or of a kind this browser cannot show; the original is kept' }
  }
}

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
