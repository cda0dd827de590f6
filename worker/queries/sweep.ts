import { type SQL, sql } from 'drizzle-orm'
import { LIMITS } from '../../contract/limits.ts'
import { type Db, firstRows, oneRow, present, rows } from '../db/client.ts'
import type { FilmObject } from './films.ts'
import { ITEMS, type ItemKind, texts, unattached, uuids } from './permissions.ts'
import { lockForDeletion } from './usage.ts'

/** Rows per run of a step; the next minute's run continues. */
const BATCH = 100
/** The change log grows faster than other tables. */
const LOG_BATCH = 1_000

/** An asset whose row was deleted: its files, and the parts of unfinished uploads of it and its film, must be removed from storage. */
export interface DeletedAsset {
  id: string
  r2UploadId: string | null
  films: FilmObject[]
}

/** Deletes items for which these conditions on `i` hold, a batch of each kind. */
async function deleteItems(db: Db, where: Record<ItemKind, SQL>): Promise<DeletedAsset[]> {
  const some = (kind: ItemKind) => sql`array(select i.id::text from ${ITEMS[kind].table} i where ${where[kind]} limit ${BATCH})`
  const found = await oneRow<{ posts: string[]; assets: string[] }>(db, sql`select ${some('post')} as posts, ${some('asset')} as assets`)
  const { posts, assets } = found
  if (posts.length + assets.length === 0) return []
  const [, outcome] = await firstRows<[unknown, { deleted: DeletedAsset[] }]>(
    db,
    lockForDeletion(found),
    sql`with posts_gone as (delete from posts i where i.id = any(${uuids(posts)}) and ${where.post}),
    gone as (delete from assets i where i.id = any(${uuids(assets)}) and ${where.asset} returning i.id)
    select coalesce(json_agg(json_build_object('id', gone.id, 'r2UploadId', u.r2_upload_id, 'films', (
      select coalesce(json_agg(json_build_object('id', f.id, 'assetId', f.asset_id, 'r2UploadId', f.r2_upload_id)), '[]')
      from films f where f.asset_id = gone.id and not f.ready))), '[]') as deleted
    from gone left join uploads u on u.asset_id = gone.id`,
  )
  return present(outcome).deleted
}

/** Deletes unfinished uploads that have expired. */
export function deleteStaleUploads(db: Db): Promise<DeletedAsset[]> {
  return deleteItems(db, {
    post: sql`false`,
    asset: sql`i.status = 'uploading' and coalesce((select u.created_at from uploads u where u.asset_id = i.id), i.created_at)
      < now() - make_interval(days => ${LIMITS.uploadDays})`,
  })
}

/** Deletes items whose time in the trash has expired. */
export function deleteOldTrash(db: Db): Promise<DeletedAsset[]> {
  const old = sql`i.deleted_at < now() - make_interval(days => ${LIMITS.trashDays})`
  return deleteItems(db, { post: old, asset: old })
}

/** Moves items of deleted accounts that are in no collection any more to the trash, from where Undo brings them back. Nobody could find them. */
export async function trashItemsOfDeleted(db: Db): Promise<void> {
  const trashed = (kind: ItemKind) => sql`update ${ITEMS[kind].table} set deleted_at = now() where id in (
      select i.id from ${ITEMS[kind].table} i join users u on u.id = i.user_id and u.deleted_at is not null
      where ${ITEMS[kind].live} and ${unattached(kind)} limit ${BATCH} for update of i skip locked)`
  await firstRows(db, trashed('post'), trashed('asset'))
}

/** Deletes edits that can no longer be undone. */
export async function deleteOldEdits(db: Db): Promise<void> {
  await rows(
    db,
    sql`delete from edits where id in (
      select id from edits where created_at < now() - make_interval(days => ${LIMITS.undoDays}) limit ${BATCH} for update skip locked)`,
  )
}

/** Deletes the rows of guests whose link is gone, and of whom nothing is left. */
export async function deleteForgottenGuests(db: Db): Promise<void> {
  const left = ['comments', 'reactions', 'edits', 'assets', 'asset_collections'].map(
    (table) => sql`and not exists (select from ${sql.raw(table)} x where x.user_id = u.id)`,
  )
  await rows(
    db,
    sql`delete from users where id in (
      select u.id from users u where u.id like 'guest:%' and not exists (select from guests g where u.id = 'guest:' || g.id) ${sql.join(left, sql` `)}
      limit ${BATCH} for update skip locked)`,
  )
}

