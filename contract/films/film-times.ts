import { boxHeader, boxName, elementHeader, type FilmFile, findPart, type Part, readBytes } from './film-parts.ts'

/** When a film was made, in ms since 1970, and how long it is, in seconds. Null for what its container's header does not say. */
export interface FilmTimes {
  clock: number | null
  duration: number | null
}

const NONE: FilmTimes = { clock: null, duration: null }

/** Seconds from 1904, where the clock of QuickTime begins, to 1970. */
const SINCE_1904 = 2_082_844_800

const [MOOV, MVHD] = [boxName('moov'), boxName('mvhd')]
const [EBML, SEGMENT, INFO, DATE_UTC, TIMESTAMP_SCALE, DURATION] = [0x1a45dfa3, 0x18538067, 0x1549a966, 0x4461, 0x2ad7b1, 0x4489]

/**
 * Reads `mvhd` of MP4 and QuickTime, `DateUTC` and `Duration` of Matroska and WebM. Their clocks are in UTC. Only headers are read, however large the film
 * is. Films in pieces do not say how long they are.
 */
export async function readTimes(file: FilmFile): Promise<FilmTimes> {
  const start = await readBytes(file, 0, 4)
  return start.getUint32(0) === EBML ? matroskaTimes(file) : movieTimes(file)
}

async function movieTimes(file: FilmFile): Promise<FilmTimes> {
  const moov = await findPart(file, boxHeader, MOOV, { from: 0, to: file.size })
  const mvhd = moov && (await findPart(file, boxHeader, MVHD, moov))
  if (!mvhd) return NONE
  const view = await readBytes(file, mvhd.from, 32)
  const wide = view.getUint8(0) === 1
  const seconds = wide ? Number(view.getBigUint64(4)) : view.getUint32(4)
  const [scale, units] = wide ? [view.getUint32(20), Number(view.getBigUint64(24))] : [view.getUint32(12), view.getUint32(16)]
  // Some devices count from 1970; no film has been made in this format before.
  const clock = seconds === 0 ? null : (seconds < SINCE_1904 ? seconds : seconds - SINCE_1904) * 1000
  return { clock, duration: secondsOf(units / scale) }
}

async function matroskaTimes(file: FilmFile): Promise<FilmTimes> {
  const segment = await findPart(file, elementHeader, SEGMENT, { from: 0, to: file.size })
  const info = segment && (await findPart(file, elementHeader, INFO, segment))
  if (!info) return NONE
  const [date, scale, duration] = [
    await findPart(file, elementHeader, DATE_UTC, info),
    await findPart(file, elementHeader, TIMESTAMP_SCALE, info),
    await findPart(file, elementHeader, DURATION, info),
  ]
  const nanoseconds = date && lengthOf(date) === 8 ? (await readBytes(file, date.from, 8)).getBigInt64(0) : null
  const units = duration && (await readFloat(file, duration))
  return {
    clock: nanoseconds === null ? null : Date.UTC(2001, 0, 1) + Number(nanoseconds / 1_000_000n),
    duration: units === null ? null : secondsOf((units * (scale ? await readInteger(file, scale) : 1_000_000)) / 1e9),
  }
}

const lengthOf = ({ from, to }: Part) => to - from

async function readFloat(file: FilmFile, part: Part): Promise<number | null> {
  const view = await readBytes(file, part.from, 8)
  return lengthOf(part) === 8 ? view.getFloat64(0) : lengthOf(part) === 4 ? view.getFloat32(0) : null
}

async function readInteger(file: FilmFile, part: Part): Promise<number> {
  const view = await readBytes(file, part.from, Math.min(lengthOf(part), 8))
  return Array.from({ length: view.byteLength }, (_, i) => view.getUint8(i)).reduce((number, byte) => number * 256 + byte, 0)
}

/** To the millisecond. Null for no length, and for one that no asset may have. */
export function secondsOf(seconds: number): number | null {
  return seconds > 0 && seconds <= 10_000_000 ? Math.round(seconds * 1000) / 1000 : null
}
