import { type SQL, sql } from 'drizzle-orm'
import type { NewAsset } from '../../contract/assets.ts'
import { ATTEMPTS } from '../../contract/attempts.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { Capture } from '../../contract/photos/capture.ts'
import type { FoundInFile, UnreadAsset } from '../../contract/unread.ts'
import { type Db, firstRow, rows } from '../db/client.ts'
import { FOR_DEVICE } from '../db/schema/items.ts'
import { renditionsOf } from './asset-shape.ts'
import { type Caller, permittedAuthor, uuids } from './permissions.ts'

/** `assets.metadata_read` of files that today's reader has read. */
const READER = 1
/** Of files in whose first bytes the server has found nothing: a device may read the rest. */
const LEFT = -1
/** Of files that a device of their author has read as well, with their pictures: what is still missing stays missing. */
const DEVICE = 2

/** A photo or film that is read. */
export interface UnreadFile {
  id: string
  name: string
  type: string
  /** In bytes. */
  size: number
  /** The author's choice of time zone, for files that do not say theirs. */
  zone: string | null
}

/** What a file says of itself. `contentId` is the camera's identifier of its shot; films say their size in pixels and their length in seconds. */
export interface FileSays extends Capture {
  contentId: string | null
  width?: number | null
  height?: number | null
  duration?: number | null
}

/** Of asset `i`. Guests choose no time zone: theirs is that of who made their link. */
export const ZONE_OF_AUTHOR = sql`(select coalesce(u.time_zone, m.time_zone) from users u
  left join guests g on g.id = (case when u.id like 'guest:%' then substr(u.id, 7) end)::uuid
  left join links l on l.id = g.link_id left join users m on m.id = l.user_id where u.id = i.user_id)`

/** Of asset `i`: whoever's files take turns with those of others in the minute's task. Guests cost nothing to make: those of a link are as one. */
export const TURN_OF = sql`coalesce((select g.link_id::text from guests g
  where g.id = (case when i.user_id like 'guest:%' then substr(i.user_id, 7) end)::uuid), i.user_id)`
/** Files that may take a turn, the oldest: more than one account uploads in a day. */
export const IN_TURN = ATTEMPTS.uploadsOfDay.perUser

/** A client that says that there is no date, place or caption has read the file; one that does not mention them has not. */
export function readByClient({ date, location, alt }: Pick<NewAsset, 'date' | 'location' | 'alt'>): number | null {
  return date === null || location === null || alt === null || alt === '' ? READER : null
}

/** Asset `i` or `a` is as it was uploaded, and its author sees it: nobody has edited it after the file and its renditions arrived. */
const asUploaded = (alias: 'i' | 'a') => {
  const column = (name: string) => sql.raw(`${alias}.${name}`)
  return sql`${column('deleted_at')} is null and ${column('version')} = coalesce(${column('file_version')}, ${column('version')})
    and not author_is_outside(null, ${column('id')}, ${column('user_id')})`
}

/**
 * Whether asset `i` or `a`, from before there was `metadata_read`, was only uploaded: inserted, made ready, and given its renditions, one by one or at
 * once. Copies have what their original had when it was copied.
 */
const onlyUploaded = (alias: 'i' | 'a') => {
  const column = (name: string) => sql.raw(`${alias}.${name}`)
  return sql`${column('copy')} = 0 and ${column('version')} <= 2 + (select count(*) from jsonb_object_keys(${column('renditions')}))`
}

/** Files per run of the minute's task: each takes a few calls of storage, up to 16 MiB, and one of the database. */
const BATCH = 25
/** Rows per run that are looked at: most lack nothing, or were edited. */
const LOOKED_AT = 500

/**
 * Claims photos and films that no reader has read, the oldest of each author first, and returns those that lack something and are as uploaded. They are claimed for good,
 * so that one that ends the worker is not tried again. Those that soon get renditions are read then.
 */
export function claimUnread(db: Db): Promise<UnreadFile[]> {
  return rows<UnreadFile>(
    db,
    // The first conditions are those of the index assets_unread.
    sql`with waiting as materialized (
      select i.id, i.created_at, ${TURN_OF} as whose from assets i
      where i.metadata_read is null and i.status = 'ready' and i.deleted_at is null and i.version > 1
        and (i.type in ('image/jpeg', 'image/png', 'image/webp', 'image/heic', 'image/heif', 'image/avif', 'image/tiff', 'image/jxl')
          or i.type like 'video/%')
        and not exists (select from missing_renditions r where r.asset_id = i.id and r.due_at > now())
      order by i.created_at limit ${IN_TURN}::int
    ),
    next as materialized (
      select id, turn from (select *, row_number() over (partition by whose order by created_at) as turn from waiting) w
      order by turn, created_at limit ${LOOKED_AT}::int
    ),
    due as materialized (
      select i.id, next.turn, i.created_at, (i.date is null or i.lat is null or i.alt is null or i.content_id is null) and ${onlyUploaded('i')} and ${asUploaded('i')} as wanted
      from next join assets i using (id) where i.metadata_read is null and i.deleted_at is null for no key update of i skip locked
    ),
    chosen as (
      select id, wanted from (select *, row_number() over (partition by wanted order by turn, created_at) as nth from due) d
      where not wanted or nth <= ${BATCH}::int
    ),
    claimed as (update assets a set metadata_read = ${READER}::smallint from chosen where a.id = chosen.id returning a.id)
    select i.id, i.name, i.type, i.size::float8 as size, ${ZONE_OF_AUTHOR} as zone from chosen join claimed using (id) join assets i on i.id = chosen.id where chosen.wanted`,
  )
}

