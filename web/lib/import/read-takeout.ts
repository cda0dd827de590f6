import { plural, t } from '#say'
import { LIMITS } from '../../../contract/limits.ts'
import { fitLine, fitText } from '../../../contract/photos/fit.ts'
import { localZone } from '../dates/zones.ts'
import { jsonOf } from '../json.ts'
import { paragraphsOf } from '../sanitize.ts'
import { inPortions, whenAt } from './entry-posts.ts'
import { joinEqual } from './join-equal.ts'
import { folderOf, nameIn } from './paths.ts'
import { textOf, unstorable, withoutNested } from './sources.ts'
import { albumFolders } from './takeout-albums.ts'
import { mayBeExport, placesOf, splitProducts } from './takeout-folders.ts'
import { readTakeoutJson, type TakeoutAlbum, type TakeoutPhoto } from './takeout-json.ts'
import { sidecarFinder } from './takeout-names.ts'
import type { Found, FoundFile, FoundFiles, PlannedAsset, PlannedPost, ReadOptions } from './types.ts'

const MAX_SIDECAR = 4 * 1024 * 1024
const AT_ONCE = 16
/** In a file without sidecars among this many JSONs, other formats are more likely. */
const SAMPLE = 20

/** `path` is the place of `file` in the export. */
interface Sidecar extends TakeoutPhoto {
  path: string
  file: FoundFile
}

type PlaceOf = (file: FoundFile) => string

/**
 * Google Photos from Takeout: photos by year and by album, with a JSON file beside each. Files that lie outside it are imported like those of
 * any folder. Null if there is no Takeout.
 */
export async function readTakeout({ files }: FoundFiles, options: ReadOptions): Promise<Found | null> {
  const jsons = files.filter(({ path, size }) => /\.json$/i.test(path) && size <= MAX_SIDECAR)
  const placeOf = placesOf(files)
  if (!mayBeExport(files) && (await readJsons(jsons.slice(0, SAMPLE), placeOf, options)).sidecars.length === 0) return null
  const { sidecars, albums, read } = await readJsons(jsons, placeOf, options)
  const { photos, others, leftOut } = splitProducts(files, placeOf, { sidecars: sidecars.map(({ file }) => file), read })
  if (photos.length === 0 && leftOut.length === 0) return null
  const { assets, refused } = assetsOf(photos, placeOf, sidecars)
  const joined = await joinEqual([...assets.values()], options)
  const byFile = new Map([...assets].map(([file, asset]) => [file, joined.get(asset) ?? asset] as const))
  const all = [...new Set(byFile.values())]
  const note = noteOn(all)
  const people = new Map(all.flatMap((asset) => asset.people.map((name) => [name, name] as const)))
  const posts = postsOf(
    albums,
    Map.groupBy(photos, (file) => folderOf(placeOf(file))),
    byFile,
  )
  return {
    format: 'takeout',
    title: 'Google Photos',
    assets: all,
    posts,
    people,
    refused,
    leftOut,
    others,
    note,
  }
}

/** What is in the JSONs, with places as paths. Albums by folder; `read` are the files of both. */
async function readJsons(jsons: readonly FoundFile[], placeOf: PlaceOf, { signal, onProgress }: ReadOptions) {
  const sidecars: Sidecar[] = []
  const albums = new Map<string, TakeoutAlbum>()
  const known = new Set<FoundFile>()
  for (let at = 0; at < jsons.length; at += AT_ONCE) {
    signal.throwIfAborted()
    onProgress(at / jsons.length)
    const some = jsons.slice(at, at + AT_ONCE)
    const read = await Promise.all(some.map(async (file) => jsonOf(await textOf(file, MAX_SIDECAR).catch(() => ''))))
    for (const [i, file] of some.entries()) {
      const found = readTakeoutJson(read[i])
      if (found) known.add(file)
      if (found && 'photo' in found) sidecars.push({ ...found.photo, path: placeOf(file), file })
      if (found && 'album' in found) albums.set(folderOf(placeOf(file)), found.album)
    }
  }
  return { sidecars, albums, read: known }
}

/** Most often, not all archives of the export were chosen. */
function noteOn(assets: readonly PlannedAsset[]): string | null {
  const count = assets.filter(({ overrides }) => !overrides).length
  if (count === 0) return null
  return t`${plural(count, {
    one: '# photo or video comes without what Google Photos knows, like captions. Choose all files of the Takeout together.',
    other: '# photos and videos come without what Google Photos knows, like captions. Choose all files of the Takeout together.',
  })}`
}

