import { plural, t } from '#say'
import {
  ARCHIVE_FILES,
  ARCHIVE_FORMAT,
  ARCHIVE_VERSION,
  type Archive,
  type ArchivedAsset,
  type ArchivedPost,
} from '../../../contract/archive.ts'
import type { DateFormat } from '../../../contract/date-format.ts'
import { dayOf } from '../../../contract/dates.ts'
import { LIMITS } from '../../../contract/limits.ts'
import type { Places } from '../../../contract/places.ts'
import { CALENDAR_END, calendarEvent, calendarHead, type Span } from '../../content/calendar.ts'
import type { ExportFile, ExportHead, ExportPost } from '../../queries/export.ts'
import { FILES_END, figure, filesHead, PAGE_END, pageHead, postHtml } from './page.ts'

/** `file` is the path in the archive. */
export type ListedFile = Pick<ExportFile, 'id' | 'name' | 'type' | 'size' | 'date' | 'said'> & { file: string }

/** One whose bytes come next, with what the caller may learn of a place from them. Null if it is not in the collection any more. */
export interface SeenFile extends ListedFile {
  place: Places | null
}

/** Input of the written parts of an archive. The generators can be called repeatedly. */
export interface Content {
  head: ExportHead
  exportedAt: string
  files: readonly ListedFile[]
  posts: readonly ExportPost[]
  /** The app's own. */
  origin: string
  dates: DateFormat
  postPages: (of: readonly ExportPost[]) => AsyncGenerator<ArchivedPost[]>
  assetPages: () => AsyncGenerator<ArchivedAsset[]>
  /** The descriptions of assets by id. */
  altsOf: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>
  filePages: () => AsyncGenerator<SeenFile[]>
}

export async function* collectionJson({ head, exportedAt, posts, postPages, assetPages }: Content): AsyncGenerator<string> {
  const top: Omit<Archive, 'assets' | 'posts'> = { format: ARCHIVE_FORMAT, version: ARCHIVE_VERSION, exported_at: exportedAt, ...head }
  yield JSON.stringify(top, null, 1).replace(/\n\}$/, '')
  yield ',\n "assets": [\n'
  yield* rowsOf(assetPages())
  yield '\n ],\n "posts": [\n'
  yield* rowsOf(postPages(posts))
  yield '\n ]\n}\n'
}

/** One row per line. */
async function* rowsOf(pages: AsyncIterable<object[]>): AsyncGenerator<string> {
  let lead = '  '
  for await (const page of pages) {
    for (const row of page) {
      yield lead + JSON.stringify(row)
      lead = ',\n  '
    }
  }
}

const isOnADay = (post: ArchivedPost): post is ArchivedPost & Span =>
  post.date !== null && (post.date_precision === 'minute' || post.date_precision === 'day')

/** Events whose date is known to the minute or the day, at most LIMITS.calendarPosts. */
export async function* eventsIcs({ head, origin, posts, postPages }: Content): AsyncGenerator<string> {
  const events = posts.filter(({ event }) => event !== null).slice(0, LIMITS.calendarPosts)
  const calendar = { name: head.collection.name, collectionId: head.collection.id, origin }
  yield calendarHead(
    calendar,
    events.flatMap(({ event }) => event ?? []),
  )
  for await (const page of postPages(events)) {
    for (const post of page) if (isOnADay(post)) yield calendarEvent(calendar, { ...post, version: 1 })
  }
  yield CALENDAR_END
}

type Feature = Pick<ArchivedPost, 'id' | 'location' | 'date'> & { title?: string; name?: string; file?: string }

/** GeoJSON (RFC 7946) with a point for every item that has a location. */
export async function* placesGeojson({ posts, postPages, assetPages }: Content): AsyncGenerator<string> {
  yield '{"type":"FeatureCollection","features":[\n'
  let lead = ''
  const features = function* (kind: 'post' | 'asset', page: readonly Feature[]) {
    for (const { id, location, date, title, name, file } of page) {
      if (!location) continue
      const properties = { kind, title: title ?? name, date, ...(location.name && { place: location.name }), ...(file && { file }) }
      yield lead +
        JSON.stringify({ type: 'Feature', id, geometry: { type: 'Point', coordinates: [location.lon, location.lat] }, properties })
      lead = ',\n'
    }
  }
  for await (const page of postPages(posts)) yield* features('post', page)
  for await (const page of assetPages()) yield* features('asset', page)
  yield '\n]}\n'
}

export async function* indexHtml(content: Content): AsyncGenerator<string> {
  const { head, files, posts, dates, origin, postPages, assetPages, altsOf } = content
  const people = new Map(head.people.map(({ id, name }) => [id, name]))
  const byId = new Map(files.map((file) => [file.id, file]))
  yield pageHead(head.collection.name, summary(content))
  for await (const page of postPages(posts)) {
    const alts = await altsOf([...new Set(page.flatMap(({ assets }) => assets))])
    const shown = (id: string) => {
      const file = byId.get(id)
      return file ? [{ ...file, alt: alts.get(id) ?? null }] : []
    }
    for (const post of page) yield postHtml(post, post.assets.flatMap(shown), { people, dates, origin })
  }
  if (files.length > 0) {
    yield filesHead(files.length)
    for await (const page of assetPages()) for (const asset of page) yield figure(asset, dates.when(asset) ?? '')
    yield FILES_END
  }
  yield PAGE_END
}

function summary({ posts, files, dates, exportedAt }: Content): string {
  const day = dates.day(dayOf(exportedAt, dates.timeZone) ?? '')
  const postCount = t`${plural({ count: posts.length }, { one: '# post', other: '# posts' })}`
  const fileCount = t`${plural({ count: files.length }, { one: '# file', other: '# files' })}`
  return t({
    message: `${postCount}, ${fileCount}, exported ${day}`,
    comment: 'Below the name of a collection: “3 posts, 42 files, exported 12 July 2026”',
  })
}

const WIDEST = ARCHIVE_FILES.collection.length

export function readme(content: Content): string {
  const { head } = content
  const { collection, page, events, places, originals } = ARCHIVE_FILES
  return [
    `${head.collection.name}`,
    summary(content),
    '',
    ...[
      [page, t`open it in a browser: all posts and pictures, also without a network`],
      [originals, t`every photo, video and file as it was uploaded`],
      [collection, t`all of it for programs: posts, dates, places, people, comments, authors’ names`],
      [events, t`its events, for calendar programs (at most ${{ limit: String(LIMITS.calendarPosts) }})`],
      [places, t`all places, for map programs`],
    ].map(([name = '', words]) => `${name.padEnd(WIDEST)}  ${words}`),
    '',
    t`To bring it back, drop this ZIP on Cairn, or choose Import in the New menu.`,
    '',
  ].join('\r\n')
}
