import { isJpegFrame } from '../../contract/image-header.ts'
import { brokenImage, fourCc, view } from './image-bytes.ts'
import type { RenditionType } from './strip-metadata.ts'

/**
 * Longest side in pixels according to the file's headers, for which a decoder allocates memory. Throws `invalid` if they have none or
 * contradict each other.
 */
export function longestSide(bytes: Uint8Array, type: RenditionType): number {
  const sides = type === 'image/jpeg' ? jpegSides(bytes) : type === 'image/webp' ? webpSides(bytes) : avifSides(bytes)
  if (sides.length === 0 || sides.includes(0)) throw brokenImage()
  return Math.max(...sides)
}

/** Width and height of a WebP. The file must be checked by `stripWebp`. */
export function webpSize(bytes: Uint8Array): { width: number; height: number } {
  const [width = 0, height = 0] = webpSides(bytes)
  return { width, height }
}

/** Sides in every frame header. Segments must be checked by `stripJpeg`. */
function jpegSides(bytes: Uint8Array): number[] {
  const sides: number[] = []
  const data = view(bytes)
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff && bytes[at + 1] !== 0xda; at += 2 + data.getUint16(at + 2)) {
    const marker = bytes[at + 1] ?? 0
    if (isJpegFrame(marker)) sides.push(data.getUint16(at + 5), data.getUint16(at + 7))
  }
  return sides
}

/** Sides of the image, which fills its canvas: files with several frames are refused. Chunks must be checked by `stripWebp`. */
function webpSides(bytes: Uint8Array): number[] {
  let canvas: number[] | undefined
  let frame: number[] | undefined
  for (let at = 12; at + 8 <= bytes.length; ) {
    const size = view(bytes).getUint32(at + 4, true)
    const content = bytes.subarray(at + 8, at + 8 + size)
    const name = fourCc(bytes, at)
    if (name === 'VP8X') canvas = canvasSides(content)
    if (name === 'VP8 ') frame = lossySides(content)
    if (name === 'VP8L') frame = losslessSides(content)
    at += 8 + size + (size % 2)
  }
  if (!frame || (canvas && canvas.join() !== frame.join())) throw brokenImage()
  return frame
}

function canvasSides(content: Uint8Array): number[] {
  if (content.length < 10) throw brokenImage()
  return [(view(content).getUint32(4, true) & 0xffffff) + 1, (view(content).getUint32(6, true) >>> 8) + 1]
}

/** A key frame (RFC 6386 §9.1): its tag with the size of the first partition, a start code, and the sides. */
function lossySides(frame: Uint8Array): number[] {
  if (frame.length < 10) throw brokenImage()
  const tag = view(frame).getUint32(0, true) & 0xffffff
  const isKeyFrame = (tag & 1) === 0 && frame[3] === 0x9d && frame[4] === 0x01 && frame[5] === 0x2a
  if (!isKeyFrame || 10 + (tag >>> 5) > frame.length) throw brokenImage()
  return [view(frame).getUint16(6, true) & 0x3fff, view(frame).getUint16(8, true) & 0x3fff]
}

function losslessSides(frame: Uint8Array): number[] {
  if (frame.length < 5 || frame[0] !== 0x2f) throw brokenImage()
  const packed = view(frame).getUint32(1, true)
  return [(packed & 0x3fff) + 1, ((packed >>> 14) & 0x3fff) + 1]
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
