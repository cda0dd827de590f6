import { brokenImage, fourCc, view } from './image-bytes.ts'
import type { RenditionType } from './strip-metadata.ts'

/** Longest side in pixels according to the file's headers, for which a decoder allocates memory. Throws `invalid` if they have none. */
export function longestSide(bytes: Uint8Array, type: RenditionType): number {
  const sides = type === 'image/jpeg' ? jpegSides(bytes) : type === 'image/webp' ? webpSides(bytes) : avifSides(bytes)
  if (sides.length === 0) throw brokenImage()
  return Math.max(...sides)
}

/** Width and height of a WebP. The file must be checked by `stripWebp`. */
export function webpSize(bytes: Uint8Array): { width: number; height: number } {
  const [width = 0, height = 0] = webpSides(bytes)
  return { width, height }
}

/** Sides in every frame header (SOF0–15 without DHT, JPG and DAC). Segments must be checked by `stripJpeg`. */
function jpegSides(bytes: Uint8Array): number[] {
  const sides: number[] = []
  const data = view(bytes)
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff && bytes[at + 1] !== 0xda; at += 2 + data.getUint16(at + 2)) {
    const marker = bytes[at + 1] ?? 0
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) sides.push(data.getUint16(at + 5), data.getUint16(at + 7))
  }
  return sides
}

/** Sides of the canvas and of the image on it. Chunks must be checked by `stripWebp`. */
function webpSides(bytes: Uint8Array): number[] {
  const sides: number[] = []
  const data = view(bytes)
  for (let at = 12; at + 18 <= bytes.length; ) {
    const size = data.getUint32(at + 4, true)
    const name = fourCc(bytes, at)
    if (name === 'VP8X') sides.push((data.getUint32(at + 12, true) & 0xffffff) + 1, (data.getUint32(at + 14, true) >>> 8) + 1)
    if (name === 'VP8 ') sides.push(data.getUint16(at + 14, true) & 0x3fff, data.getUint16(at + 16, true) & 0x3fff)
    if (name === 'VP8L') {
      const packed = data.getUint32(at + 9, true)
      sides.push((packed & 0x3fff) + 1, ((packed >>> 14) & 0x3fff) + 1)
    }
    at += 8 + size + (size % 2)
  }
  return sides
}

/** Sides in every `ispe` property, which has width and height of one image item. */
function avifSides(bytes: Uint8Array): number[] {
  const sides: number[] = []
  const name = [0x69, 0x73, 0x70, 0x65]
  for (let at = bytes.indexOf(0x69); at !== -1 && at + 16 <= bytes.length; at = bytes.indexOf(0x69, at + 1)) {
    if (name.every((byte, i) => bytes[at + i] === byte)) sides.push(view(bytes).getUint32(at + 8), view(bytes).getUint32(at + 12))
  }
  return sides
}
