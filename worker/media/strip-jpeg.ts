import { joinBytes } from '../../contract/bytes.ts'
import { isJpegFrame } from '../../contract/image-header.ts'
import { brokenImage } from './image-bytes.ts'
import { MAX_SCANS, tooManyScans } from './jpeg-walk.ts'

const SOI = 0xd8
const EOI = 0xd9
const SOS = 0xda

/**
 * Keeps the segments that a decoder needs: JFIF (APP0), the ICC profile (APP2), Adobe's colour transform (APP14), tables,
 * frame and scans. Drops EXIF, XMP, IPTC, comments, unknown segments, and data after the end of the image, where phones append clips. Refuses more
 * than one frame, frames that no browser draws, and more scans than an encoder writes.
 */
export function stripJpeg(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== 0xff || bytes[1] !== SOI) throw brokenImage()
  const kept: Uint8Array[] = [bytes.subarray(0, 2)]
  let at = 2
  let scans = 0
  let frames = 0
  while (at < bytes.length) {
    if (bytes[at] !== 0xff) throw brokenImage()
    const marker = bytes[at + 1]
    if (marker === 0xff) {
      at++
      continue
    }
    if (marker === undefined) break
    if (marker === EOI) {
      if (scans === 0) throw brokenImage()
      kept.push(bytes.subarray(at, at + 2))
      return joinBytes(kept)
    }
    const end = at + 2 + segmentLength(bytes, at)
    const scanEnd = marker === SOS ? endOfScan(bytes, end) : end
    if (marker === SOS && scanEnd === end) throw brokenImage()
    if (marker === SOS && ++scans > MAX_SCANS) throw tooManyScans()
    if (isJpegFrame(marker) && (++frames > 1 || marker > 0xc2)) throw brokenImage()
    if (isNeeded(marker, bytes, at)) kept.push(bytes.subarray(at, scanEnd))
    at = scanEnd
  }
  throw brokenImage()
}

function segmentLength(bytes: Uint8Array, at: number): number {
  const length = ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)
  if (length < 2 || at + 2 + length > bytes.length) throw brokenImage()
  return length
}

/** Entropy-coded data ends at the next marker that is neither a stuffed zero nor a restart. */
function endOfScan(bytes: Uint8Array, from: number): number {
  let at = bytes.indexOf(0xff, from)
  while (at !== -1) {
    const next = bytes[at + 1] ?? EOI
    if (next !== 0 && !(next >= 0xd0 && next <= 0xd7)) return at
    at = bytes.indexOf(0xff, at + (next === 0xff ? 1 : 2))
  }
  throw brokenImage()
}

/** Tables, frames and scans: DHT and SOF0–15 (0xc8 is reserved), DQT, DNL, DRI, SOS. */
const isImageSegment = (marker: number) => (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc8) || (marker >= 0xda && marker <= 0xdd)

/** Application segments that affect decoding, with the name at their start. */
const APPLICATIONS: Record<number, Uint8Array> = {
  224: new TextEncoder().encode('JFIF\0'),
  226: new TextEncoder().encode('ICC_PROFILE\0'),
  238: new TextEncoder().encode('Adobe'),
}

function isNeeded(marker: number, bytes: Uint8Array, at: number): boolean {
  const name = APPLICATIONS[marker]
  return isImageSegment(marker) || name?.every((byte, i) => bytes[at + 4 + i] === byte) === true
}
