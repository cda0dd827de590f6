import { t } from '#say'
import { fitLocation, fitZone, momentAt } from '../../../contract/photos/fit.ts'
import { z } from '../../../contract/zod.ts'
import { jsonOf } from '../json.ts'
import { inPortions, tagLine, titleAndBody, titleAndHtml, whenAt } from './entry-posts.ts'
import { listOf, maybe } from './loose.ts'
import { nameIn, prefixOf } from './paths.ts'
import { beginReading, endReading, takeFile, textOf } from './sources.ts'
import type { Found, FoundFile, FoundFiles, PlannedAsset, PlannedPost, ReadOptions } from './types.ts'

const Entry = z.object({
  id: maybe(z.string().min(1)),
  /** In milliseconds since 1970. */
  date_journal: maybe(z.number()),
  timezone: maybe(z.string()),
  /** `html`, `markdown`, or nothing. */
  type: maybe(z.string()),
  text: maybe(z.string()),
  address: maybe(z.string()),
  /** The largest number there is stands for a missing place. */
  lat: maybe(z.number()),
  lon: maybe(z.number()),
  tags: listOf(z.string()),
  /** Names of files beside the entry. */
  photos: listOf(z.string()),
})
type Entry = z.infer<typeof Entry>

const MAX_ENTRY = 16 * 1024 * 1024
/** Exports of other programs may have many thousand JSON files. */
const LOOKED_AT = 10

/** An export of Journey: a JSON file for each entry, with its media beside it. Null for other files. */
export async function readJourney({ files }: FoundFiles, { signal, onProgress }: ReadOptions): Promise<Found | null> {
  const jsons = files.filter(({ path, size }) => /\.json$/i.test(path) && size < MAX_ENTRY)
  if (!(await isJourney(jsons.slice(0, LOOKED_AT)))) return null
  const found = beginReading(jsons)
  const media = new Map(files.filter((file) => !found.used.has(file)).map((file) => [file.path, file]))
  for (const [at, file] of jsons.entries()) {
    signal.throwIfAborted()
    onProgress(at / jsons.length)
    const entry = await entryOf(file)
    if (!entry) {
      found.refused.push({ name: file.path, reason: t`It is no entry of Journey, or is damaged` })
      continue
    }
    const folder = prefixOf(file.path)
    const pictures = entry.photos.flatMap((name) => {
      const medium = takeFile(media.get(`${folder}${name}`), name, found)
      return medium ? [assetOf(medium, entry)] : []
    })
    found.assets.push(...pictures)
    found.posts.push(...postsOf(entry, file, pictures))
  }
  return { format: 'journey', title: 'Journey', ...endReading(found, files) }
}

async function isJourney(jsons: readonly FoundFile[]): Promise<boolean> {
  for (const file of jsons) if (await entryOf(file)) return true
  return false
}

async function entryOf(file: FoundFile): Promise<Entry | null> {
  const json = jsonOf(await textOf(file, MAX_ENTRY).catch(() => ''))
  if (typeof json !== 'object' || json === null || !('date_journal' in json)) return null
  return Entry.safeParse(json).data ?? null
}

function whenOf({ date_journal, timezone }: Entry) {
  return whenAt(momentAt(date_journal), fitZone(timezone))
}

function assetOf(file: FoundFile, entry: Entry): PlannedAsset {
  const overrides = { exactly: false, onlyMissing: true, ...whenOf(entry), location: placeOf(entry), alt: null }
  return { file, name: nameIn(file.path), overrides, people: [] }
}

const placeOf = ({ lat, lon, address }: Entry) => fitLocation(lat, lon, address)

function postsOf(entry: Entry, file: FoundFile, pictures: readonly PlannedAsset[]): PlannedPost[] {
  const when = whenOf(entry)
  const text = entry.text ?? ''
  const isHtml = entry.type === 'html' || (!entry.type && /<(?:p|div|br|h[1-6]|ul|ol)\b[^<>]*>/i.test(text))
  const { title, body } = isHtml ? titleAndHtml(text, when) : titleAndBody(text, when)
  const fields = { type: 'note' as const, kind: 'journal', title, body: body + tagLine(entry.tags), ...when, location: placeOf(entry) }
  return inPortions({ key: `journey ${entry.id ?? nameIn(file.path)}`, fields, people: [] }, pictures)
}
