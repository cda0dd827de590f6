import { sql } from 'drizzle-orm'
import type { Asset } from '../../contract/assets.ts'
import type { RenditionName } from '../../contract/limits.ts'
import { LIMITS } from '../../contract/limits.ts'
import { type Db, firstRow, firstRows } from '../db/client.ts'
import type { ReceivedPart } from '../db/schema/uploads.ts'
import { assetJson, newlyLinked } from './asset-shape.ts'
import { type Caller, type Checks, isAwaited, linksSeenBy, ownItem, permittedAuthor, reusable, rolesFor } from './permissions.ts'

/** An upload of the caller, finished or not. `received` are the stored parts, by number. */
export interface StoredUpload {
  id: string
  status: 'uploading' | 'ready'
  type: string
  size: number
  checksum: string
  partSize: number
  parts: number
  r2UploadId: string | null
  received: Record<string, ReceivedPart>
  /** The caller may still add items to one of its collections, or it is in none. */
  mayAdd: boolean
}

const mayStillAdd = (userId: string, checks: Checks<'item.add'>) => sql`(
  not exists (select from asset_collections l where l.asset_id = i.id)
  or exists (select ${linksSeenBy('asset', userId)} and m.role = any(${rolesFor(checks['item.add'])})))`

export async function findUpload({ db, user, checks }: Caller<'item.add'>, id: string): Promise<StoredUpload | null> {
  const userId = user.id
  const row = await firstRow<Omit<StoredUpload, 'size'> & { size: string }>(
    db,
    sql`select i.id, i.status, i.type, i.size, i.checksum, coalesce(u.part_size, 0) as "partSize", coalesce(u.parts, 0) as parts,
        u.r2_upload_id as "r2UploadId", coalesce(u.received, '{}') as received, ${mayStillAdd(userId, checks)} as "mayAdd"
      from assets i left join uploads u on u.asset_id = i.id
      where i.id = ${id} and ${ownItem('asset', userId)} and i.deleted_at is null`,
  )
  return row && { ...row, size: Number(row.size) }
}

const OPEN = {
  uploads: (id: string) => sql`asset_id = ${id}`,
  films: (id: string) => sql`id = ${id} and not ready`,
}

/** Writes to the row of a file that comes in parts, as long as it is unfinished. */
export interface PartsRow {
  /** Stores the id of the multipart upload unless there is one. Returns the stored id, or null if the upload is finished. */
  claim(r2UploadId: string): Promise<string | null>
  /** Records a stored part. False if the upload was finished or restarted meanwhile: the part does not count. */
  record(r2UploadId: string | null, n: number, part: ReceivedPart): Promise<boolean>
  /** Clears all parts, so that they can be sent again. False if another request has done so. */
  reset(r2UploadId: string | null): Promise<boolean>
}

export function partsRow(db: Db, table: keyof typeof OPEN, id: string): PartsRow {
  const update = sql`update ${sql.identifier(table)} set`
  const isOpen = OPEN[table](id)
  const isSame = (r2UploadId: string | null) => sql`${isOpen} and r2_upload_id is not distinct from ${r2UploadId}::text`
  return {
    async claim(r2UploadId) {
      const row = await firstRow<{ r2UploadId: string }>(
        db,
        sql`${update} r2_upload_id = coalesce(r2_upload_id, ${r2UploadId}) where ${isOpen} returning r2_upload_id as "r2UploadId"`,
      )
      return row?.r2UploadId ?? null
    },
    async record(r2UploadId, n, part) {
      const row = await firstRow(
        db,
        sql`${update} received = received || jsonb_build_object(${String(n)}::text, ${JSON.stringify(part)}::jsonb)
          where ${isSame(r2UploadId)} returning 1 as recorded`,
      )
      return row !== null
    },
    async reset(r2UploadId) {
      const row = await firstRow(db, sql`${update} received = '{}', r2_upload_id = null where ${isSame(r2UploadId)} returning 1 as reset`)
      return row !== null
    },
  }
}

/** A file whose bytes are stored. `showable` as in `isWithinLimits`. */
export interface ReadyFile extends Pick<StoredUpload, 'id' | 'r2UploadId' | 'type'> {
  showable: boolean
  /** Media types of renditions that were stored with it. */
  renditions?: Partial<Record<RenditionName, string>>
}

/** Minutes in which a client may still send its own renditions. */
const GRACE = 1

/**
 * Marks the asset as ready, and unlinks it from collections to which the caller may no longer add items. If it is `drawable`, missing renditions
 * and thumbhash are noted. Unless it is `showable`, its declared size is cleared, because browsers show only originals of a known size that is within the limit. Null if
 * the upload was finished or restarted meanwhile. Violates `assets_one_per_file` if the caller has the same file already.
 */
