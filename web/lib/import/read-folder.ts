import { fitAlt, momentOfWall } from '../../../contract/photos/fit.ts'
import { readXmp, type Sidecar } from '../../../contract/photos/xmp.ts'
import { localZone } from '../dates/zones.ts'
import { folderOf, keyOf, nameIn } from './paths.ts'
import { textOf, unstorable } from './sources.ts'
import type { Found, FoundFile, FoundFiles, PlannedAsset, ReadOptions, Refused } from './types.ts'

const MAX_SIDECAR = 4 * 1024 * 1024
/** Renditions that Immich makes, by user. */
const RENDITION = /^(.*\/|)(?:thumbs|encoded-video)\/[^/]+\/.*\.(?:webp|jpe?g|mp4)$/i
/** Files that Immich makes itself. Their folders lie beside those of the originals, `library` and `upload`. */
const IMMICH_OWN = /^(?:(?:thumbs|encoded-video|profile)\/[^/]+\/|backups\/[^/]+\.sql(?:\.gz)?$)/i

/**
 * Any folder or ZIP: every file is imported, with metadata from XMP sidecars. Covers exports of Apple Photos and Lightroom, and the library of
 * Immich.
 */
export async function readFolder({ files }: FoundFiles, title: string, { signal, onProgress }: ReadOptions) {
  const immich = immichIn(files)
  const wanted = files.filter((file) => !isXmp(file.path) && !immich.has(file))
  const sidecars = sidecarsIn(files)
  const refused: Refused[] = []
  const assets: PlannedAsset[] = []
  const names = namesOf(wanted)
  const people = new Map<string, string>()
  for (const [at, file] of wanted.entries()) {
    signal.throwIfAborted()
    onProgress(at / wanted.length)
    const name = names.get(file) ?? file.path
    const reason = unstorable(file)
    if (reason) {
      refused.push({ name, reason })
      continue
    }
    const sidecar = await sidecarOf(file, sidecars)
    for (const person of sidecar?.people ?? []) people.set(person, person)
    assets.push({ file, name, people: sidecar?.people ?? [], ...(sidecar && { overrides: overridesOf(sidecar) }) })
  }
  return { format: immich.size > 0 ? 'immich' : 'folder', title, assets, refused, people } satisfies Found
}

/** Files that Immich made itself, below folders that hold both originals and renditions of them. */
function immichIn(files: readonly FoundFile[]): Set<FoundFile> {
  const roots = new Map<string, { archive: string | undefined; root: string }>()
  for (const file of files) {
    const root = RENDITION.exec(file.path)?.[1]
    if (root !== undefined) roots.set(keyOf(file, root), { archive: file.archive, root })
  }
  const below = [...roots.values()].map(({ archive, root }) =>
    files.flatMap((file) => (file.archive === archive && file.path.startsWith(root) ? { file, path: file.path.slice(root.length) } : [])),
  )
  const libraries = below.filter((found) => found.some(({ path }) => /^(?:library|upload)\/[^/]+\//.test(path)))
  return new Set(libraries.flat().flatMap(({ file, path }) => (IMMICH_OWN.test(path) ? file : [])))
}

const isXmp = (path: string) => /\.xmp$/i.test(path)

/** By path in their archive, and by the same in lower case. */
function sidecarsIn(files: readonly FoundFile[]): Map<string, FoundFile> {
  const byKey = files.filter(({ path }) => isXmp(path)).map((file) => [keyOf(file, file.path), file] as const)
  return new Map([...byKey.map(([key, file]) => [key.toLowerCase(), file] as const), ...byKey])
}

/** `IMG.jpg.xmp`, or `IMG.xmp` as Apple Photos and Lightroom name it, for the film of a live photo as well. */
async function sidecarOf(photo: FoundFile, sidecars: ReadonlyMap<string, FoundFile>): Promise<Sidecar | null> {
  const paths = [`${photo.path}.xmp`, photo.path.replace(/\.[^./]+$/, '.xmp')]
  const keys = paths.map((path) => keyOf(photo, path)).flatMap((key) => [key, key.toLowerCase()])
  const file = keys.map((key) => sidecars.get(key)).find(Boolean)
  if (!file) return null
  const text = await textOf(file, MAX_SIDECAR).catch(() => null)
  return text === null ? null : readXmp(text)
}

function overridesOf({ date, wall, precision, location, description }: Sidecar): PlannedAsset['overrides'] {
  const zone = localZone()
  return {
    exactly: false,
    date: date ?? (wall && momentOfWall(wall, zone)),
    dateZone: wall && (date ? offsetOf(date) : zone),
    datePrecision: precision,
    ...(wall && !date && { wallClock: true }),
    location,
    alt: fitAlt(description),
  }
}

function offsetOf(moment: string): string {
  return /[+-]\d\d:\d\d$/.exec(moment)?.[0] ?? 'UTC'
}

/** Folders are not imported, but they distinguish files of the same name: `Rome – IMG_1.jpg`. */
function namesOf(files: readonly FoundFile[]): Map<FoundFile, string> {
  const count = new Map<string, number>()
  for (const { path } of files) count.set(nameIn(path), (count.get(nameIn(path)) ?? 0) + 1)
  return new Map(
    files.map((file) => {
      const [folder, name] = [nameIn(folderOf(file.path)), nameIn(file.path)]
      return [file, folder && (count.get(name) ?? 0) > 1 ? `${folder} – ${name}` : name]
    }),
  )
}
