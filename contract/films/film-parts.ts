/** A film on this device, which a Blob is, or one on the server. */
export interface FilmFile {
  /** In bytes. */
  size: number
  slice(from: number, to: number): { arrayBuffer(): Promise<ArrayBuffer> }
}

/** A part of a file: a box of MP4 and QuickTime, or an element of Matroska. In bytes; `from` and `to` hold its content. */
export interface Part {
  name: number
  from: number
  to: number
}

/** What the first bytes of a part say: its name, how long this header is, and how many bytes follow it. Null if they are no header. */
type Header = (start: DataView) => { name: number; header: number; size: number } | null

/** The longest header of a part. */
const HEADER = 16
/** A damaged file may have no end of empty parts. */
const MAX_PARTS = 10_000

/** A box's name as the number that it is in the file. */
export const boxName = (name: string) => [...name].reduce((number, letter) => number * 256 + letter.charCodeAt(0), 0)

/** The parts that lie one after the other in another one. */
export async function* partsOf(file: FilmFile, headerOf: Header, within: Pick<Part, 'from' | 'to'>): AsyncGenerator<Part> {
  let at = within.from
  for (let parts = 0; parts < MAX_PARTS && at < within.to; parts++) {
    const found = headerOf(await readBytes(file, at, HEADER))
    if (!found) return
    const from = at + found.header
    at = Math.min(from + found.size, within.to)
    yield { name: found.name, from, to: at }
  }
}

/** The first part of this name in another one. */
export async function findPart(file: FilmFile, headerOf: Header, name: number, within: Pick<Part, 'from' | 'to'>): Promise<Part | null> {
  for await (const part of partsOf(file, headerOf, within)) if (part.name === name) return part
  return null
}

export function boxHeader(start: DataView) {
  const short = start.getUint32(0)
  const header = short === 1 ? 16 : 8
  // Zero: to the end of the file.
  const whole = short === 0 ? Number.POSITIVE_INFINITY : short === 1 ? Number(start.getBigUint64(8)) : short
  return whole < header ? null : { name: start.getUint32(4), header, size: whole - header }
}

/** Both numbers of an element begin with as many zero bits as they have further bytes. The name keeps the bit that ends these, the size does not. */
export function elementHeader(start: DataView) {
  const nameLength = Math.clz32(start.getUint8(0)) - 23
  if (nameLength > 4) return null
  let name = 0
  for (let i = 0; i < nameLength; i++) name = name * 256 + start.getUint8(i)
  const sizeLength = Math.clz32(start.getUint8(nameLength)) - 23
  if (sizeLength > 8) return null
  let size = start.getUint8(nameLength) - 2 ** (8 - sizeLength)
  for (let i = 1; i < sizeLength; i++) size = size * 256 + start.getUint8(nameLength + i)
  const unknown = size === 2 ** (7 * sizeLength) - 1
  return { name, header: nameLength + sizeLength, size: unknown ? Number.POSITIVE_INFINITY : size }
}

/** `length` bytes from `at`; zeros after the end of the file. */
export async function readBytes(file: FilmFile, at: number, length: number): Promise<DataView> {
  const bytes = new Uint8Array(length)
  bytes.set(new Uint8Array(await file.slice(at, at + length).arrayBuffer()))
  return new DataView(bytes.buffer)
}
