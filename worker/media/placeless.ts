import { type Said, say } from '#language'
import { msg, t } from '#say'
import { forbidden, notFound } from '../http/errors.ts'
import { placePatches } from './clean/clean.ts'
import type { Patch } from './clean/patches.ts'
import { inBlocks, Uncleanable } from './clean/source.ts'
import { withStorage } from './storage.ts'

interface StoredBytes {
  key: string
  type: string
  size: number
}

/**
 * Patches by the key of a file, whose bytes never change. Players ask for a film in many ranges, and each would have its tables read anew. Patches are of
 * the bytes, so whoever is allowed to may use them.
 */
const remembered = new Map<string, Patch[]>()
const MAX_REMEMBERED = { files: 100, patches: 2_000, bytes: 256 * 1024 }

/**
 * What has to be written over a stored file for a caller from whom its place is hidden. Throws 403 with the reason if it cannot be removed with certainty, and 503
 * without the storage.
 */
export async function placelessPatches(bucket: R2Bucket, { key, type, size }: StoredBytes): Promise<Patch[]> {
  const known = remembered.get(key)
  if (known) return known
  try {
    const patches = await placePatches(
      inBlocks(size, (offset, length) => load(bucket, key, { offset, length })),
      type,
    )
    remember(key, patches)
    return patches
  } catch (error) {
    if (!(error instanceof Uncleanable)) throw error
    throw forbidden(refusalOf(error, type))
  }
}

async function load(bucket: R2Bucket, key: string, range: { offset: number; length: number }): Promise<Uint8Array> {
  const bytes = await withStorage(async () => {
    const object = await bucket.get(key, { range })
    return object && new Uint8Array(await object.arrayBuffer())
  })
  if (!bytes) throw notFound(t`The file was not found`)
  return bytes
}

function remember(key: string, patches: Patch[]): void {
  const bytes = patches.reduce((sum, { value }) => sum + (typeof value === 'number' ? 0 : value.length), 0)
  if (patches.length > MAX_REMEMBERED.patches || bytes > MAX_REMEMBERED.bytes) return
  for (const oldest of remembered.keys()) {
    if (remembered.size < MAX_REMEMBERED.files) break
    remembered.delete(oldest)
  }
  // Values of patches are parts of larger buffers.
  remembered.set(
    key,
    patches.map((patch) => (typeof patch.value === 'number' ? patch : { ...patch, value: patch.value.slice() })),
  )
}

/** Where nothing else names the kind of a file. */
const KINDS: readonly [RegExp, Said][] = [
  [/^image\/tiff$/, msg({ message: 'from a TIFF', comment: '“the place could not be removed from a TIFF”' })],
  [/^image\/(x-|dng)/, msg({ message: 'from a raw photo', comment: '“the place could not be removed from a raw photo”' })],
  [/^image\/jxl$/, msg({ message: 'from a JPEG XL', comment: '“the place could not be removed from a JPEG XL”' })],
  [/pdf$/, msg({ message: 'from a PDF', comment: '“the place could not be removed from a PDF”' })],
  [/gpx|kml/, msg({ message: 'from a track', comment: '“the place could not be removed from a track”' })],
  [/^image\//, msg({ message: 'from a picture of this kind', comment: '“the place could not be removed from a picture of this kind”' })],
  [/^video\//, msg({ message: 'from a film of this kind', comment: '“the place could not be removed from a film of this kind”' })],
  [
    /^audio\//,
    msg({ message: 'from a recording of this kind', comment: '“the place could not be removed from a recording of this kind”' }),
  ],
]

function refusalOf({ reason }: Uncleanable, type: string): string {
  if (reason === 'broken')
    return t`You may not see where this file was made, and the place could not be removed because the file is damaged. Ask an admin or the author for it.`
  const kind = KINDS.find(([pattern]) => pattern.test(type))?.[1]
  const from = kind
    ? say(kind)
    : t({ message: 'from a file of this kind', comment: '“the place could not be removed from a file of this kind”' })
  return t`You may not see where this file was made, and the place could not be removed ${from}. Ask an admin or the author for it.`
}
