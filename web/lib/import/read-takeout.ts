import { LIMITS } from '../../../contract/limits.ts'
import { z } from '../../../contract/zod.ts'
import { localZone } from '../dates/zones.ts'
import { paragraphsOf } from '../sanitize.ts'
import { fitAlt, fitLine, fitLocation, fitText } from './fit.ts'
import { textOf, unstorable } from './sources.ts'
import { sidecarFinder } from './takeout-names.ts'
import type { Found, FoundFile, FoundFiles, PlannedAsset, PlannedPost, ReadOptions, Refused } from './types.ts'

const Moment = z.object({ timestamp: z.coerce.number() })
const Geo = z.object({ latitude: z.number(), longitude: z.number() })
const Sidecar = z.object({
  title: z.string(),
  description: z.string().optional(),
  photoTakenTime: Moment,
  geoData: Geo.optional(),
  geoDataExif: Geo.optional(),
  people: z.array(z.object({ name: z.string() })).optional(),
  trashed: z.boolean().optional(),
})
type Sidecar = z.infer<typeof Sidecar>

/** Metadata of an album, in a file whose name depends on the language. */
const Album = z.object({ title: z.string(), description: z.string().optional(), photoTakenTime: z.undefined().optional() })

const MAX_SIDECAR = 4 * 1024 * 1024
/** Folders of years, which are not albums. */
const YEAR = /\d{4}$/
const AT_ONCE = 16

/** Google Photos from Takeout: photos by year and by album, with a JSON file beside each. Null for other files. */
export async function readTakeout({ files }: FoundFiles, { signal, onProgress }: ReadOptions): Promise<Found | null> {
  const jsons = files.filter(({ path }) => /\.json$/i.test(path))
  if (!(await isTakeout(jsons))) return null
  const photos = files.filter(({ path }) => !/\.(json|html)$/i.test(path))
  const finder = sidecarFinder(jsons)
  const read = memo(parseSidecar)
  const refused: Refused[] = []
  const assets = new Map<FoundFile, PlannedAsset>()
  for (let at = 0; at < photos.length; at += AT_ONCE) {
    signal.throwIfAborted()
    onProgress(at / photos.length)
    const some = photos.slice(at, at + AT_ONCE)
    const sidecars = await Promise.all(some.map(({ path }) => read(finder(path))))
    for (const [i, file] of some.entries()) {
      const sidecar = sidecars[i] ?? null
      const name = nameOf(file, sidecar)
      const reason = sidecar?.trashed ? 'It is in the trash of Google Photos' : unstorable(file)
      if (reason) refused.push({ name, reason })
      else assets.set(file, assetOf(file, name, sidecar))
    }
  }
  const all = [...assets.values()]
  const people = new Map(all.flatMap((asset) => asset.people.map((name) => [name, name] as const)))
  return { format: 'takeout', title: 'Google Photos', assets: all, posts: await albumsOf(jsons, all), people, refused }
}

