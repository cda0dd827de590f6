import { dayOf } from '../../../contract/dates.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { z } from '../../../contract/zod.ts'
import { formatWhen } from '../dates/text.ts'
import { fitLine, fitLocation, fitMoment, fitText, fitZone } from './fit.ts'
import { htmlOfMarkdown } from './markdown.ts'
import { textOf, unstorable } from './sources.ts'
import type { Found, FoundFile, FoundFiles, PlannedAsset, PlannedPost, ReadOptions, Refused } from './types.ts'

const JournalLocation = z.object({
  latitude: z.number().optional(),
  longitude: z.number().optional(),
  placeName: z.string().optional(),
  localityName: z.string().optional(),
  country: z.string().optional(),
})

const Medium = z.object({
  identifier: z.string(),
  md5: z.string().optional(),
  type: z.string().optional(),
  format: z.string().optional(),
  filename: z.string().optional(),
  orderInEntry: z.number().optional(),
  date: z.string().optional(),
  location: JournalLocation.optional(),
})
type Medium = z.infer<typeof Medium>

const media = z.array(Medium).optional()
const Entry = z.object({
  uuid: z.string(),
  text: z.string().optional(),
  creationDate: z.string(),
  timeZone: z.string().optional(),
  isAllDay: z.boolean().optional(),
  location: JournalLocation.optional(),
  tags: z.array(z.string()).optional(),
  photos: media,
  videos: media,
  audios: media,
  pdfAttachments: media,
})
type Entry = z.infer<typeof Entry>

const Journal = z.object({ metadata: z.object({ version: z.string() }), entries: z.array(z.unknown()) })
const FOLDERS = ['photos', 'videos', 'audios', 'pdfs'] as const

