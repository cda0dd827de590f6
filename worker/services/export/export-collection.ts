import { shownLanguage } from '#language'
import { t } from '#say'
import { ARCHIVE_FILES } from '../../../contract/archive.ts'
import { type DateFormat, dateFormat, NO_DATE_SETTINGS } from '../../../contract/date-format.ts'
import type { AppEnv } from '../../context.ts'
import { AppError, collectionNotFound } from '../../http/errors.ts'
import { inLanguage } from '../../language.ts'
import { type Patch, patcher } from '../../media/clean/patches.ts'
import { placelessPatches } from '../../media/placeless.ts'
import { originalKey } from '../../media/storage.ts'
import {
  findExportHead,
  listExportFiles,
  listExportPosts,
  readExportAlts,
  readExportAssets,
  readExportPosts,
  readFilePlaces,
} from '../../queries/export.ts'
import { findDateSettings } from '../../queries/users.ts'
import { createNames } from './names.ts'
import { pagesOf } from './pages.ts'
import { type Content, collectionJson, eventsIcs, indexHtml, type ListedFile, placesGeojson, readme, type SeenFile } from './parts.ts'
import { writeZip, type ZipEntry } from './zip.ts'

type Caller = Pick<AppEnv['Variables'], 'db' | 'user'> & {
  bucket: R2Bucket
  origin: string
  /** Of the browser. */
  language: string | null
}

/** Maximum in memory at once: rows, and bytes of posts and of comments. An item with more of them is alone. */
const PAGE = { rows: 500, bytes: 1024 * 1024 }
/** What the caller may see is read again after so many originals. */
const RECHECK = { rows: 500, bytes: 32 * 1024 * 1024 }
/** Attempts to read an original. If its stream fails, the next attempt continues from there. */
const MAX_ATTEMPTS = 3

/**
 * Streams everything in a collection as a ZIP. In memory are a page of rows, a chunk of a file, and the list of files. Throws 404 if the caller
 * is not a member. If their membership ends meanwhile, the download is aborted.
 */
export async function exportCollection(caller: Caller, collectionId: string): Promise<{ name: string; body: ReadableStream<Uint8Array> }> {
  const { db, user, origin } = caller
  const head = await findExportHead(db, user.id, collectionId)
  const files = head ? await listFiles(caller, collectionId) : []
  const posts = head && (await listExportPosts(db, user.id, collectionId))
  if (!posts) throw collectionNotFound()
  const exportedAt = new Date().toISOString()
  const dates = await datesOf(caller)
  const paths = new Map(files.map(({ id, file }) => [id, file]))
  const content: Content = {
    ...{ head, exportedAt, files, posts, origin, dates },
    async *postPages(wanted) {
      for (const listed of pagesOf(wanted, PAGE, ({ bytes }) => bytes)) {
        const ids = listed.map(({ id }) => id)
        yield requirePage(await readExportPosts(db, user.id, { collectionId, ids }))
      }
    },
    async *assetPages() {
      for (const listed of pagesOf(files, PAGE, ({ said }) => said)) {
        const ids = listed.map(({ id }) => id)
        const assets = requirePage(await readExportAssets(db, user.id, { collectionId, ids }))
        yield assets.map(({ id, ...asset }) => ({ id, file: paths.get(id) ?? '', ...asset }))
      }
    },
    altsOf: async (ids) => requirePage(await readExportAlts(db, user.id, { collectionId, ids })),
    async *filePages() {
      for (const listed of pagesOf(files, RECHECK, ({ size }) => size)) {
        const ids = listed.map(({ id }) => id)
        const places = requirePage(await readFilePlaces(db, user.id, { collectionId, ids }))
        yield listed.map((file) => ({ ...file, place: places.get(file.id) ?? null }))
      }
    },
  }
  return { name: `${head.collection.name} ${exportedAt.slice(0, 10)}.zip`, body: streamOf(writeZip(entriesOf(content, caller.bucket))) }
}

/** As the person who exports writes dates. */
async function datesOf({ db, user, language }: Caller): Promise<DateFormat> {
  const settings = (await findDateSettings(db, user.id)) ?? NO_DATE_SETTINGS
  return dateFormat(settings, { language: language ?? settings.language, timeZone: 'UTC' }, shownLanguage())
}

async function listFiles({ db, user }: Caller, collectionId: string): Promise<ListedFile[]> {
  const found = []
  for await (const page of listExportFiles(db, user.id, collectionId)) found.push(...page)
  const moment = (date: string | null) => (date === null ? Number.POSITIVE_INFINITY : Date.parse(date))
  const nameOf = createNames()
  return found
    .toSorted((a, b) => moment(a.date) - moment(b.date) || (a.id < b.id ? -1 : 1))
    .map((file) => ({
      id: file.id,
      name: file.name,
      type: file.type,
      size: file.size,
      date: file.date,
      said: file.said,
      file: nameOf(file),
    }))
}