async function isTakeout(jsons: readonly FoundFile[]): Promise<boolean> {
  if (jsons.some(({ path }) => /(^|\/)Takeout\/[^/]*Goog[^/]*\//i.test(path))) return true
  for (const file of jsons.slice(0, 20)) if (await parseSidecar(file)) return true
  return false
}

async function parseSidecar(file: FoundFile | null): Promise<Sidecar | null> {
  return file ? (Sidecar.safeParse(await parse(file)).data ?? null) : null
}

async function parse(file: FoundFile): Promise<unknown> {
  try {
    return JSON.parse(await textOf(file, MAX_SIDECAR))
  } catch {
    return null
  }
}

/** Edited copies and the videos of live photos share the sidecar of their photo. */
function memo(read: (file: FoundFile | null) => Promise<Sidecar | null>) {
  const known = new Map<FoundFile | null, Promise<Sidecar | null>>()
  return (file: FoundFile | null) => {
    const found = known.get(file) ?? read(file)
    known.set(file, found)
    return found
  }
}

/** The full name from the sidecar, where Google has cut the file's name. */
function nameOf({ path }: FoundFile, sidecar: Sidecar | null): string {
  const name = path.split('/').at(-1) ?? path
  const [stem, extension] = [name.replace(/\.[^.]*$/, ''), /\.[^.]*$/.exec(name)?.[0] ?? '']
  const title = sidecar?.title ?? ''
  return title.length > name.length && title.startsWith(stem) && title.toLowerCase().endsWith(extension.toLowerCase()) ? title : name
}

function assetOf(file: FoundFile, name: string, sidecar: Sidecar | null): PlannedAsset {
  if (!sidecar) return { file, name, people: [] }
  const { photoTakenTime, geoData, geoDataExif, description, people = [] } = sidecar
  const seconds = photoTakenTime.timestamp
  const date = Number.isFinite(seconds) && Math.abs(seconds) < 253_402_300_800 ? new Date(seconds * 1000).toISOString() : null
  return {
    file,
    name,
    overrides: {
      exactly: false,
      date,
      dateZone: date && localZone(),
      datePrecision: date ? 'minute' : 'unknown',
      location: fitLocation(geoData?.latitude, geoData?.longitude) ?? fitLocation(geoDataExif?.latitude, geoDataExif?.longitude),
      alt: fitAlt(description),
    },
    people: [...new Set(people.map((person) => fitLine(person.name, LIMITS.personName)).filter(Boolean))],
  }
}

/** Named albums become notes with their photos, several if one is not enough. */
async function albumsOf(jsons: readonly FoundFile[], assets: readonly PlannedAsset[]): Promise<PlannedPost[]> {
  const byFolder = Map.groupBy(assets, ({ file }) => file.path.slice(0, file.path.lastIndexOf('/')))
  const posts: PlannedPost[] = []
  for (const [folder, pictures] of byFolder) {
    const name = folder.split('/').at(-1) ?? ''
    if (YEAR.test(name)) continue
    const inFolder = jsons.filter(
      ({ path, size }) => path.startsWith(`${folder}/`) && !path.slice(folder.length + 1).includes('/') && size < MAX_SIDECAR,
    )
    // Sidecars of photos far outnumber other files, so only the shortest names are read.
    const candidates = inFolder.toSorted((a, b) => a.path.length - b.path.length).slice(0, 5)
    const albums = await Promise.all(candidates.map(async (file) => Album.safeParse(await parse(file)).data))
    const album = albums.find((found) => found && found.title !== '')
    if (album) posts.push(...postsOf(folder, album, pictures))
  }
  return posts
}

function postsOf(folder: string, { title, description = '' }: z.infer<typeof Album>, pictures: readonly PlannedAsset[]): PlannedPost[] {
  const inOrder = pictures.toSorted((a, b) => Date.parse(a.overrides?.date ?? '9999') - Date.parse(b.overrides?.date ?? '9999'))
  const portions = Math.ceil(inOrder.length / LIMITS.assetsPerPost)
  const location = inOrder.find(({ overrides }) => overrides?.location)?.overrides?.location ?? null
  return Array.from({ length: portions }, (_, i) => {
    const own = inOrder.slice(i * LIMITS.assetsPerPost, (i + 1) * LIMITS.assetsPerPost)
    const overrides = own.find((picture) => picture.overrides?.date)?.overrides
    return {
      key: `takeout ${folder.split('/').at(-1)}${i > 0 ? ` ${i}` : ''}`,
      fields: {
        type: 'note' as const,
        title: fitLine(portions > 1 ? `${title} (${i + 1} of ${portions})` : title, LIMITS.postTitle) || 'Album',
        body: i === 0 ? paragraphsOf(fitText(description)) : '',
        date: overrides?.date ?? null,
        dateZone: overrides?.dateZone ?? null,
        datePrecision: overrides?.date ? ('day' as const) : ('unknown' as const),
        location,
      },
      pictures: own,
      people: [],
    }
  })
}
