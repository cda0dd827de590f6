import { t } from '#say'
import { LIMITS } from '../../../contract/limits.ts'
import { fitLocation, fitMoment, fitZone } from '../../../contract/photos/fit.ts'
import { z } from '../../../contract/zod.ts'
import { jsonOf } from '../json.ts'
import { markdownOfRichText } from './day-one-rich-text.ts'
import { inPortions, tagLine, titleAndBody, type When, whenAt } from './entry-posts.ts'
import { listOf, maybe } from './loose.ts'
import { nameIn, prefixOf } from './paths.ts'
import { beginReading, endReading, takeFile, textOf } from './sources.ts'
import type { Found, FoundFile, FoundFiles, PlannedAsset, PlannedPost, Reading, ReadOptions } from './types.ts'

const JournalLocation = z.object({
  latitude: maybe(z.number()),
  longitude: maybe(z.number()),
  placeName: maybe(z.string()),
  localityName: maybe(z.string()),
  country: maybe(z.string()),
})

const Medium = z.object({
  identifier: maybe(z.string()),
  md5: maybe(z.string()),
  filename: maybe(z.string()),
  orderInEntry: maybe(z.number()),
  date: maybe(z.string()),
  location: maybe(JournalLocation),
})
type Medium = z.infer<typeof Medium>

const media = listOf(Medium)
const Entry = z.object({
  uuid: maybe(z.string().min(1)),
  text: maybe(z.string()),
  richText: z.unknown().optional(),
  creationDate: maybe(z.string()),
  modifiedDate: maybe(z.string()),
  timeZone: maybe(z.string()),
  isAllDay: maybe(z.boolean()),
  location: maybe(JournalLocation),
  tags: listOf(z.string()),
  photos: media,
  videos: media,
  audios: media,
  pdfAttachments: media,
})
/** `text` are the words, whichever field has them. */
type Entry = Omit<z.infer<typeof Entry>, 'text'> & { text: string; key: string }

const Journal = z.object({ metadata: z.looseObject({}).nullish(), entries: z.array(z.unknown()) })
const FOLDERS = ['photos', 'videos', 'audios', 'pdfs'] as const

/** Journals of Day One exported as JSON: one file per journal, with its media in folders beside it. Null for other files. */
export async function readDayOne({ files }: FoundFiles, { signal, onProgress }: ReadOptions): Promise<Found | null> {
  const found = beginReading()
  const titles: string[] = []
  for (const file of files.filter(({ path }) => /\.json$/i.test(path))) {
    signal.throwIfAborted()
    // Exports of other apps have a JSON file for each photo, in deeper folders.
    if (titles.length === 0 && file.path.split('/').length > 3) continue
    // A damaged file is reported when it would be stored; the others may be journals.
    const entries = entriesOf(jsonOf(await textOf(file).catch(() => '')))
    if (!entries) continue
    titles.push(nameIn(file.path).replace(/\.json$/i, ''))
    found.used.add(file)
    readEntries(entries, mediaOf(files, file), found, onProgress)
  }
  return titles.length > 0 ? { format: 'day-one', title: titles.join(', '), ...endReading(found, files) } : null
}

/** The entries of a journal; null for other JSON. */
function entriesOf(json: unknown): readonly unknown[] | null {
  const journal = Journal.safeParse(json).data
  if (!journal) return null
  const dated = journal.entries.some((row) => typeof row === 'object' && row !== null && 'creationDate' in row)
  return dated || journal.metadata?.version !== undefined ? journal.entries : null
}

/** Media files are named by their MD5, sometimes by their identifier. */
function mediaOf(files: readonly FoundFile[], { archive, path }: FoundFile): Map<string, FoundFile> {
  const found = new Map<string, FoundFile>()
  const folder = prefixOf(path)
  for (const file of files) {
    const isBeside = file.archive === archive && file.path.startsWith(folder)
    const [kind, name, ...deeper] = isBeside ? file.path.slice(folder.length).split('/') : []
    if (!name || deeper.length > 0 || !FOLDERS.some((known) => known === kind)) continue
    found.set(name.toLowerCase(), file).set(name.replace(/\.[^.]*$/, '').toLowerCase(), file)
  }
  return found
}