/** For files that were claimed and could not be read now. */
export async function unclaim(db: Db, ids: readonly string[]): Promise<void> {
  await rows(db, sql`update assets set metadata_read = null where id = any(${uuids(ids)}) and metadata_read = ${READER}::smallint`)
}

/** For a file whose tags may be where the server does not read. */
export async function leaveToDevice(db: Db, id: string): Promise<void> {
  await rows(db, sql`update assets set metadata_read = ${LEFT}::smallint where id = ${id} and metadata_read = ${READER}::smallint`)
}

/** Fills those of these fields that asset `a` lacks, unless it was edited or removed meanwhile. */
export async function recordMetadata(db: Db, id: string, says: FileSays): Promise<void> {
  const { width = null, height = null, duration = null } = says
  await rows(
    db,
    sql`update assets a set ${filledFrom(says)}, width = coalesce(width, ${width}::int), height = coalesce(height, ${height}::int),
      duration = coalesce(duration, ${duration}::float8) where id = ${id}`,
  )
}

/** What to set of asset `a`. What a person can edit stays if it is there, or if it was edited or removed meanwhile. */
export function filledFrom({ contentId, ...capture }: FileSays): SQL {
  const free = sql`coalesce(a.metadata_read, ${READER}::smallint) in (${READER}::smallint, ${DEVICE}::smallint) and ${asUploaded('a')}`
  const filled = filledWhere(free, capture, sql`coalesce(a.metadata_read, ${READER}::smallint)`)
  return sql`content_id = coalesce(a.content_id, ${contentId}::text), ${filled}`
}

/** Fields that asset `a` lacks, set if it is `free`, and its `metadata_read`. */
function filledWhere(free: SQL, { date, dateZone, datePrecision, location, alt }: Capture, read: SQL): SQL {
  return sql`(date, date_zone, date_precision, lat, lon, alt, metadata_read) = (
    select case when dated then ${date}::timestamptz else a.date end, case when dated then ${dateZone}::text else a.date_zone end,
      case when dated then ${datePrecision}::text else a.date_precision end,
      case when placed then ${location?.lat ?? null}::float8 else a.lat end, case when placed then ${location?.lon ?? null}::float8 else a.lon end,
      case when free then coalesce(a.alt, ${alt}::text) else a.alt end, ${read}
    from (select free, free and a.date is null and ${date !== null}::boolean as dated, free and a.lat is null as placed
      from (select ${free} as free offset 0) f) g)`
}

/** Assets per call: a device reads them one by one, for minutes. */
const PAGE = 10
/** The server may still make the pictures of asset `i`. Without an image service it never does, and an hour after it should have it counts as late. */
const WAITS_FOR_SERVER = sql`exists (select from missing_renditions r where r.asset_id = i.id and r.attempts < 5 and r.due_at > now() - interval '1 hour')`

/** Own assets, the newest first, that a device has to read. */
export async function listUnread({ db, user, checks }: Caller<'item.edit'>, after: string | undefined): Promise<UnreadAsset[]> {
  const found = await rows<Omit<UnreadAsset, 'size'> & { size: string }>(
    db,
    sql`select i.id, i.name, i.type, i.size, ${renditionsOf('i')} as renditions
      from (select * from assets where user_id = ${user.id} and ${sql.raw(FOR_DEVICE)} and (${after ?? null}::uuid is null or id < ${after ?? null}::uuid)) i
      where (i.type like 'video/%' or i.size <= ${LIMITS.readAgain}::bigint) and not ${WAITS_FOR_SERVER}
        and ${permittedAuthor('asset', user.id, checks['item.edit'])}
      order by i.id desc limit ${PAGE}::int`,
  )
  return found.map((row) => ({ ...row, size: Number(row.size) }))
}

/**
 * Fills what the caller's asset lacks from what their device has found in its file, and marks it as read. Date, location and description stay as they are if anybody
 * has read the file before, or has edited one of them. False if the asset is not there.
 */
export async function recordFound({ db, user, checks }: Caller<'item.edit'>, id: string, found: FoundInFile): Promise<boolean> {
  const free = sql`coalesce(a.metadata_read, ${LEFT}::smallint) = ${LEFT}::smallint and ${onlyUploaded('a')} and ${asUploaded('a')}`
  const row = await firstRow(
    db,
    sql`update assets a set ${filledWhere(free, captureOf(found), sql`${DEVICE}::smallint`)},
        width = coalesce(width, ${found.width ?? null}::int), height = coalesce(height, ${found.height ?? null}::int),
        duration = coalesce(duration, ${found.duration ?? null}::float8), thumbhash = coalesce(thumbhash, ${found.thumbhash ?? null}::text),
        content_id = coalesce(content_id, ${found.contentId || null}::text)
      where id = ${id} and status = 'ready' and deleted_at is null and ${permittedAuthor('asset', user.id, checks['item.edit'], 'a')}
      returning 1 as recorded`,
  )
  return row !== null
}

/** As an asset would be created with it. */
function captureOf({ date, dateZone, datePrecision = 'minute', location, alt }: FoundInFile): Capture {
  const place = { location: location ?? null, alt: alt || null }
  if (!date || datePrecision === 'unknown') return { ...place, date: null, dateZone: null, datePrecision: 'unknown' }
  return { ...place, date, dateZone: dateZone ?? null, datePrecision }
}
