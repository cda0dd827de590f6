import { sql } from 'drizzle-orm'
import { LIMITS } from '../../contract/limits.ts'
import { type Db, firstRow, rows } from '../db/client.ts'
import { ITEMS, type ItemKind, uuids } from './permissions.ts'

/** Rows per run of a step; the next minute's run continues. Locked rows are skipped: another run has them. */
const BATCH = 100
/** The change log grows faster than other tables. */
const LOG_BATCH = 1_000

/** Deletes expired unfinished uploads. The caller must remove their parts and files from storage. */
export function deleteStaleUploads(db: Db): Promise<{ id: string; r2UploadId: string | null }[]> {
  return rows(
    db,
    sql`with stale as materialized (
      select a.id, u.r2_upload_id from assets a left join uploads u on u.asset_id = a.id
      where a.status = 'uploading' and coalesce(u.created_at, a.created_at) < now() - make_interval(days => ${LIMITS.uploadDays})
      limit ${BATCH} for update of a skip locked
    ),
    gone as (delete from assets a using stale where a.id = stale.id returning a.id)
    select id, r2_upload_id as "r2UploadId" from stale`,
  )
}

/** Deletes items whose time in the trash has expired. Returns the ids of the assets, whose files the caller must remove. */
export async function deleteOldTrash(db: Db): Promise<string[]> {
  const old = sql`deleted_at < now() - make_interval(days => ${LIMITS.trashDays}) limit ${BATCH} for update skip locked`
  const row = await firstRow<{ ids: string[] }>(
    db,
    sql`with posts_gone as (delete from posts where id in (select id from posts where ${old})),
    gone as (delete from assets where id in (select id from assets where ${old}) returning id)
    select array(select id::text from gone) as ids`,
  )
  return row?.ids ?? []
}

/** Deletes edits that can no longer be undone. */
export async function deleteOldEdits(db: Db): Promise<void> {
  await rows(
    db,
    sql`delete from edits where id in (
      select id from edits where created_at < now() - make_interval(days => ${LIMITS.undoDays}) limit ${BATCH} for update skip locked)`,
  )
}

/**
 * Deletes published changes that are older than `logDays` (an older `since` gets 410). A change stays as long as an earlier one of its
 * collection does: with a gap in the log, `since` would miss changes.
 */
export async function deleteOldChanges(db: Db): Promise<void> {
  const old = sql`ch.created_at < now() - make_interval(days => ${LIMITS.logDays})`
  const earlier = sql`from changes e where e.collection_id = ch.collection_id and e.revision < ch.revision`
  await rows(
    db,
    sql`with batch as materialized (
      select id from changes ch where ${old} and published_at is not null
        and not exists (select ${earlier} and (e.published_at is null or e.created_at >= now() - make_interval(days => ${LIMITS.logDays})))
      order by created_at, id limit ${LOG_BATCH} for update skip locked
    )
    delete from changes ch using batch where ch.id = batch.id and not exists (select ${earlier} and e.id not in (select id from batch))`,
  )
}

const expiredCollections = sql`select id from collections where deleted_at < now() - make_interval(days => ${LIMITS.trashDays})`

/** Unlinks items from collections that were deleted more than `trashDays` ago. The items themselves stay with their authors. */
export async function deleteExpiredLinks(db: Db, kind: ItemKind): Promise<void> {
  const { links, key } = ITEMS[kind]
  await rows(
    db,
    sql`delete from ${links} where (collection_id, ${key}) in (
      select collection_id, ${key} from ${links} where collection_id in (${expiredCollections}) limit ${BATCH} for update skip locked)`,
  )
}

/** Deletes empty collections that were deleted more than `trashDays` ago, with their members, people and invitations. */
export async function deleteExpiredCollections(db: Db): Promise<void> {
  const empty = (kind: ItemKind) => sql`not exists (select from ${ITEMS[kind].links} l where l.collection_id = collections.id)`
  await rows(
    db,
    sql`delete from collections where id in (
      ${expiredCollections} and ${empty('post')} and ${empty('asset')} limit ${BATCH} for update skip locked)`,
  )
}

/** Those of these ids that have a row. */
export async function listKnownAssets(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const found = await rows<{ id: string }>(db, sql`select id from assets where id = any(${uuids(ids)})`)
  return new Set(found.map(({ id }) => id))
}

/** Ids of ready assets with `after` < id ≤ `until` (null: no upper bound), at most `limit`. */
export async function listReadyAssets(
  db: Db,
  { after, until, limit }: { after: string; until: string | null; limit: number },
): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    sql`select id from assets where status = 'ready' and id > ${after}::uuid and (${until}::uuid is null or id <= ${until}::uuid) order by id limit ${limit}::int`,
  )
  return found.map(({ id }) => id)
}
