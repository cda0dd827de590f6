import { burstId } from '../parts.ts'

const APPLE = 'Apple iOS\0'
/** Tags of Apple's maker notes: of a burst, and of a Live Photo and its film. */
const [BURST, CONTENT] = [0x0b, 0x11]
const ASCII = 2

/**
 * The identifier that the camera wrote into every file of one shot, or that of its burst (`burst:…`), or null. `makerNote` are the bytes of the EXIF tag, `xmp` is the text of the
 * file's XMP.
 */
export function shotIdOf(makerNote: unknown, xmp: string | undefined): string | null {
  const note = Array.isArray(makerNote) ? Uint8Array.from(makerNote) : null
  const apple = note && appleTags(note)
  const shot = apple?.get(CONTENT) ?? idInXmp(xmp, 'ContentIdentifier')
  if (shot) return shot
  // `BurstID` is Google's.
  const burst = apple?.get(BURST) ?? idInXmp(xmp, 'BurstID')
  return burst ? burstId(burst) : null
}

/** Texts of up to 100 characters in Apple's maker notes, by tag. Their positions count from the first byte of the notes. */
function appleTags(note: Uint8Array<ArrayBuffer>): Map<number, string> {
  const tags = new Map<number, string>()
  const latin1 = new TextDecoder('latin1')
  if (latin1.decode(note.subarray(0, APPLE.length)) !== APPLE || note.length < 16) return tags
  const view = new DataView(note.buffer)
  const little = latin1.decode(note.subarray(12, 14)) === 'II'
  const count = view.getUint16(14, little)
  for (let at = 16; at + 12 <= note.length && at < 16 + 12 * count; at += 12) {
    const length = view.getUint32(at + 4, little)
    if (view.getUint16(at + 2, little) !== ASCII || length > 101) continue
    const start = length > 4 ? view.getUint32(at + 8, little) : at + 8
    const text = latin1
      .decode(note.subarray(start, start + length))
      .replace(/\0.*$/s, '')
      .trim()
    if (text) tags.set(view.getUint16(at, little), text)
  }
  return tags
}

/** As an attribute or an element, with any prefix. */
function idInXmp(xmp: string | undefined, name: string): string | null {
  return new RegExp(`[\\s:<]${name}(?:\\s*=\\s*["']|>)\\s*([\\w.-]{8,100})\\s*["'<]`).exec(xmp ?? '')?.[1] ?? null
}
