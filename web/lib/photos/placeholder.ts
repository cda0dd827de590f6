import { thumbHashToAverageRGBA } from 'thumbhash'
import { thumbHashPicture } from './thumbhash-image.ts'

/** More than a few screens; the oldest is dropped. */
const KEPT = 1500
const made = new Map<string, string>()

/** A blurred picture as a data URL from a base64 thumbhash, or undefined for none or a broken one. */
export function placeholderOf(thumbhash: string | null): string | undefined {
  if (!thumbhash) return undefined
  const known = made.get(thumbhash)
  if (known) return known
  try {
    const url = thumbHashPicture(bytesOf(thumbhash))
    if (made.size >= KEPT) made.delete(made.keys().next().value ?? '')
    made.set(thumbhash, url)
    return url
  } catch {
    return undefined
  }
}

/** What all of a picture is on average, as a CSS colour, or undefined for none or a broken hash. */
export function colorOf(thumbhash: string | null): string | undefined {
  if (!thumbhash) return undefined
  try {
    const { r, g, b } = thumbHashToAverageRGBA(bytesOf(thumbhash))
    return `rgb(${[r, g, b].map((part) => Math.round(part * 255)).join(' ')})`
  } catch {
    return undefined
  }
}

function bytesOf(thumbhash: string): Uint8Array {
  return Uint8Array.from(atob(thumbhash), (c) => c.charCodeAt(0))
}
