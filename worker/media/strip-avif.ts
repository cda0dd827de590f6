import { brokenImage, fourCc, view } from './image-bytes.ts'

const NOT_NEEDED = /Exif|mime|uri |http:\/\/ns\.adobe\.com/
const latin1 = new TextDecoder('latin1')

/**
 * Returns an AVIF unchanged, or throws if it has metadata. They are items in `meta` that point into `mdat`: removing them would move all other
 * offsets. Browsers write none, so such a rendition is refused.
 */
export function checkAvif(bytes: Uint8Array): Uint8Array {
  const boxes = new Map<string, Uint8Array>()
  for (let at = 0; at < bytes.length; ) {
    if (at + 8 > bytes.length) throw brokenImage()
    const size = view(bytes).getUint32(at)
    const name = fourCc(bytes, at + 4)
    if (size < 8 || at + size > bytes.length || !/^(ftyp|meta|mdat)$/.test(name) || boxes.has(name)) throw brokenImage()
    boxes.set(name, bytes.subarray(at, at + size))
    at += size
  }
  const meta = boxes.get('meta')
  if (!meta || !boxes.has('mdat')) throw brokenImage()
  if (NOT_NEEDED.test(latin1.decode(meta)) || latin1.decode(boxes.get('mdat')).includes('Exif\0\0')) throw brokenImage()
  return bytes
}
