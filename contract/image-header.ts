/** Format and size from the first bytes of an image. Sizes are null if the format hides them (AVIF, HEIC, TIFF). */
export interface ImageHeader {
  type: string
  width: number | null
  height: number | null
}

/** Bytes that `readImageHeader` needs: a JPEG's size comes after its EXIF and colour profile. */
export const HEADER_BYTES = 512 * 1024

/** Reads format and size without decoding, so that an image made to exhaust memory is never decoded. Null for an unknown format. */
export function readImageHeader(bytes: Uint8Array): ImageHeader | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 26) return null
  if (view.getUint32(0) === 0x89504e47) return { type: 'image/png', width: view.getUint32(16), height: view.getUint32(20) }
  if (ascii(bytes, 0, 4) === 'GIF8') return { type: 'image/gif', width: view.getUint16(6, true), height: view.getUint16(8, true) }
  if (ascii(bytes, 0, 2) === 'BM') return { type: 'image/bmp', width: view.getInt32(18, true), height: Math.abs(view.getInt32(22, true)) }
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return webp(bytes, view)
  if (view.getUint16(0) === 0xffd8) return jpeg(bytes, view)
  if (ascii(bytes, 4, 8) === 'ftyp') return isobmff(bytes, view)
  const type = UNSIZED.find(([start]) => ascii(bytes, 0, start.length) === start)?.[1]
  return type ? { type, width: null, height: null } : null
}

/** Formats whose size is not in the first bytes. Most raw files are TIFFs; those of some makers only look alike. */
const UNSIZED: readonly [start: string, type: string][] = [
  ['II*\0', 'image/tiff'],
  ['MM\0*', 'image/tiff'],
  ['\0\0\0\x0cJXL \r\n\x87\n', 'image/jxl'],
  ['\xff\x0a', 'image/jxl'],
  ['FUJIFILMCCD-RAW', 'image/x-fuji-raf'],
  ['IIRO', 'image/x-olympus-orf'],
  ['IIRS', 'image/x-olympus-orf'],
  ['IIU\0', 'image/x-panasonic-rw2'],
]

/** Start-of-frame markers C0–CF, without DHT, JPG and DAC. */
export const isJpegFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

function jpeg(bytes: Uint8Array, view: DataView): ImageHeader {
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) break
    const marker = bytes[at + 1] ?? 0
    if (isJpegFrame(marker)) return { type: 'image/jpeg', height: view.getUint16(at + 5), width: view.getUint16(at + 7) }
    at += marker === 0xff ? 1 : 2 + Math.max(2, view.getUint16(at + 2))
  }
  return { type: 'image/jpeg', width: null, height: null }
}

function webp(bytes: Uint8Array, view: DataView): ImageHeader {
  const type = 'image/webp'
  const kind = ascii(bytes, 12, 16)
  if (kind === 'VP8X' && bytes.length >= 30) {
    return { type, width: 1 + (view.getUint32(24, true) & 0xffffff), height: 1 + (view.getUint32(26, true) >>> 8) }
  }
  if (kind === 'VP8L') {
    const bits = view.getUint32(21, true)
    return { type, width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) }
  }
  if (kind === 'VP8 ' && bytes.length >= 30) {
    return { type, width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
  }
  return { type, width: null, height: null }
}

const BRANDS: readonly [RegExp, string][] = [
  [/crx /, 'image/x-canon-cr3'],
  [/avi[fs]/, 'image/avif'],
  [/hei[cxms]|mif1|msf1/, 'image/heic'],
]

/** AVIF and HEIC: the largest `ispe` box is the image; smaller ones are its tiles and thumbnails. */
function isobmff(bytes: Uint8Array, view: DataView): ImageHeader | null {
  const brands = ascii(bytes, 8, Math.min(view.getUint32(0), 64))
  const type = BRANDS.find(([pattern]) => pattern.test(brands))?.[1]
  if (!type) return null
  let width: number | null = null
  let height: number | null = null
  for (let at = 0; at + 20 <= bytes.length; at++) {
    if (bytes[at] !== 0x69 || view.getUint32(at) !== 0x69737065) continue
    const [w, h] = [view.getUint32(at + 8), view.getUint32(at + 12)]
    if (w * h > (width ?? 0) * (height ?? 0)) [width, height] = [w, h]
  }
  return { type, width, height }
}

function ascii(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to))
}