function readEntries(
  entries: readonly unknown[],
  media: ReadonlyMap<string, FoundFile>,
  found: Reading,
  onProgress: (share: number) => void,
): void {
  for (const [at, row] of entries.entries()) {
    onProgress(at / entries.length)
    const entry = entryOf(row, at)
    if (!entry) {
      found.refused.push({
        name: t({ message: `Entry ${String(at + 1)}`, context: 'noun', comment: 'Of a journal, by its number' }),
        reason: t`It has no date, or is damaged`,
      })
      continue
    }
    const when = whenOf(entry)
    const pictures = picturesOf(entry, media, when, found)
    const posts = postsOf(entry, when, pictures)
    found.posts.push(...posts)
    found.assets.push(...pictures)
    if ((posts[0]?.fields.body?.length ?? 0) > LIMITS.postBody) {
      found.posts.splice(-posts.length)
      found.refused.push({ name: posts[0]?.fields.title ?? '', reason: t`Its text is longer than a post may be` })
    }
  }
}

/** Null if there is neither a date nor anything else to keep. */
function entryOf(row: unknown, at: number): Entry | null {
  const read = Entry.safeParse(row).data
  if (!read) return null
  const text = read.text?.trim() ? read.text : markdownOfRichText(read.richText)
  const some = text.trim() !== '' || read.photos.length + read.videos.length + read.audios.length + read.pdfAttachments.length > 0
  if (!some && !fitMoment(read.creationDate)) return null
  return { ...read, text, key: read.uuid ?? `${read.creationDate} ${at}` }
}

function whenOf({ creationDate, modifiedDate, timeZone, isAllDay }: Entry): When {
  return whenAt(fitMoment(creationDate) ?? fitMoment(modifiedDate), fitZone(timeZone), isAllDay ? 'day' : 'minute')
}

/** In the order of the text, then in their own order. */
function picturesOf(entry: Entry, media: ReadonlyMap<string, FoundFile>, when: When, found: Reading): PlannedAsset[] {
  const { text, photos, videos, audios, pdfAttachments } = entry
  const inText = ({ identifier, orderInEntry = 0 }: Medium) => {
    const at = identifier ? text.indexOf(identifier) : -1
    return at < 0 ? text.length + orderInEntry : at
  }
  const all = [...photos, ...videos, ...audios, ...pdfAttachments].toSorted((a, b) => inText(a) - inText(b))
  return all.flatMap((medium) => {
    const file = [medium.md5, medium.identifier, medium.filename].map((key) => media.get(key?.toLowerCase() ?? '')).find(Boolean)
    const taken = takeFile(file, medium.filename ?? nameOf(medium, when), found)
    return taken ? [assetOf(medium, taken, entry, when)] : []
  })
}

/** Of a file that has none itself. */
function nameOf({ identifier }: Medium, { date }: When): string {
  const file = identifier ?? t`A file`
  return date === null ? t`${file} of an entry without a date` : t`${file} of ${date.slice(0, 10)}`
}

function assetOf(medium: Medium, file: FoundFile, entry: Entry, when: When): PlannedAsset {
  const date = fitMoment(medium.date) ?? when.date
  const location = locationOf(medium.location) ?? locationOf(entry.location)
  const overrides = {
    exactly: false,
    onlyMissing: !fitMoment(medium.date),
    ...whenAt(date, when.dateZone),
    location,
    alt: null,
  }
  return { file, name: medium.filename ?? nameIn(file.path), overrides, people: [] }
}

function locationOf(place: Entry['location']) {
  if (!place) return null
  const { latitude, longitude, placeName, localityName, country } = place
  return fitLocation(latitude, longitude, [...new Set([placeName, localityName ?? country].filter(Boolean))].join(', '))
}

/** The first line is the title, as in Day One; tags are listed below the body. */
function postsOf(entry: Entry, when: When, pictures: readonly PlannedAsset[]): PlannedPost[] {
  const words = entry.text
    .replace(/!\[[^\]]*\]\(dayone-moment:[^)]*\)/g, '')
    // Day One escapes characters that are not special in Markdown.
    .replace(/\\([.!()+\-#>_~[\]{}*`|])/g, (whole, mark: string) => (/[*_#>`[\]]/.test(mark) ? whole : mark))
  const { title, body } = titleAndBody(words, when)
  const fields = {
    type: 'note' as const,
    kind: 'journal',
    title,
    body: body + tagLine(entry.tags),
    ...when,
    location: locationOf(entry.location),
  }
  return inPortions({ key: `day-one ${entry.key}`, fields, people: [] }, pictures)
}
