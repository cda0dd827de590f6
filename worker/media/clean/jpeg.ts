import { boxPatches } from './boxes.ts'
import { fill, moved, type Patch } from './patches.ts'
import { cleanPicture } from './picture.ts'
import { read, type Source, Uncleanable, within } from './source.ts'

/** Scanned byte by byte: larger ones are no photos. */
const MAX_SIZE = 512 * 1024 * 1024
/** What looks like a further picture or film after the first one. */
const MAX_PARTS = 50

/**
 * Cleans a JPEG. After its end come more pictures (gain maps, previews) and films of motion photos, which are cleaned as such, and notes of the
 * camera, which become zero. Throws Uncleanable.
 */
export async function jpegPatches(source: Source): Promise<Patch[]> {
  if (source.size > MAX_SIZE) throw new Uncleanable('kind')
  const { patches, end } = await cleanPicture(source)
  const found = [patches]
  let zero = end
  for (let [at, parts] = [end, 0]; parts < MAX_PARTS; parts++) {
    const start = await nextPart(source, at)
    if (start === null) break
    const part = await partAt(source, start)
    at = part?.end ?? start + 5
    if (!part) continue
    found.push(fill([zero, start]), part.patches)
    zero = part.end
  }
  return [...found.flat(), ...fill([zero, source.size])]
}

/** A picture or film that begins here, or null if it only looks like one. */
async function partAt(source: Source, start: number): Promise<{ patches: Patch[]; end: number } | null> {
  const rest = within(source, start, source.size)
  try {
    const isPicture = (await read(source, start, 1))[0] === 0xff
    const { patches, end } = isPicture ? await cleanPicture(rest) : { patches: await boxPatches(rest), end: rest.size }
    return { patches: moved(patches, start), end: start + end }
  } catch (error) {
    if (error instanceof Uncleanable) return null
    throw error
  }
}

const PICTURE = [0xff, 0xd8, 0xff]
/** The type of a film's first box, after its size. */
const FILM = [0x66, 0x74, 0x79, 0x70]

/** Where the next picture or film may begin, or null. */
async function nextPart(source: Source, from: number): Promise<number | null> {
  for (let at = from; at + 12 <= source.size; ) {
    const block = await source.from(at)
    for (let i = 0; i < block.length; i++) {
      const pattern = block[i] === 0xff ? PICTURE : block[i] === 0x66 ? FILM : null
      if (!pattern || at + i + pattern.length > source.size) continue
      const start = pattern === FILM ? at + i - 4 : at + i
      // It may go on in the next block.
      const here = i + 4 <= block.length ? block.subarray(i, i + 4) : await read(source, at + i, pattern.length)
      if (start >= from && pattern.every((wanted, nth) => here[nth] === wanted)) return start
    }
    at += block.length
  }
  return null
}
