import { boxPatches } from './boxes.ts'
import { gifPatches } from './gif.ts'
import { jpegPatches } from './jpeg.ts'
import { matroskaPatches } from './matroska.ts'
import { ordered, type Patch } from './patches.ts'
import { pngPatches } from './png.ts'
import { type Source, Uncleanable } from './source.ts'
import { webpPatches } from './webp.ts'

const CLEANERS: readonly [RegExp, (source: Source) => Promise<Patch[]>][] = [
  [/^image\/jpeg$/, jpegPatches],
  [/^image\/(png|apng)$/, pngPatches],
  [/^image\/webp$/, webpPatches],
  [/^image\/gif$/, gifPatches],
  [/^image\/(hei[cf](-sequence)?|avif)$/, boxPatches],
  [/^(video\/(mp4|quicktime|x-m4v|3gpp)|audio\/(mp4|x-m4a))$/, boxPatches],
  [/^(video|audio)\/(webm|x-matroska)$/, matroskaPatches],
]

/**
 * What has to be written over the bytes of a file so that they tell no place, in order of their offsets. `type` is what its bytes are. Throws
 * Uncleanable.
 */
export async function placePatches(source: Source, type: string): Promise<Patch[]> {
  const cleaner = CLEANERS.find(([pattern]) => pattern.test(type))?.[1]
  if (!cleaner) throw new Uncleanable('kind')
  try {
    return ordered(await cleaner(source), source.size)
  } catch (error) {
    // Numbers in a damaged file that lead outside of it.
    throw error instanceof RangeError ? new Uncleanable() : error
  }
}
