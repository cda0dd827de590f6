import { UnreadableError } from './types.ts'

/** A file as the directory at the end of a ZIP tells of it. Sizes in bytes. */
export interface DirectoryEntry {
  name: string
  method: number
  encrypted: boolean
  /** A symbolic link. */
  link: boolean
  packed: number
  size: number
  /** Where its header begins. */
  start: number
  modified: number | null
}

const END = 22
const END64 = 56
const LOCATOR = 20
/** The comment behind the end has at most this length. */
const MOST_COMMENT = 0xffff
const ENTRY = 46
/** Of a directory of a million files with long names. */
const MOST_DIRECTORY = 512 * 1024 * 1024
const MANY_BYTES = 0xffffffff
const MANY_FILES = 0xffff

/** APPNOTE 6.3.10, ZIP64 included. Throws UnreadableError. */
export async function readDirectory(zip: Blob): Promise<DirectoryEntry[]> {
  const tailAt = Math.max(0, zip.size - END - MOST_COMMENT - LOCATOR)
  const tail = new DataView(await zip.slice(tailAt).arrayBuffer())
  const end = lastEnd(tail)
  if (end < 0) throw new UnreadableError('This is not a ZIP, or its end is missing. Download it again')
  const where = (await zip64End(zip, tail, end)) ?? {
    count: tail.getUint16(end + 10, true),
    length: tail.getUint32(end + 12, true),
    start: tail.getUint32(end + 16, true),
    at: tailAt + end,
  }
  if (where.length > MOST_DIRECTORY) throw new UnreadableError('This ZIP holds more files than can be imported')
  // Something may stand before the archive, such as a program that unpacks it.
  const shift = where.at - where.length - where.start
  if (shift < 0 || where.start + shift + where.length > zip.size) throw new UnreadableError('This ZIP is cut off. Download it again')
  const directory = new DataView(await zip.slice(where.start + shift, where.start + shift + where.length).arrayBuffer())
  return entriesOf(directory, where.count, shift)
}

function lastEnd(tail: DataView): number {
  for (let at = tail.byteLength - END; at >= 0; at--) if (tail.getUint32(at, true) === 0x06054b50) return at
  return -1
}

interface Where {
  count: number
  length: number
  start: number
  /** Where the record itself begins: right behind the directory. */
  at: number
}

async function zip64End(zip: Blob, tail: DataView, end: number): Promise<Where | null> {
  const needed =
    tail.getUint16(end + 10, true) === MANY_FILES ||
    tail.getUint32(end + 12, true) === MANY_BYTES ||
    tail.getUint32(end + 16, true) === MANY_BYTES
  const locator = end - LOCATOR
  if (!needed || locator < 0 || tail.getUint32(locator, true) !== 0x07064b50) return null
  const at = Number(tail.getBigUint64(locator + 8, true))
  const record = new DataView(await zip.slice(at, at + END64).arrayBuffer())
  if (record.byteLength < END64 || record.getUint32(0, true) !== 0x06064b50) return null
  const big = (offset: number) => Number(record.getBigUint64(offset, true))
  return { count: big(32), length: big(40), start: big(48), at }
}

function entriesOf(directory: DataView, count: number, shift: number): DirectoryEntry[] {
  const entries: DirectoryEntry[] = []
  for (let at = 0, n = 0; n < count; n++) {
    if (at + ENTRY > directory.byteLength || directory.getUint32(at, true) !== 0x02014b50)
      throw new UnreadableError('The directory of this ZIP is damaged. Download it again')
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) => directory.getUint16(at + field, true)) as [
      number,
      number,
      number,
    ]
    const next = at + ENTRY + nameLength + extraLength + commentLength
    if (next > directory.byteLength) throw new UnreadableError('The directory of this ZIP is damaged. Download it again')
    entries.push(entryAt(directory, at, { nameLength, extraLength, shift }))
    at = next
  }
  return entries
}

function entryAt(
  directory: DataView,
  at: number,
  { nameLength, extraLength, shift }: Record<'nameLength' | 'extraLength' | 'shift', number>,
) {
  const flags = directory.getUint16(at + 8, true)
  const bytes = (from: number, length: number) => new Uint8Array(directory.buffer, directory.byteOffset + from, length)
  const extra = extraFields(directory, at + ENTRY + nameLength, extraLength)
  let [packed, size, start] = [20, 24, 42].map((field) => directory.getUint32(at + field, true)) as [number, number, number]
  // The fields of 64 bits stand in this order, each only where the old one is full.
  const wide = extra.get(1)
  let read = 0
  const big = () => {
    const at = read
    read += 8
    return wide && read <= wide.byteLength ? Number(wide.getBigUint64(at, true)) : Number.NaN
  }
  if (size === MANY_BYTES) size = big()
  if (packed === MANY_BYTES) packed = big()
  if (start === MANY_BYTES) start = big()
  if ([size, packed, start].some(Number.isNaN)) throw new UnreadableError('The directory of this ZIP is damaged. Download it again')
  const unix = directory.getUint16(at + 4, true) >> 8 === 3
  return {
    name: nameOf(bytes(at + ENTRY, nameLength), (flags & 0x800) !== 0),
    method: directory.getUint16(at + 10, true),
    encrypted: (flags & 1) !== 0,
    link: unix && directory.getUint32(at + 38, true) >>> 28 === 0xa,
    packed,
    size,
    start: start + shift,
    modified: modifiedOf(directory.getUint16(at + 14, true), directory.getUint16(at + 12, true)),
  }
}

function extraFields(directory: DataView, from: number, length: number): Map<number, DataView> {
  const fields = new Map<number, DataView>()
  for (let at = from; at + 4 <= from + length; ) {
    const size = directory.getUint16(at + 2, true)
    if (at + 4 + size > from + length) break
    fields.set(directory.getUint16(at, true), new DataView(directory.buffer, directory.byteOffset + at + 4, size))
    at += 4 + size
  }
  return fields
}

/** Most programs write UTF-8 even where they do not say so; what is none is from an old Windows. */
function nameOf(bytes: Uint8Array, utf8: boolean): string {
  try {
    return new TextDecoder('utf-8', { fatal: !utf8 }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

function modifiedOf(day: number, clock: number): number | null {
  if (day === 0) return null
  return new Date(1980 + (day >> 9), ((day >> 5) & 15) - 1, day & 31, clock >> 11, (clock >> 5) & 63, (clock & 31) * 2).getTime()
}
