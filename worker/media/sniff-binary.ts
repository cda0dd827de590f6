/** First bytes of files in hex, `..` for any byte, and their media type. The first match counts. */
const SIGNATURES: readonly [hex: string, type: string][] = [
  ['ffd8ff', 'image/jpeg'],
  ['89504e470d0a1a0a', 'image/png'],
  ['474946383761', 'image/gif'],
  ['474946383961', 'image/gif'],
  ['52494646........57454250', 'image/webp'],
  ['52494646........57415645', 'audio/wav'],
  ['52494646........41564920', 'video/x-msvideo'],
  ['49492a00', 'image/tiff'],
  ['4d4d002a', 'image/tiff'],
  ['46554a4946494c4d4343442d524157', 'image/x-fuji-raf'],
  ['4949524f', 'image/x-olympus-orf'],
  ['49495253', 'image/x-olympus-orf'],
  ['49495500', 'image/x-panasonic-rw2'],
  ['0000000c4a584c200d0a870a', 'image/jxl'],
  ['ff0a', 'image/jxl'],
  ['00000100', 'image/x-icon'],
  ['38425053', 'image/vnd.adobe.photoshop'],
  ['255044462d', 'application/pdf'],
  ['504b0304', 'application/zip'],
  ['504b0506', 'application/zip'],
  ['1f8b08', 'application/gzip'],
  ['377abcaf271c', 'application/x-7z-compressed'],
  ['526172211a07', 'application/vnd.rar'],
  ['d0cf11e0a1b11ae1', 'application/x-ole-storage'],
  ['4f676753', 'audio/ogg'],
  ['664c6143', 'audio/flac'],
  ['494433', 'audio/mpeg'],
  ['fffb', 'audio/mpeg'],
  ['fff3', 'audio/mpeg'],
  ['fff2', 'audio/mpeg'],
  ['fffa', 'audio/mpeg'],
  ['fff1', 'audio/aac'],
  ['fff9', 'audio/aac'],
  ['7b5c727466', 'application/rtf'],
]

const latin1 = new TextDecoder('latin1')

/** The media type of a binary file, or null. */
export function binaryType(start: Uint8Array): string | null {
  const found = SIGNATURES.find(([hex]) => beginsWith(start, hex))?.[1]
  if (found === 'audio/ogg') return ascii(start, 0, 512).includes('theora') ? 'video/ogg' : found
  return found ?? isoType(start) ?? matroskaType(start) ?? bmpType(start)
}

function beginsWith(bytes: Uint8Array, hex: string): boolean {
  if (bytes.length < hex.length / 2) return false
  for (let i = 0; i < hex.length; i += 2) {
    const pair = hex.slice(i, i + 2)
    if (pair !== '..' && bytes[i / 2] !== Number.parseInt(pair, 16)) return false
  }
  return true
}

function ascii(bytes: Uint8Array, from: number, to: number): string {
  return latin1.decode(bytes.subarray(from, to))
}

const BRANDS: readonly [RegExp, string][] = [
  [/^avi[fs]$/, 'image/avif'],
  [/^hei[cxms]$/, 'image/heic'],
  [/^hev[cx]$/, 'image/heic-sequence'],
  [/^qt {2}$/, 'video/quicktime'],
  [/^M4[ABP] $/, 'audio/mp4'],
  [/^3g[p2]/, 'video/3gpp'],
  [/^crx $/, 'image/x-canon-cr3'],
  [/^jp2 $/, 'image/jp2'],
]

/** Boxes of less than 16 MB that old cameras and programs write before the film itself. */
const BEFORE_FILMS = /^(free|skip|junk|pnot|pict|udta|uuid)$/i

/** ISO base media files (MP4, QuickTime, HEIC, AVIF) have their type in `ftyp`: the major brand, then compatible ones. */
function isoType(start: Uint8Array): string | null {
  const box = ascii(start, 4, 8)
  if (/^(moov|mdat|wide)$/.test(box) || (start[0] === 0 && BEFORE_FILMS.test(box))) return 'video/quicktime'
  if (box !== 'ftyp') return null
  const size = new DataView(start.buffer, start.byteOffset).getUint32(0)
  const brands = ascii(start, 8, Math.min(size, 256)).match(/.{4}/gs) ?? []
  const [main = '', , ...compatible] = brands
  const named = (brand: string) => BRANDS.find(([pattern]) => pattern.test(brand))?.[1]
  if (named(main)) return named(main) ?? null
  if (!/^m[is]f1$/.test(main)) return 'video/mp4'
  return compatible.map(named).find((type) => type?.startsWith('image/')) ?? 'image/heif'
}

function matroskaType(start: Uint8Array): string | null {
  if (!beginsWith(start, '1a45dfa3')) return null
  return ascii(start, 4, 64).includes('webm') ? 'video/webm' : 'video/x-matroska'
}

/** Many texts begin with "BM", so the size of the next header is checked as well. */
function bmpType(start: Uint8Array): string | null {
  if (!beginsWith(start, '424d........00000000') || start.length < 18) return null
  const header = new DataView(start.buffer, start.byteOffset).getUint32(14, true)
  return [12, 40, 52, 56, 64, 108, 124].includes(header) ? 'image/bmp' : null
}