function assetsOf(found: readonly FoundFile[], placeOf: PlaceOf, sidecars: readonly Sidecar[]) {
  const finder = sidecarFinder(sidecars)
  const { files, refused } = withoutNested({ files: [...found], refused: [] })
  const assets = new Map<FoundFile, PlannedAsset>()
  const hiddenFolders = foldersOfHidden(sidecars)
  for (const file of files) {
    if (/\.(json|html?)$/i.test(file.path)) continue
    const sidecar = finder(placeOf(file))
    const name = nameOf(file, sidecar)
    const reason = (sidecar ? sidecar.hidden : hiddenFolders.get(folderOf(placeOf(file)))) ?? unstorable(file)
    if (reason) refused.push({ name, reason })
    else assets.set(file, assetOf(file, name, sidecar))
  }
  return { assets, refused }
}

/** Folders that hold only hidden photos, like the trash, with the reason: this also hides their files without a sidecar. */
function foldersOfHidden(sidecars: readonly Sidecar[]): Map<string, string> {
  const byFolder = Map.groupBy(sidecars, ({ path }) => folderOf(path))
  return new Map(
    [...byFolder].flatMap(([folder, [first, ...rest]]) =>
      first?.hidden && rest.every(({ hidden }) => hidden) ? [[folder, first.hidden] as const] : [],
    ),
  )
}

/** The full name from the sidecar, where Google has cut the file's name. */
function nameOf({ path }: FoundFile, sidecar: Sidecar | null): string {
  const name = nameIn(path)
  const [stem, extension] = [name.replace(/\.[^.]*$/, ''), /\.[^.]*$/.exec(name)?.[0] ?? '']
  const title = sidecar?.title ?? ''
  return title.length > name.length && title.startsWith(stem) && title.toLowerCase().endsWith(extension.toLowerCase()) ? title : name
}

function assetOf(file: FoundFile, name: string, sidecar: Sidecar | null): PlannedAsset {
  // The film of a motion photo has an extension that browsers do not know.
  const type = /\.mp(~\d+)?$/i.test(name) ? { type: 'video/mp4' } : {}
  if (!sidecar) return { file, name, ...type, people: [] }
  const { date, location, alt, people } = sidecar
  return { file, name, ...type, overrides: { exactly: false, ...whenAt(date, localZone()), location, alt }, people }
}

/**
 * Named albums become notes with their photos, several if one is not enough. The photos may be in a file of the Takeout that was not chosen: then an album
 * beside the folders of others has at least its texts.
 */
function postsOf(
  albums: ReadonlyMap<string, TakeoutAlbum>,
  byFolder: ReadonlyMap<string, readonly FoundFile[]>,
  assets: ReadonlyMap<FoundFile, PlannedAsset>,
): PlannedPost[] {
  const seen = new Map<string, number>()
  const picturesIn = (folder: string) => (byFolder.get(folder) ?? []).flatMap((file) => assets.get(file) ?? [])
  const parents = new Set([...byFolder.keys()].flatMap((folder) => (picturesIn(folder).length > 0 ? folderOf(folder) : [])))
  return albumFolders([...byFolder.keys()], albums).flatMap(({ folder, album }) => {
    const pictures = picturesIn(folder)
    if (pictures.length === 0 && (album.texts.length === 0 || !parents.has(folderOf(folder)))) return []
    const name = nameIn(folder)
    // Two accounts may each have an album of this name.
    const nth = (seen.get(name) ?? 0) + 1
    seen.set(name, nth)
    return notesOf(nth > 1 ? `${name} #${nth}` : name, album, [...new Set(pictures)])
  })
}

function notesOf(key: string, { title, texts }: TakeoutAlbum, pictures: readonly PlannedAsset[]): PlannedPost[] {
  const inOrder = pictures.toSorted((a, b) => Date.parse(a.overrides?.date ?? '9999') - Date.parse(b.overrides?.date ?? '9999'))
  const fields = {
    type: 'note' as const,
    title: fitLine(title, LIMITS.postTitle) || t`Album`,
    body: paragraphsOf(fitText(texts.join('\n\n'))),
    location: inOrder.find(({ overrides }) => overrides?.location)?.overrides?.location ?? null,
  }
  return inPortions({ key: `takeout ${key}`, fields, people: [] }, inOrder).map((post) => ({
    ...post,
    fields: { ...post.fields, ...whenOf(post.pictures) },
  }))
}

/** The day of the first photo that has one. */
function whenOf(pictures: readonly PlannedAsset[]) {
  const { date = null, dateZone = null } = pictures.find(({ overrides }) => overrides?.date)?.overrides ?? {}
  return whenAt(date, dateZone, 'day')
}
