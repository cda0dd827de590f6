import { view } from '../image-bytes.ts'
import { fill, type Patch, replace } from './patches.ts'
import { bytesOf, read, type Source, textOf, Uncleanable } from './source.ts'

/** A box of an ISO base media file (MP4, QuickTime, HEIC, AVIF): its content is from `body` to `end`. */
export interface Box {
  type: string
  start: number
  body: number
  end: number
}

/** The box at `at`, or null if it is none, or does not end before `to`. */
export async function boxAt(source: Source, at: number, to: number): Promise<Box | null> {
  if (at + 8 > to) return null
  const head = view(await read(source, at, Math.min(16, to - at)))
  const type = textOf(await read(source, at + 4, 4))
  const short = head.getUint32(0)
  if (short === 1 && head.byteLength < 16) return null
  const size = short === 1 ? Number(head.getBigUint64(8)) : short === 0 ? to - at : short
  const body = at + (short === 1 ? 16 : 8)
  // The first character of types of QuickTime may be ©.
  if (!/^[\x20-\x7e\xa9]{4}$/.test(type) || size < body - at || size > to - at) return null
  return { type, start: at, body, end: at + size }
}

/** The boxes in a box. Throws Uncleanable if they do not fill it, but for some zeros, with which QuickTime ends lists. */
export async function boxesIn(source: Source, from: number, to: number): Promise<Box[]> {
  const boxes: Box[] = []
  for (let at = from; at < to; ) {
    const box = await boxAt(source, at, to)
    if (!box) {
      if (to - at <= 8 && (await read(source, at, to - at)).every((byte) => byte === 0)) break
      throw new Uncleanable()
    }
    boxes.push(box)
    at = box.end
  }
  return boxes
}

/** Turns a box into free space. */
export function free({ start, body, end }: Box): Patch[] {
  return [replace(start + 4, bytesOf('free')), ...fill([body, end])]
}

/** Empties the name in a `hdlr`; what it handles stays. */
export const freeName = ({ body, end }: Box) => fill([body + 24, end])

export const isFree = ({ type }: Box) => /^(free|skip|wide)$/.test(type)
