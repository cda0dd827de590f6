import { z } from 'zod'
import { Id } from '../../contract/ids.ts'
import { connect, type Db } from '../db/client.ts'
import type { Env } from '../env.ts'
import { ASSETS_PREFIX, originalKey } from '../media/storage.ts'
import { listKnownFilms } from '../queries/films.ts'
import { deleteOrphans, findSite, insertOrphans, listKnownAssets, listOldOrphans, listReadyAssets } from '../queries/sweep.ts'

/** Objects per run. The next run continues after them. */
const PAGE = 500
/** Object with the position of the comparison. If it is lost, the comparison starts again. */
const MARK = 'sweep/comparison'
const Mark = z.object({ after: z.string() })
/** Object with the id of the database that the bucket belongs to. */
const SITE = 'sweep/site'
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** Compares one page of object storage with the rows: removes objects that have had no row for `orphanDays`, and reports rows without an object. */
export async function compareStorage(env: Env): Promise<void> {
  const db = connect(env.DATABASE_URL, env.NEON_PROXY)
  if (!(await isOwnBucket(env.FILES, db))) {
    const what =
      'The bucket belongs to another database (its object sweep/site names it), so none of its objects are removed. Put the right DATABASE_URL or bucket in place. If both are right, delete sweep/site: docs/deploy.md, "Backup and restore"'
    console.error(JSON.stringify({ level: 'error', what }))
    return
  }
  const after = await readMark(env.FILES)
  const page = await env.FILES.list({ prefix: ASSETS_PREFIX, limit: PAGE, ...(after && { startAfter: after }) })
  const last = page.truncated ? page.objects.at(-1)?.key : undefined
  await removeOrphans(env.FILES, db, page.objects)
  await reportMissing(env.FILES, db, { objects: page.objects, after, until: last })
  await writeMark(env.FILES, { from: after, to: last ?? '' })
}

/** In an empty or older database, or that of another site, every object would be without a row. The first database takes the bucket. */
async function isOwnBucket(bucket: R2Bucket, db: Db): Promise<boolean> {
  const id = await findSite(db)
  const object = await bucket.get(SITE)
  if (object) return (await object.text()) === id
  await bucket.put(SITE, id)
  return true
}

async function removeOrphans(bucket: R2Bucket, db: Db, objects: R2Object[]): Promise<void> {
  const found = await withoutRow(
    db,
    objects.map(({ key }) => key),
  )
  if (found.length > 0) await insertOrphans(db, found)
  const old = await listOldOrphans(db, PAGE)
  if (old.length === 0) return
  const orphans = await withoutRow(db, old)
  if (orphans.length > 0) {
    await bucket.delete(orphans)
    console.warn(JSON.stringify({ level: 'warn', what: 'Removed objects that had no row', keys: orphans }))
  }
  await deleteOrphans(db, old)
}

async function withoutRow(db: Db, keys: string[]): Promise<string[]> {
  const known = await listKnownAssets(db, [...new Set(keys.map(idOf).filter((id) => id !== null))])
  const films = keys.map(filmIdOf).filter((id) => id !== null)
  const knownFilms = films.length > 0 ? await listKnownFilms(db, films) : new Set()
  return keys.filter((key) => !known.has(idOf(key) ?? '') || (isFilm(key) && !knownFilms.has(filmIdOf(key))))
}

interface KeyRange {
  objects: R2Object[]
  /** Key before the page (empty at the start of the listing), and its last key (undefined at the end). */
  after: string
  until: string | undefined
}

async function reportMissing(bucket: R2Bucket, db: Db, { objects, after, until }: KeyRange): Promise<void> {
  const originals = new Set(objects.map(({ key }) => key))
  const ids = await listReadyAssets(db, { after: idOf(after) ?? FIRST_ID, until: until ? idOf(until) : null, limit: PAGE })
  for (const key of ids.map(originalKey)) {
    // The page may end within this asset's keys, or the object is newer than the listing, so it is checked directly.
    if (originals.has(key) || (await bucket.head(key))) continue
    console.error(JSON.stringify({ level: 'error', what: 'A row has no object in storage', key }))
  }
}

function idOf(key: string): string | null {
  return Id.safeParse(/^assets\/([^/]+)\//.exec(key)?.[1]).data ?? null
}

/** `assets/<asset>/films/<film>`: an asset may have lost one of its films. */
const isFilm = (key: string) => key.split('/')[2] === 'films'

function filmIdOf(key: string): string | null {
  return isFilm(key) ? (Id.safeParse(key.split('/')[3]).data ?? null) : null
}

async function readMark(bucket: R2Bucket): Promise<string> {
  const object = await bucket.get(MARK)
  return object ? (Mark.safeParse(await object.json()).data?.after ?? '') : ''
}

async function writeMark(bucket: R2Bucket, { from, to }: { from: string; to: string }): Promise<void> {
  if (from !== to) await bucket.put(MARK, JSON.stringify({ after: to }))
}