export async function markReady(
  { db, user, checks }: Caller<'item.add'>,
  { id, r2UploadId, type, drawable, showable, renditions = {} }: ReadyFile & { drawable: boolean },
) {
  const userId = user.id
  const sizeStays = sql`(${showable} or a.width::bigint * a.height > ${LIMITS.imagePixels})`
  const all = (row: 'a' | 'i') => sql`${sql.raw(row)}.renditions || ${JSON.stringify(renditions)}::jsonb`
  const [, after] = await firstRows<[unknown, { asset: Asset }]>(
    db,
    sql`with ended as (
      delete from uploads where asset_id = ${id} and r2_upload_id is not distinct from ${r2UploadId}::text returning asset_id
    ),
    unlinked as (
      -- Of every collection that the user is in: a token for one collection must not unlink from others.
      delete from asset_collections l using ended where l.asset_id = ended.asset_id and not exists (
        select from members m join collections c on c.id = m.collection_id and c.deleted_at is null
        where m.collection_id = l.collection_id and m.user_id = ${userId} and m.role = any(${rolesFor(checks['item.add'])}))
    ),
    noted as (
      insert into missing_renditions (asset_id, due_at) select i.id, now() + make_interval(mins => ${GRACE})
      from ended join assets i on i.id = ended.asset_id where ${drawable} and (i.thumbhash is null or not (${all('i')}) ?& '{thumb,preview}')
      on conflict do nothing
    )
    update assets a set status = 'ready', type = ${type}, renditions = ${all('a')},
      width = case when ${sizeStays} then a.width end, height = case when ${sizeStays} then a.height end
    from ended where a.id = ended.asset_id and a.status = 'uploading'`,
    sql`select ${assetJson(userId)} as asset from assets i
      where i.id = ${id} and i.user_id = ${userId} and i.status = 'ready' and i.deleted_at is null`,
  )
  return after?.asset ?? null
}

/** The existing asset, and the collections to which it was linked now. */
interface Merged {
  asset: Asset
  linked: string[]
}

/**
 * Moves the links, tags and posts of the new asset to the caller's existing asset with the same file, and deletes the new row. Null if the
 * existing asset is gone.
 */
export async function mergeIntoDuplicate(
  { db, user, checks }: Caller<'item.add'>,
  upload: Pick<StoredUpload, 'id' | 'checksum'>,
): Promise<Merged | null> {
  const userId = user.id
  const same = sql`i.checksum = ${upload.checksum} and i.status = 'ready' and i.deleted_at is null
    and ${reusable(userId, checks['item.add'])}`
  const duplicate = sql`select i.id from assets i where ${same} order by i.copy limit 1`
  const unfinished = sql`a.id = ${upload.id} and a.user_id = ${userId} and a.status = 'uploading'`
  const [, , , after] = await firstRows<[unknown, unknown, unknown, Merged]>(
    db,
    sql`select lock_for_deletion('{}', array(select ${upload.id}::uuid union (${duplicate})))`,
    sql`select replace_asset_links(a.id, duplicate.id, ${userId}, ${rolesFor(checks['item.add'])})
      from (${duplicate}) duplicate, assets a where ${unfinished}`,
    sql`with duplicate as materialized (${duplicate}),
    tagged as (
      insert into asset_people (asset_id, person_id) select duplicate.id, ap.person_id
      from duplicate, asset_people ap where ap.asset_id = ${upload.id} on conflict do nothing
    ),
    posted as (
      insert into post_assets (post_id, asset_id, position) select pa.post_id, duplicate.id, pa.position
      from duplicate, post_assets pa where pa.asset_id = ${upload.id} on conflict do nothing
    )
    delete from assets a using duplicate where ${unfinished}`,
    sql`select ${assetJson(userId)} as asset, ${newlyLinked} as linked from assets i where i.id in (${duplicate})`,
  )
  return after
}

/** Makes the unfinished upload another copy of the file, because the ready ones are none that the caller may add to collections. */
export async function becomeCopy(
  { db, user }: Pick<Caller, 'db' | 'user'>,
  { id, checksum }: Pick<StoredUpload, 'id' | 'checksum'>,
): Promise<void> {
  await firstRow(
    db,
    sql`update assets a set copy = (select max(i.copy) + 1 from assets i
        where i.user_id = a.user_id and i.checksum = ${checksum} and i.status = 'ready' and i.deleted_at is null)
      where a.id = ${id} and a.user_id = ${user.id} and a.status = 'uploading' and exists (select from assets i
        where i.user_id = a.user_id and i.checksum = ${checksum} and i.status = 'ready' and i.deleted_at is null) returning 1 as numbered`,
  )
}

/** True if the caller is the author and may still add the unfinished upload, or edit the ready asset. Null if it is not their asset. */
export async function mayAddRendition({ db, user, checks }: Caller<'item.add' | 'item.edit'>, id: string): Promise<boolean | null> {
  const userId = user.id
  const row = await firstRow<{ allowed: boolean }>(
    db,
    sql`select case when i.status = 'ready' then ${permittedAuthor('asset', userId, checks['item.edit'])} and not ${isAwaited} else ${mayStillAdd(userId, checks)} end as allowed
      from assets i where i.id = ${id} and ${ownItem('asset', userId)} and i.deleted_at is null`,
  )
  return row?.allowed ?? null
}

/** Records a stored rendition with its media type, also of an asset in the trash, which may come back. False if the asset was deleted meanwhile. */
export async function recordRendition(db: Db, id: string, { name, type }: { name: string; type: string }): Promise<boolean> {
  const row = await firstRow(
    db,
    // Always counts both versions up, because URLs of renditions contain that of the file; its trigger sets it to the other.
    sql`update assets set renditions = renditions || jsonb_build_object(${name}::text, ${type}::text), version = version + 1,
        file_version = version + 1 where id = ${id} returning 1 as recorded`,
  )
  return row !== null
}
