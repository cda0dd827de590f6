import { joinBytes } from '../../../contract/bytes.ts'
import { crc32 } from '../../../contract/crc32.ts'

export interface ZipEntry {
  /** With `/` between folders. */
  name: string
  modified: Date
  /** Bytes, if known; must be exact. Without it, the entry may have at most 4 GiB. */
  size?: number
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

const encoder = new TextEncoder()
/** Maximum of the 32-bit and 16-bit fields, which then refers to the ZIP64 fields. */
const MAX_UINT32 = 0xffffffff
const MAX_UINT16 = 0xffff
/** Sizes and CRC are in a data descriptor after the bytes; names are UTF-8. */
const FLAGS = 0x0808
const VERSION_DEFAULT = 20
const VERSION_ZIP64 = 45
const UNIX = 3 << 8
/** A regular file, mode 644. */
const UNIX_MODE = 0o100644 * 0x10000

/**
 * Streams a ZIP (APPNOTE 6.3.10) without compression, with data descriptors, and ZIP64 where necessary. Only the central directory is kept in
 * memory.
 */
export async function* writeZip(entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const directory: Uint8Array[] = []
  let at = 0
  for await (const { name, modified, size: known, bytes } of entries) {
    const file = { name: encoder.encode(name), time: dosTime(modified), large: (known ?? 0) >= MAX_UINT32, start: at, size: 0, crc: 0 }
    const head = localHeader(file)
    yield head
    for await (const chunk of bytes) {
      file.crc = crc32(chunk, file.crc)
      file.size += chunk.length
      yield chunk
    }
    if (known === undefined ? file.size >= MAX_UINT32 : file.size !== known) throw new Error(`${name} has ${file.size} bytes, not ${known}`)
    const tail = descriptor(file)
    yield tail
    at += head.length + file.size + tail.length
    directory.push(directoryEntry(file))
  }
  yield* directory
  yield end(
    directory.length,
    directory.reduce((sum, { length }) => sum + length, 0),
    at,
  )
}

interface Written {
  name: Uint8Array
  time: number
  large: boolean
  start: number
  size: number
  crc: number
}

type Field = [bytes: 2 | 4 | 8, value: number]

/** Concatenates numbers, little-endian. */
function record(...fields: Field[]): Uint8Array {
  const bytes = new Uint8Array(fields.reduce((sum, [width]) => sum + width, 0))
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const [width, value] of fields) {
    if (width === 2) view.setUint16(at, value, true)
    else if (width === 4) view.setUint32(at, value, true)
    else view.setBigUint64(at, BigInt(value), true)
    at += width
  }
  return bytes
}

function localHeader({ name, time, large }: Written): Uint8Array {
  // With this extra field, the sizes in the data descriptor have eight bytes each.
  const extra = large ? record([2, 1], [2, 16], [8, 0], [8, 0]) : record()
  const size: Field = [4, large ? MAX_UINT32 : 0]
  const fixed: Field[] = [
    [4, 0x04034b50],
    [2, large ? VERSION_ZIP64 : VERSION_DEFAULT],
    [2, FLAGS],
    [2, 0],
    [4, time],
    [4, 0],
  ]
  return joinBytes([record(...fixed, size, size, [2, name.length], [2, extra.length]), name, extra])
}

function descriptor({ crc, size, large }: Written): Uint8Array {
  const width = large ? 8 : 4
  return record([4, 0x08074b50], [4, crc], [width, size], [width, size])
}

function directoryEntry({ name, time, crc, size, start }: Written): Uint8Array {
  const wide: Field[] = [
    ...(size >= MAX_UINT32
      ? ([
          [8, size],
          [8, size],
        ] as Field[])
      : []),
    ...(start >= MAX_UINT32 ? ([[8, start]] as Field[]) : []),
  ]
  const extra = wide.length > 0 ? record([2, 1], [2, wide.length * 8], ...wide) : record()
  const version = wide.length > 0 ? VERSION_ZIP64 : VERSION_DEFAULT
  const short: Field = [4, Math.min(size, MAX_UINT32)]
  return joinBytes([
    record(
      ...([[4, 0x02014b50], [2, UNIX | version], [2, version], [2, FLAGS], [2, 0], [4, time], [4, crc], short, short] as Field[]),
      ...([
        [2, name.length],
        [2, extra.length],
        [2, 0],
        [2, 0],
        [2, 0],
        [4, UNIX_MODE],
        [4, Math.min(start, MAX_UINT32)],
      ] as Field[]),
    ),
    name,
    extra,
  ])
}

function end(count: number, length: number, at: number): Uint8Array {
  const plain = record(
    ...([
      [4, 0x06054b50],
      [2, 0],
      [2, 0],
      [2, Math.min(count, MAX_UINT16)],
      [2, Math.min(count, MAX_UINT16)],
    ] as Field[]),
    ...([
      [4, Math.min(length, MAX_UINT32)],
      [4, Math.min(at, MAX_UINT32)],
      [2, 0],
    ] as Field[]),
  )
  if (count < MAX_UINT16 && length < MAX_UINT32 && at < MAX_UINT32) return plain
  return joinBytes([
    record(
      ...([
        [4, 0x06064b50],
        [8, 44],
        [2, UNIX | VERSION_ZIP64],
        [2, VERSION_ZIP64],
        [4, 0],
        [4, 0],
      ] as Field[]),
      ...([
        [8, count],
        [8, count],
        [8, length],
        [8, at],
      ] as Field[]),
    ),
    record([4, 0x07064b50], [4, 0], [8, at + length], [4, 1]),
    plain,
  ])
}

/** Date and time in steps of two seconds, from 1980 to 2107. UTC, because the field has no time zone. */
function dosTime(moment: Date): number {
  const year = moment.getUTCFullYear()
  if (year < 1980 || Number.isNaN(year)) return dosTime(new Date('1980-01-01T00:00:00Z'))
  if (year > 2107) return dosTime(new Date('2107-12-31T23:59:58Z'))
  const day = ((year - 1980) << 9) | ((moment.getUTCMonth() + 1) << 5) | moment.getUTCDate()
  const clock = (moment.getUTCHours() << 11) | (moment.getUTCMinutes() << 5) | (moment.getUTCSeconds() >> 1)
  return day * 0x10000 + clock
}
