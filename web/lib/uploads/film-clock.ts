/** A part of a file: a box of MP4 and QuickTime, or an element of Matroska. In bytes; `from` and `to` hold its content. */
interface Part {
  from: number
  to: number
}

/** What the first bytes of a part say: its name, how long this header is, and how many bytes follow it. Null if they are no header. */
type Header = (start: DataView) => { name: number; header: number; size: number } | null

/** The longest header of a part. */
const HEADER = 16
/** A damaged file may have no end of empty parts. */
const MOST_PARTS = 10_000

/** Seconds from 1904, where the clock of QuickTime begins, to 1970. */
const SINCE_1904 = 2_082_844_800

const boxName = (name: string) => [...name].reduce((number, letter) => number * 256 + letter.charCodeAt(0), 0)
const [MOOV, MVHD] = [boxName('moov'), boxName('mvhd')]
const [EBML, SEGMENT, INFO, DATE_UTC] = [0x1a45dfa3, 0x18538067, 0x1549a966, 0x4461]

/**
 * When a film was made, in ms since 1970, as its container's header says: `mvhd` of MP4 and QuickTime, `DateUTC` of Matroska and WebM. Both
 * are in UTC. Null if there is none. Only headers are read, however large the film is.
 */
export async function readClock(file: Blob): Promise<number | null> {
  const start = await read(file, 0, HEADER)
  return start.getUint32(0) === EBML ? matroskaClock(file) : movieClock(file)
}

async function movieClock(file: Blob): Promise<number | null> {
  const moov = await find(file, boxHeader, MOOV, { from: 0, to: file.size })
  const mvhd = moov && (await find(file, boxHeader, MVHD, moov))
  if (!mvhd) return null
  const view = await read(file, mvhd.from, HEADER)
  const seconds = view.getUint8(0) === 1 ? Number(view.getBigUint64(4)) : view.getUint32(4)
  if (seconds === 0) return null
  // Some devices count from 1970; no film has been made in this format before.
  return (seconds < SINCE_1904 ? seconds : seconds - SINCE_1904) * 1000
}

async function matroskaClock(file: Blob): Promise<number | null> {
  const segment = await find(file, elementHeader, SEGMENT, { from: 0, to: file.size })
  const info = segment && (await find(file, elementHeader, INFO, segment))
  const date = info && (await find(file, elementHeader, DATE_UTC, info))
  if (date?.to !== (date?.from ?? 0) + 8) return null
  const nanoseconds = (await read(file, date.from, 8)).getBigInt64(0)
  return Date.UTC(2001, 0, 1) + Number(nanoseconds / 1_000_000n)
}

async function find(file: Blob, headerOf: Header, name: number, within: Part): Promise<Part | null> {
  let at = within.from
  for (let parts = 0; parts < MOST_PARTS && at < within.to; parts++) {
    const found = headerOf(await read(file, at, HEADER))
    if (!found) return null
    const from = at + found.header
    const to = Math.min(from + found.size, within.to)
    if (found.name === name) return { from, to }
    at = to
  }
  return null
}

function boxHeader(start: DataView) {
  const short = start.getUint32(0)
  const header = short === 1 ? 16 : 8
  // Zero: to the end of the file.
  const whole = short === 0 ? Number.POSITIVE_INFINITY : short === 1 ? Number(start.getBigUint64(8)) : short
  return whole < header ? null : { name: start.getUint32(4), header, size: whole - header }
}

/** Both numbers of an element begin with as many zero bits as they have further bytes. The name keeps the bit that ends these, the size does not. */
function elementHeader(start: DataView) {
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
async function read(file: Blob, at: number, length: number): Promise<DataView> {
  const bytes = new Uint8Array(length)
  bytes.set(new Uint8Array(await file.slice(at, at + length).arrayBuffer()))
  return new DataView(bytes.buffer)
}
