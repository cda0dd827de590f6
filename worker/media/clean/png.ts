import { crc32 } from '../../../contract/crc32.ts'
import { view } from '../image-bytes.ts'
import { fill, type Patch, replace } from './patches.ts'
import { cleanExifOf } from './picture.ts'
import { bytesOf, read, type Source, textOf, Uncleanable } from './source.ts'

const SIGNATURE = '\x89PNG\r\n\x1a\n'
/** Chunks that tell how to draw the picture, how large it is meant to be, and when it was changed. */
const KEPT =
  /^(IHDR|PLTE|IDAT|IEND|CgBI|tRNS|cHRM|gAMA|iCCP|sBIT|sRGB|cICP|mDC[Vv]|cLL[Ii]|bKGD|hIST|pHYs|sPLT|tIME|acTL|fcTL|fdAT|oFFs|pCAL|sCAL|sTER|vpAg)$/
/** A chunk that no program knows, and all leave alone. */
const EMPTY = 'zeRo'
const MAX_METADATA = 64 * 1024 * 1024
const MAX_EXIF = 4 * 1024 * 1024

/** Cleans EXIF, and replaces texts, XMP and unknown chunks by zeros. Throws Uncleanable. */
export async function pngPatches(source: Source): Promise<Patch[]> {
  if (textOf(await read(source, 0, 8)) !== SIGNATURE) throw new Uncleanable()
  const patches: Patch[] = []
  let blanked = 0
  for (let at = 8; at < source.size; ) {
    const head = await read(source, at, 8)
    const length = view(head).getUint32(0)
    const type = textOf(head.subarray(4))
    const data = at + 8
    const crc = data + length
    if (crc + 4 > source.size || !/^[A-Za-z]{4}$/.test(type)) throw new Uncleanable()
    if (type === 'eXIf' && length <= MAX_EXIF) {
      const clean = await cleanExifOf(await read(source, data, length))
      patches.push(replace(data, clean), replace(crc, sum(crc32(clean, crc32(bytesOf(type))))))
    } else if (!KEPT.test(type)) {
      if (/^[A-Z]/.test(type)) throw new Uncleanable()
      blanked += length
      if (blanked > MAX_METADATA) throw new Uncleanable()
      patches.push(replace(at + 4, bytesOf(EMPTY)), ...fill([data, crc]), replace(crc, sum(crcOfZeros(length))))
    }
    at = crc + 4
    if (type === 'IEND') return [...patches, ...fill([at, source.size])]
  }
  throw new Uncleanable()
}

function sum(crc: number): Uint8Array {
  const bytes = new Uint8Array(4)
  view(bytes).setUint32(0, crc)
  return bytes
}

const ZEROS = new Uint8Array(64 * 1024)

function crcOfZeros(length: number): number {
  let crc = crc32(bytesOf(EMPTY))
  for (let left = length; left > 0; left -= ZEROS.length) crc = crc32(ZEROS.subarray(0, left), crc)
  return crc
}
