import { boxHeader, boxName, elementHeader, type FilmFile, findPart, readBytes } from './film-parts.ts'

/** Seconds from 1904, where the clock of QuickTime begins, to 1970. */
const SINCE_1904 = 2_082_844_800

const [MOOV, MVHD] = [boxName('moov'), boxName('mvhd')]
const [EBML, SEGMENT, INFO, DATE_UTC] = [0x1a45dfa3, 0x18538067, 0x1549a966, 0x4461]

/**
 * When a film was made, in ms since 1970, as its container's header says: `mvhd` of MP4 and QuickTime, `DateUTC` of Matroska and WebM. Both
 * are in UTC. Null if there is none. Only headers are read, however large the film is.
 */
export async function readClock(file: FilmFile): Promise<number | null> {
  const start = await readBytes(file, 0, 4)
  return start.getUint32(0) === EBML ? matroskaClock(file) : movieClock(file)
}

async function movieClock(file: FilmFile): Promise<number | null> {
  const moov = await findPart(file, boxHeader, MOOV, { from: 0, to: file.size })
  const mvhd = moov && (await findPart(file, boxHeader, MVHD, moov))
  if (!mvhd) return null
  const view = await readBytes(file, mvhd.from, 12)
  const seconds = view.getUint8(0) === 1 ? Number(view.getBigUint64(4)) : view.getUint32(4)
  if (seconds === 0) return null
  // Some devices count from 1970; no film has been made in this format before.
  return (seconds < SINCE_1904 ? seconds : seconds - SINCE_1904) * 1000
}

async function matroskaClock(file: FilmFile): Promise<number | null> {
  const segment = await findPart(file, elementHeader, SEGMENT, { from: 0, to: file.size })
  const info = segment && (await findPart(file, elementHeader, INFO, segment))
  const date = info && (await findPart(file, elementHeader, DATE_UTC, info))
  if (date?.to !== (date?.from ?? 0) + 8) return null
  const nanoseconds = (await readBytes(file, date.from, 8)).getBigInt64(0)
  return Date.UTC(2001, 0, 1) + Number(nanoseconds / 1_000_000n)
}
