import type { Asset } from '../../contract/assets.ts'

/** Whether it is a motion photo: no other JPEG or HEIC has a length. */
export const hasFilm = ({ type, duration }: Pick<Asset, 'type' | 'duration'>) => (duration ?? 0) > 0 && /^image\/(?:jpeg|hei)/.test(type)

/** Bytes before which no film begins in a photo: HEIC begins as films do. */
const FIRST = 64
const FTYP = [0x66, 0x74, 0x79, 0x70] as const
/** Places where a film may begin, and boxes of one film, that are looked at: bytes can be made to look like many. */
const [STARTS, BOXES] = [50, 2_000]
const FILM_BRANDS = /^(?:isom|iso\d|mp4\d|avc1|hvc1|3gp\d|qt {2}|M4V )$/

const ascii = (view: DataView, at: number) => String.fromCharCode(...[0, 1, 2, 3].map((n) => view.getUint8(at + n)))

/**
 * Where the film of a motion photo is in its file (Google, Samsung, Xiaomi and others): an MP4 after the photo, or in a box of HEIC. Null without one. Found by
 * its first box, since makers tell its place in different ways, and some in none.
 */
export function findFilm(bytes: Uint8Array): { start: number; end: number } | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let starts = 0
  for (let at = bytes.indexOf(FTYP[0], FIRST); at >= 0 && at + 8 <= bytes.length && starts < STARTS; at = bytes.indexOf(FTYP[0], at + 1)) {
    if (!FTYP.every((byte, n) => bytes[at + n] === byte) || !FILM_BRANDS.test(ascii(view, at + 4))) continue
    starts++
    const end = endOfBoxes(view, at - 4)
    if (end !== null) return { start: at - 4, end }
  }
  return null
}

/** The end of the boxes from here on, or null if they are no film. Makers write their own data after it. */
function endOfBoxes(view: DataView, start: number): number | null {
  const seen = new Set<string>()
  let at = start
  for (let boxes = 0; boxes < BOXES && at + 8 <= view.byteLength; boxes++) {
    const [size, type] = [view.getUint32(at), ascii(view, at + 4)]
    const length = size === 0 ? view.byteLength - at : size === 1 && at + 16 <= view.byteLength ? Number(view.getBigUint64(at + 8)) : size
    if (!/^[ -~]{4}$/.test(type) || length < 8 || at + length > view.byteLength) break
    seen.add(type)
    at += length
  }
  return seen.has('moov') && (seen.has('mdat') || seen.has('moof')) ? at : null
}

/** Bytes of the largest photo that is read for its film, as when it was added (uploads/prepare.ts). Its length is what its sender says. */
const MAX_READ = 64 * 1024 * 1024

/** The film of a motion photo at this address, or null. Nothing for a request that was given up. */
export async function filmInPhoto(address: string, signal: AbortSignal): Promise<Blob | null> {
  try {
    const response = await fetch(address, { signal })
    const size = Number(response.headers.get('content-length') ?? Number.POSITIVE_INFINITY)
    if (!response.ok || size > MAX_READ) {
      await response.body?.cancel()
      return null
    }
    const bytes = new Uint8Array(await response.arrayBuffer())
    const found = findFilm(bytes)
    return found ? new Blob([bytes.subarray(found.start, found.end)], { type: 'video/mp4' }) : null
  } catch (error) {
    if (signal.aborted) return null
    throw error
  }
}
