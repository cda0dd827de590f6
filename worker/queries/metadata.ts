import { type SQL, sql } from 'drizzle-orm'
import type { NewAsset } from '../../contract/assets.ts'
import type { Capture } from '../../contract/photos/capture.ts'
import { type Db, rows } from '../db/client.ts'
import { uuids } from './permissions.ts'

/** `assets.metadata_read` of files that today's reader has read. */
const READER = 1

/** A photo whose file is read. */
export interface UnreadPhoto {
  id: string
  name: string
  /** The author's choice of time zone, for photos that do not say theirs. */
  zone: string | null
}

/** What a file says of itself. `contentId` is the camera's identifier of its shot. */
export interface FileSays extends Capture {
  contentId: string | null
}

/** Of asset `i`. */
export const ZONE_OF_AUTHOR = sql`(select u.time_zone from users u where u.id = i.user_id)`

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
 * Whether asset `i`, from before there was `metadata_read`, was only uploaded: inserted, made ready, and given its renditions, one by one or at
 * once. Copies have what their original had when it was copied.
 */
const ONLY_UPLOADED = sql`i.copy = 0 and i.version <= 2 + (select count(*) from jsonb_object_keys(i.renditions))`

/** Photos per run of the minute's task: each takes one call of storage, up to 8 MiB, and one of the database. */
const BATCH = 25
/** Rows per run that are looked at: most lack nothing, or were edited. */
const LOOKED_AT = 500

/**
 * Claims photos that no reader has read, the oldest first, and returns those that lack something and are as uploaded. They are claimed for good,
 * so that one that ends the worker is not tried again. Those that soon get renditions are read then.
 */
export function claimUnread(db: Db): Promise<UnreadPhoto[]> {
  return rows<UnreadPhoto>(
    db,
    // The first conditions are those of the index assets_unread.
    sql`with due as materialized (
      select i.id, i.created_at, (i.date is null or i.lat is null or i.alt is null or i.content_id is null) and ${ONLY_UPLOADED} and ${asUploaded('i')} as wanted
      from assets i
      where i.metadata_read is null and i.status = 'ready' and i.deleted_at is null and i.version > 1
        and i.type in ('image/jpeg', 'image/png', 'image/webp', 'image/heic', 'image/heif', 'image/avif', 'image/tiff', 'image/jxl')
        and not exists (select from missing_renditions r where r.asset_id = i.id and r.due_at > now())
      order by i.created_at limit ${LOOKED_AT}::int for no key update of i skip locked
    ),
    chosen as (
      select id, wanted from (select *, row_number() over (partition by wanted order by created_at) as nth from due) d
      where not wanted or nth <= ${BATCH}::int
    ),
    claimed as (update assets a set metadata_read = ${READER}::smallint from chosen where a.id = chosen.id returning a.id)
    select i.id, i.name, ${ZONE_OF_AUTHOR} as zone from chosen join claimed using (id) join assets i on i.id = chosen.id where chosen.wanted`,
  )
}

/** For photos that were claimed and could not be read now. */
export async function unclaim(db: Db, ids: readonly string[]): Promise<void> {
  await rows(db, sql`update assets set metadata_read = null where id = any(${uuids(ids)}) and metadata_read = ${READER}::smallint`)
}

/** Fills those of these fields that asset `a` lacks, unless it was edited or removed meanwhile. */
export async function recordMetadata(db: Db, id: string, says: FileSays): Promise<void> {
  await rows(db, sql`update assets a set ${filledFrom(says)} where id = ${id}`)
}

/** What to set of asset `a`. What a person can edit stays if it is there, or if it was edited or removed meanwhile. */
export function filledFrom({ date, dateZone, datePrecision, location, alt, contentId }: FileSays): SQL {
  return sql`content_id = coalesce(a.content_id, ${contentId}::text), (date, date_zone, date_precision, lat, lon, alt, metadata_read) = (
    select case when dated then ${date}::timestamptz else a.date end, case when dated then ${dateZone}::text else a.date_zone end,
      case when dated then ${datePrecision}::text else a.date_precision end,
      case when placed then ${location?.lat ?? null}::float8 else a.lat end, case when placed then ${location?.lon ?? null}::float8 else a.lon end,
      case when free then coalesce(a.alt, ${alt}::text) else a.alt end, coalesce(a.metadata_read, ${READER}::smallint)
    from (select free, free and a.date is null and ${date !== null}::boolean as dated, free and a.lat is null as placed
      from (select coalesce(a.metadata_read, ${READER}::smallint) = ${READER}::smallint and ${asUploaded('a')} as free offset 0) f) g)`
}
