import { view } from '../image-bytes.ts'
import { fill, type Patch, replace } from './patches.ts'
import { cleanExifOf } from './picture.ts'
import { read, type Source, textOf, Uncleanable } from './source.ts'
import { cleanXmp } from './xmp.ts'

const KEPT = /^(VP8[ LX]|ALPH|ANIM|ANMF|ICCP)$/
/** Bytes of a frame before its chunks. */
const FRAME = 16
const MAX_METADATA = 4 * 1024 * 1024

/** Cleans EXIF and XMP, and fills unknown chunks, and what follows the picture, with zeros. Throws Uncleanable. */
export async function webpPatches(source: Source): Promise<Patch[]> {
  const head = await read(source, 0, 12)
  if (!/^RIFF.{4}WEBP$/s.test(textOf(head))) throw new Uncleanable()
  const end = 8 + view(head).getUint32(4, true)
  if (end > source.size) throw new Uncleanable()
  return [...(await chunks(source, 12, end)), ...fill([end, source.size])]
}

async function chunks(source: Source, from: number, to: number): Promise<Patch[]> {
  const patches: Patch[] = []
  for (let at = from; at < to; ) {
    // A single byte at the end pads the last chunk.
    if (to - at < 8) return [...patches, ...fill([at, to])]
    const head = await read(source, at, 8)
    const type = textOf(head.subarray(0, 4))
    const start = at + 8
    const end = start + view(head).getUint32(4, true)
    if (end > to) throw new Uncleanable()
    if (type === 'ANMF') patches.push(...(await chunks(source, Math.min(start + FRAME, end), end)))
    else if (!KEPT.test(type)) patches.push(...(await metadata(source, type, start, end)))
    at = end + ((end - start) % 2)
  }
  return patches
}

async function metadata(source: Source, type: string, start: number, end: number): Promise<Patch[]> {
  if (!/^(EXIF|XMP )$/.test(type) || end - start > MAX_METADATA) return fill([start, end])
  const bytes = await read(source, start, end - start)
  if (type === 'XMP ') return [replace(start, cleanXmp(bytes))]
  // Some programs begin it as in a JPEG.
  const from = textOf(bytes.subarray(0, 6)) === 'Exif\0\0' ? 6 : 0
  return [replace(start + from, await cleanExifOf(bytes.subarray(from)))]
}
