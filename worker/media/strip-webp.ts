import { joinBytes } from '../../contract/bytes.ts'
import { brokenImage, fourCc, view } from './image-bytes.ts'

/** Chunks of a still image, each at most once. EXIF, XMP and unknown chunks are dropped; animations are refused. */
const NEEDED = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ICCP'])
const HAS_EXIF = 0x08
const HAS_XMP = 0x04

export function stripWebp(bytes: Uint8Array): Uint8Array {
  if (bytes.length < 20 || fourCc(bytes, 0) !== 'RIFF' || fourCc(bytes, 8) !== 'WEBP') throw brokenImage()
  const end = 8 + view(bytes).getUint32(4, true)
  if (end > bytes.length) throw brokenImage()
  const kept: Uint8Array[] = [bytes.slice(0, 12)]
  let at = 12
  while (at < end) {
    if (at + 8 > end) throw brokenImage()
    const size = view(bytes).getUint32(at + 4, true)
    const next = at + 8 + size + (size % 2)
    if (at + 8 + size > end) throw brokenImage()
    if (NEEDED.has(fourCc(bytes, at))) kept.push(bytes.slice(at, Math.min(next, end)))
    at = next
  }
  const names = kept.map((chunk) => fourCc(chunk, 0))
  if (new Set(names).size < names.length) throw brokenImage()
  if (!kept.some((chunk) => /^VP8[ L]$/.test(fourCc(chunk, 0)))) throw brokenImage()
  for (const chunk of kept) {
    if (fourCc(chunk, 0) === 'VP8X') chunk[8] = (chunk[8] ?? 0) & ~(HAS_EXIF | HAS_XMP)
  }
  const stripped = joinBytes(kept)
  view(stripped).setUint32(4, stripped.length - 8, true)
  return stripped
}