function requirePage<T>(page: T | null): T {
  if (page === null) throw new AppError('forbidden', t`Not a member any more`)
  return page
}

async function* entriesOf(content: Content, bucket: R2Bucket): AsyncGenerator<ZipEntry> {
  const written = new Date(content.exportedAt)
  const entry = (name: string, text: AsyncIterable<string> | Iterable<string>) => ({ name, modified: written, bytes: inPieces(text) })
  yield entry(ARCHIVE_FILES.readme, [readme(content)])
  yield entry(ARCHIVE_FILES.collection, collectionJson(content))
  yield entry(ARCHIVE_FILES.events, eventsIcs(content))
  yield entry(ARCHIVE_FILES.places, placesGeojson(content))
  yield entry(ARCHIVE_FILES.page, indexHtml(content))
  const missing: string[] = []
  const leftOut: string[] = []
  for await (const page of content.filePages()) {
    for (const listed of page) {
      const { id, file, name, size, date } = listed
      const key = originalKey(id)
      const patches = await withRetries(() => patchesOf(bucket, listed))
      if (patches === 'refused') {
        leftOut.push(`${file} (${name})`)
        continue
      }
      const first = patches && (await withRetries(() => bucket.get(key)))
      if (first)
        yield { name: file, modified: date ? new Date(date) : written, size, bytes: original(bucket, { key, size, first, patches }) }
      else {
        if (listed.place) console.error(JSON.stringify({ level: 'error', what: 'A row has no object in storage', key }))
        missing.push(`${file} (${name})`)
      }
    }
  }
  const list = (title: string, lines: string[]) => [title, '\r\n', ...lines.map((line) => `${line}\r\n`)]
  if (missing.length > 0) yield entry(ARCHIVE_FILES.missing, list(t`These files are not there any more:`, missing))
  if (leftOut.length > 0) yield entry(ARCHIVE_FILES.leftOut, list(leftOutText(), leftOut))
}

const leftOutText = () =>
  t`You may not see where these files were made, and the place could not be removed from them. Ask an admin or the authors for them.`

/** What hides the place of a file from the caller. Null if it is not there any more. */
async function patchesOf(bucket: R2Bucket, { id, type, size, place }: SeenFile): Promise<Patch[] | 'refused' | null> {
  if (place === null) return null
  if (place === 'exact') return []
  try {
    return await placelessPatches(bucket, { key: originalKey(id), type, size })
  } catch (error) {
    if (error instanceof AppError && error.code === 'forbidden') return 'refused'
    if (error instanceof AppError && error.code === 'not_found') return null
    throw error
  }
}

/** One failed call must not abort an export of thousands of files. */
async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt >= MAX_ATTEMPTS) throw error
    }
  }
}

/** The bytes of an original. If the stream fails, requests the rest. */
async function* original(
  bucket: R2Bucket,
  { key, size, first, patches }: { key: string; size: number; first: R2ObjectBody; patches: readonly Patch[] },
): AsyncGenerator<Uint8Array> {
  const patch = patcher(patches)
  let sent = 0
  let body: R2ObjectBody | null = first
  for (let attempt = 1; ; attempt++) {
    try {
      body ??= await bucket.get(key, { range: { offset: sent } })
      if (!body) throw new Error(`${key} is gone`)
      for await (const chunk of body.body as ReadableStream<Uint8Array>) {
        sent += chunk.length
        yield patch(chunk)
      }
      return
    } catch (error) {
      if (attempt >= MAX_ATTEMPTS || sent >= size) throw error
      body = null
    }
  }
}

const PIECE = 64 * 1024

/** UTF-8 in chunks of about PIECE, because each row would become a chunk of its own on the network. */
async function* inPieces(text: AsyncIterable<string> | Iterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  let waiting = ''
  for await (const part of text) {
    waiting += part
    if (waiting.length < PIECE) continue
    yield encoder.encode(waiting)
    waiting = ''
  }
  if (waiting) yield encoder.encode(waiting)
}

/** A stream with backpressure, which stops if the receiver disconnects. It is read after the request, and stays in its language. */
function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  const language = shownLanguage()
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { value, done } = await inLanguage(language, () => chunks.next())
          if (done) controller.close()
          else controller.enqueue(value)
        } catch (error) {
          // The response has begun, so the only way to report an error is to abort it.
          console.error(JSON.stringify({ level: 'error', what: 'An export broke off', error: String(error) }))
          controller.error(error)
        }
      },
      async cancel() {
        await chunks.return(undefined)
      },
    },
    { highWaterMark: 2 },
  )
}