/** Journals of Day One exported as JSON: one file per journal, with its media in folders beside it. Null for other files. */
export async function readDayOne({ files }: FoundFiles, { signal, onProgress }: ReadOptions): Promise<Found | null> {
  const found: Required<Pick<Found, 'posts' | 'assets' | 'refused'>> = { posts: [], assets: [], refused: [] }
  const titles: string[] = []
  for (const file of files.filter(({ path }) => /\.json$/i.test(path))) {
    signal.throwIfAborted()
    // Exports of other apps have a JSON file for each photo, in deeper folders.
    if (titles.length === 0 && file.path.split('/').length > 3) continue
    // A damaged file is reported when it would be stored; the others may be journals.
    const journal = Journal.safeParse(parse(await textOf(file).catch(() => ''))).data
    if (!journal) continue
    titles.push((file.path.split('/').at(-1) ?? '').replace(/\.json$/i, ''))
    const folder = file.path.slice(0, file.path.lastIndexOf('/') + 1)
    readEntries(journal.entries, mediaOf(files, folder), found, onProgress)
  }
  return titles.length > 0 ? { format: 'day-one', title: titles.join(', '), ...found } : null
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Media files are named by their MD5, sometimes by their identifier. */
function mediaOf(files: readonly FoundFile[], folder: string): Map<string, FoundFile> {
  const found = new Map<string, FoundFile>()
  for (const file of files) {
    const [kind, name, ...deeper] = file.path.startsWith(folder) ? file.path.slice(folder.length).split('/') : []
    if (!name || deeper.length > 0 || !FOLDERS.some((known) => known === kind)) continue
    found.set(name.toLowerCase(), file).set(name.replace(/\.[^.]*$/, '').toLowerCase(), file)
  }
  return found
}

function readEntries(
  entries: readonly unknown[],
  media: ReadonlyMap<string, FoundFile>,
  found: { posts: PlannedPost[]; assets: PlannedAsset[]; refused: Refused[] },
  onProgress: (share: number) => void,
): void {
  for (const [at, row] of entries.entries()) {
    onProgress(at / entries.length)
    const entry = Entry.safeParse(row).data
    const date = fitMoment(entry?.creationDate)
    if (!entry || !date) {
      found.refused.push({ name: `Entry ${at + 1}`, reason: 'It has no date, or is damaged' })
      continue
    }
    const when = { date, dateZone: fitZone(entry.timeZone), datePrecision: entry.isAllDay ? ('day' as const) : ('minute' as const) }
    const pictures = picturesOf(entry, media, when, found.refused)
    const posts = postsOf(entry, when, pictures)
    found.posts.push(...posts)
    found.assets.push(...pictures)
    if ((posts[0]?.fields.body?.length ?? 0) > LIMITS.postBody) {
      found.posts.splice(-posts.length)
      found.refused.push({ name: posts[0]?.fields.title ?? '', reason: 'Its text is longer than a post may be' })
    }
  }
}

type When = { date: string; dateZone: string | null; datePrecision: 'day' | 'minute' }

/** In the order of the text, then in their own order. */
function picturesOf(entry: Entry, media: ReadonlyMap<string, FoundFile>, when: When, refused: Refused[]): PlannedAsset[] {
  const { text = '', photos = [], videos = [], audios = [], pdfAttachments = [] } = entry
  const inText = (medium: Medium) => {
    const at = text.indexOf(medium.identifier)
    return at < 0 ? text.length + (medium.orderInEntry ?? 0) : at
  }
  const all = [...photos, ...videos, ...audios, ...pdfAttachments].toSorted((a, b) => inText(a) - inText(b))
  return all.flatMap((medium) => {
    const file = [medium.md5, medium.identifier, medium.filename].map((key) => media.get(key?.toLowerCase() ?? '')).find(Boolean)
    const reason = file ? unstorable(file) : 'Its file is not in the export'
    if (file && !reason) return [assetOf(medium, file, entry, when)]
    refused.push({ name: medium.filename ?? `${medium.identifier} of ${when.date.slice(0, 10)}`, reason: reason ?? '' })
    return []
  })
}

function assetOf(medium: Medium, file: FoundFile, entry: Entry, when: When): PlannedAsset {
  const date = fitMoment(medium.date) ?? when.date
  const location = locationOf(medium.location) ?? locationOf(entry.location)
  const overrides = { exactly: false, date, dateZone: when.dateZone, datePrecision: 'minute' as const, location, alt: null }
  return { file, name: medium.filename ?? file.path.split('/').at(-1) ?? 'photo', overrides, people: [] }
}

function locationOf(place: Entry['location']) {
  if (!place) return null
  const { latitude, longitude, placeName, localityName, country } = place
  return fitLocation(latitude, longitude, [...new Set([placeName, localityName ?? country].filter(Boolean))].join(', '))
}

/** The number of assets in a post is limited; an entry with more becomes several posts. */
function postsOf(entry: Entry, when: When, pictures: readonly PlannedAsset[]): PlannedPost[] {
  const { title, body } = wordsOf(entry, when)
  const portions = Math.max(1, Math.ceil(pictures.length / LIMITS.assetsPerPost))
  return Array.from({ length: portions }, (_, i) => ({
    key: `day-one ${entry.uuid}${i > 0 ? ` ${i}` : ''}`,
    fields: {
      type: 'note',
      kind: 'journal',
      title: portions > 1 ? fitLine(`${title} (${i + 1} of ${portions})`, LIMITS.postTitle) : title,
      body: i === 0 ? body : '',
      ...when,
      location: locationOf(entry.location),
    },
    pictures: pictures.slice(i * LIMITS.assetsPerPost, (i + 1) * LIMITS.assetsPerPost),
    people: [],
  }))
}

/** Characters; a longer first line belongs to the body. */
const MAX_TITLE = 90

/** The first line is the title, as in Day One; tags are listed below the body. */
function wordsOf({ text = '', tags = [] }: Entry, { date, dateZone }: When): { title: string; body: string } {
  const plain = fitText(text)
    .replace(/!\[[^\]]*\]\(dayone-moment:[^)]*\)/g, '')
    // Day One escapes characters that are not special in Markdown.
    .replace(/\\([.!()+\-#>_~[\]{}*`|])/g, (whole, mark: string) => (/[*_#>`[\]]/.test(mark) ? whole : mark))
    .trim()
  const [first = '', ...rest] = plain.split('\n')
  const heading = /^#{1,6}\s+(.*)$/.exec(first)?.[1]
  const line = (heading ?? first)
    .replace(/\\(.)/g, '$1')
    .replace(/[*_]{1,3}([^*_]+)[*_]{1,3}/g, '$1')
    .trim()
  const taken = line !== '' && (heading !== undefined || (line.length <= MAX_TITLE && !/^([-*+>]|\d+\.)\s/.test(first)))
  const title = taken ? line : formatWhen({ date, date_zone: dateZone, date_precision: 'day' })
  const labels = tags.map((tag) => `#${fitLine(tag, 100).replace(/\s+/g, '-')}`).join(' ')
  const body = htmlOfMarkdown((taken ? rest.join('\n') : plain).trim())
  const below = labels ? `<p>${labels.replace(/&/g, '&amp;').replace(/</g, '&lt;')}</p>` : ''
  return { title: fitLine(title, LIMITS.postTitle) || (dayOf(date, dateZone) ?? 'Entry'), body: body + below }
}
