import { thumbHashToAverageRGBA } from 'thumbhash'
import { thumbHashImage } from './thumbhash-image.ts'

/** Number of placeholders kept, enough for a few screens; the oldest is dropped. */
const KEPT = 1500
const made = new Map<string, string>()

/** A blurred preview as a data URL from a base64 thumbhash; undefined if it is missing or invalid. */
export function placeholderOf(thumbhash: string | null): string | undefined {
  if (!thumbhash) return undefined
  const known = made.get(thumbhash)
  if (known) return known
  try {
    const url = thumbHashImage(bytesOf(thumbhash))
    if (made.size >= KEPT) made.delete(made.keys().next().value ?? '')
    made.set(thumbhash, url)
    return url
  } catch {
    return undefined
  }
}

/** Average colour of a photo as CSS, from its thumbhash; undefined if it is missing or invalid. */
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
