import { HEADER_BYTES, readImageHeader } from '../../../../contract/image-header.ts'
import { LIMITS } from '../../../../contract/limits.ts'
import { readFileTags } from '../file-tags.ts'
import { turned } from './turned.ts'

/** Bytes of a file that are searched. */
const SEARCHED = 256 * 1024 * 1024
/** Pixels of the longest side. Smaller ones are tiles and thumbnails. */
const SMALLEST = 600
const MAX_TRIES = 4

/**
 * The largest JPEG inside another file, upright: raw files of all makers, and huge photos, have one to be shown by. Null if there is none.
 * `orientation` is used for a preview that does not say its own.
 */
export async function embeddedPreview(file: Blob, orientation: number): Promise<ImageBitmap | null> {
  const bytes = new Uint8Array(await file.slice(0, SEARCHED).arrayBuffer())
  const found = findJpegs(bytes).toSorted((a, b) => b.width * b.height - a.width * a.height)
  // The pixels of some raw files are JPEGs that no browser decodes.
  for (const { start } of found.slice(0, MAX_TRIES)) {
    const preview = file.slice(start, file.size, 'image/jpeg')
    try {
      const { orientation: own } = await readFileTags(preview)
      return turned(await createImageBitmap(preview, { imageOrientation: 'from-image' }), own === null ? orientation : 1)
    } catch {}
  }
  return null
}

interface FoundJpeg {
  start: number
  width: number
  height: number
}

/** All JPEGs after the beginning of a file that are large enough for a preview. */
function findJpegs(bytes: Uint8Array): FoundJpeg[] {
  const found: FoundJpeg[] = []
  for (let at = bytes.indexOf(0xff, 1); at >= 0 && at + 3 < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    if (bytes[at + 1] !== 0xd8 || bytes[at + 2] !== 0xff) continue
    const header = readImageHeader(bytes.subarray(at, at + HEADER_BYTES))
    const [width, height] = [header?.width ?? 0, header?.height ?? 0]
    const longest = Math.max(width, height)
    if (longest >= SMALLEST && width * height <= LIMITS.imagePixels) found.push({ start: at, width, height })
  }
  return found
}