/** Moves files of guests that are nowhere any more to the trash: their collection was deleted, or they were taken out of it. Nobody could find them. */
export async function trashOrphansOfGuests(db: Db): Promise<void> {
  await rows(
    db,
    sql`update assets set deleted_at = now() where id in (
      select a.id from assets a where a.user_id like 'guest:%' and a.deleted_at is null and a.status = 'ready'
        and not exists (select from asset_collections l where l.asset_id = a.id) and not exists (select from contributions w where w.asset_id = a.id)
      limit ${BATCH} for update skip locked)`,
  )
}

/** Deletes comments of which nothing is shown, and the text of others, once their deletion can neither be undone nor is asked for with `since`. */
export async function deleteOldComments(db: Db): Promise<void> {
  const old = sql`deleted_at < now() - make_interval(days => ${Math.max(LIMITS.undoDays, LIMITS.logDays)})`
  await rows(
    db,
    sql`with gone as (
      delete from comments where id in (select id from comments where ${old} and not shown limit ${BATCH} for update skip locked)
    )
    update comments set text = '', mentions = '[]', original_author = null where id in (
      select id from comments where ${old} and shown and text <> '' limit ${BATCH} for update skip locked)`,
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

/** Deletes links that ended, or whose time was over, `endedLinkDays` ago, with their guests and views. */
export async function deleteEndedLinks(db: Db): Promise<void> {
  await rows(
    db,
    sql`delete from links where id in (
      select id from links where least(ended_at, ends_at) < now() - make_interval(days => ${LIMITS.endedLinkDays}) limit ${BATCH} for update skip locked)`,
  )
}

/** Deletes groups whose last part has left them before `undoDays`: undoing that would have brought it back. */
export async function deleteEmptyGroups(db: Db): Promise<void> {
  const empty = sql`g.emptied_at < now() - make_interval(days => ${LIMITS.undoDays})
    and not exists (select from asset_collections l where l.group_id = g.id)`
  const found = await rows<{ id: string; collection_id: string }>(
    db,
    sql`select g.id, g.collection_id from groups g where ${empty} limit ${BATCH}`,
  )
  if (found.length === 0) return
  await firstRows(
    db,
    sql`select lock_collections(${uuids(found.map((group) => group.collection_id))})`,
    sql`delete from groups g where g.id = any(${uuids(found.map(({ id }) => id))}) and ${empty}`,
  )
}

const expiredCollections = sql`select id from collections where deleted_at < now() - make_interval(days => ${LIMITS.trashDays})`

/** Unlinks items from collections that were deleted more than `trashDays` ago. The items themselves stay with their authors. */
export async function deleteExpiredLinks(db: Db, kind: ItemKind): Promise<void> {
  const { links, key } = ITEMS[kind]
  await firstRows(
    db,
    sql`select lock_collections(array(${expiredCollections}))`,
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

/** The id under which the bucket belongs to this database. */
export async function findSite(db: Db): Promise<string> {
  const { id } = await oneRow<{ id: string }>(db, sql`select id from site`)
  return id
}

/** Remembers since when objects have no row. */
export async function insertOrphans(db: Db, keys: readonly string[]): Promise<void> {
  await rows(db, sql`insert into orphans (key) select unnest(${texts(keys)}) on conflict do nothing`)
}

/** Keys of objects that had no row `orphanDays` ago. They may have one by now. */
export async function listOldOrphans(db: Db, limit: number): Promise<string[]> {
  const old = await rows<{ key: string }>(
    db,
    sql`select key from orphans where found_at < now() - make_interval(days => ${LIMITS.orphanDays}) limit ${limit}::int`,
  )
  return old.map(({ key }) => key)
}

export async function deleteOrphans(db: Db, keys: readonly string[]): Promise<void> {
  await rows(db, sql`delete from orphans where key = any(${texts(keys)})`)
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
