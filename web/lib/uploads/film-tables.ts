import { boxHeader, boxName, type FilmFile, findPart, type Part, partsOf, readBytes } from '../../../contract/films/film-parts.ts'

/** Ten hours at 60 pictures a second. */
const MOST_PICTURES = 2_160_000
/** Bytes of a table with an entry for each of them. */
const LONGEST_TABLE = 12 * (MOST_PICTURES + 1)

const [MOOV, STTS, CTTS, STSC] = [boxName('moov'), boxName('stts'), boxName('ctts'), boxName('stsc')]
const CONTAINERS = new Set(['trak', 'mdia', 'minf', 'stbl'].map(boxName))

/**
 * False for MP4 and QuickTime whose tables say that there are billions of pictures: they are damaged. Mediabunny goes through all of them and
 * makes a list, which takes minutes, or so much memory that the browser ends the page.
 */
export async function areTablesSound(file: FilmFile): Promise<boolean> {
  const moov = await findPart(file, boxHeader, MOOV, { from: 0, to: file.size })
  return !moov || isSound(file, moov)
}

async function isSound(file: FilmFile, within: Part, depth = 0): Promise<boolean> {
  if (depth > CONTAINERS.size) return false
  const tables = new Map<number, Part>()
  for await (const box of partsOf(file, boxHeader, within)) {
    if (CONTAINERS.has(box.name) && !(await isSound(file, box, depth + 1))) return false
    tables.set(box.name, box)
  }
  const chunks = tables.get(STSC)
  if (chunks && (await countsOf(file, chunks, 12, 4)).some((count) => count > MOST_PICTURES)) return false
  // Without `ctts` there is no list: sound often has a time for each of 48,000 values a second.
  for (const name of tables.has(CTTS) ? [STTS, CTTS] : []) {
    const counts = await countsOf(file, tables.get(name), 8, 0)
    if (counts.reduce((sum, count) => sum + count, 0) > MOST_PICTURES) return false
  }
  return true
}

/** The numbers at an offset in each entry of a table. The entries come after its version and their number (8 bytes). */
async function countsOf(file: FilmFile, table: Part | undefined, size: number, offset: number): Promise<number[]> {
  if (!table) return []
  const length = table.to - table.from
  if (length > LONGEST_TABLE) return [Number.POSITIVE_INFINITY]
  const view = await readBytes(file, table.from, length)
  const entries = Math.max(0, Math.floor((length - 8) / size))
  return Array.from({ length: entries }, (_, i) => view.getUint32(8 + i * size + offset))
}
