import { sql } from 'drizzle-orm'
import type { Asset } from '../../contract/assets.ts'
import { type Db, firstRow, firstRows } from '../db/client.ts'
import type { ReceivedPart } from '../db/schema.ts'
import { assetJson, newlyLinked } from './asset-shape.ts'
import { type Caller, type Checks, linksSeenBy, permittedItem, rolesFor } from './permissions.ts'

/** An upload of the caller's own, finished or not. `received` holds the parts that storage has, by number. */
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
  /** Whether the caller may still add to one of its collections, or it is in none. */
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
      where i.id = ${id} and i.user_id = ${userId} and i.deleted_at is null`,
  )
  return row && { ...row, size: Number(row.size) }
}

/** Which multipart upload of storage the parts go to, once one has begun: the first writer's wins and is returned. Null when the upload is over. */
export async function claimMultipart(db: Db, id: string, r2UploadId: string): Promise<string | null> {
  const row = await firstRow<{ r2UploadId: string }>(
    db,
    sql`update uploads set r2_upload_id = coalesce(r2_upload_id, ${r2UploadId}) where asset_id = ${id} returning r2_upload_id as "r2UploadId"`,
  )
  return row?.r2UploadId ?? null
}

export interface PartRecord {
  id: string
  r2UploadId: string | null
  n: number
  part: ReceivedPart
}

/** Notes a part that storage has. False when the upload has ended or begun anew in the meantime, so that the part counts for nothing. */
export async function recordPart(db: Db, { id, r2UploadId, n, part }: PartRecord): Promise<boolean> {
  const row = await firstRow(
    db,
    sql`update uploads u set received = u.received || jsonb_build_object(${String(n)}::text, ${JSON.stringify(part)}::jsonb)
      where u.asset_id = ${id} and u.r2_upload_id is not distinct from ${r2UploadId}::text returning 1 as recorded`,
  )
  return row !== null
}

/** Forgets all parts, so that they can be sent again. False when somebody else has done it already. */
export async function resetUpload(db: Db, id: string, r2UploadId: string | null): Promise<boolean> {
  const row = await firstRow(
    db,
    sql`update uploads set received = '{}', r2_upload_id = null
      where asset_id = ${id} and r2_upload_id is not distinct from ${r2UploadId}::text returning 1 as reset`,
  )
  return row !== null
}

/**
 * The row becomes ready, and leaves the collections that the caller may no longer add to. Null when the upload is over or was begun
 * anew since. Throws a violation of `assets_one_per_file` when the caller has the same file already.
 */
export async function markReady(
  { db, user, checks }: Caller<'item.add'>,
  { id, r2UploadId, type }: Pick<StoredUpload, 'id' | 'r2UploadId' | 'type'>,
) {
  const userId = user.id
  const [, after] = await firstRows<[unknown, { asset: Asset }]>(
    db,
    sql`with ended as (
      delete from uploads where asset_id = ${id} and r2_upload_id is not distinct from ${r2UploadId}::text returning asset_id
    ),
    unlinked as (
      delete from asset_collections l using ended where l.asset_id = ended.asset_id and not exists (
        select from members m join collections c on c.id = m.collection_id and c.deleted_at is null
        where m.collection_id = l.collection_id and m.user_id = ${userId} and m.role = any(${rolesFor(checks['item.add'])}))
    )
    update assets a set status = 'ready', type = ${type} from ended where a.id = ended.asset_id and a.status = 'uploading'`,
    sql`select ${assetJson(userId)} as asset from assets i
      where i.id = ${id} and i.user_id = ${userId} and i.status = 'ready' and i.deleted_at is null`,
  )
  return after?.asset ?? null
}

/** The file that was there first, and the collections that it is new in. */
interface Merged {
  asset: Asset
  linked: string[]
}

/**
 * The caller has the same file already: its links, tags and places in posts go to that one, and the new row goes. Null when the
 * other one is no longer there.
 */
export async function mergeIntoDuplicate(
  { db, user, checks }: Caller<'item.add'>,
  upload: Pick<StoredUpload, 'id' | 'checksum'>,
): Promise<Merged | null> {
  const userId = user.id
  const duplicate = sql`i.user_id = ${userId} and i.checksum = ${upload.checksum} and i.status = 'ready' and i.deleted_at is null`
  const [, after] = await firstRows<[unknown, Merged]>(
    db,
    sql`with duplicate as materialized (select i.id from assets i where ${duplicate} for update),
    linked as (
      insert into asset_collections (collection_id, user_id, asset_id) select l.collection_id, l.user_id, duplicate.id
      from duplicate, asset_collections l join members m on m.collection_id = l.collection_id and m.user_id = ${userId}
      where l.asset_id = ${upload.id} and m.role = any(${rolesFor(checks['item.add'])}) on conflict do nothing
    ),
    tagged as (
      insert into asset_people (asset_id, person_id) select duplicate.id, ap.person_id
      from duplicate, asset_people ap where ap.asset_id = ${upload.id} on conflict do nothing
    ),
    posted as (
      insert into post_assets (post_id, asset_id, position) select pa.post_id, duplicate.id, pa.position
      from duplicate, post_assets pa where pa.asset_id = ${upload.id} on conflict do nothing
    )
    delete from assets a using duplicate where a.id = ${upload.id} and a.user_id = ${userId} and a.status = 'uploading'`,
    sql`select ${assetJson(userId)} as asset, ${newlyLinked} as linked from assets i where ${duplicate}`,
  )
  return after
}

/** Whether the caller may send renditions of this asset: their own, being uploaded to where they may add, or ready and theirs to edit. */
export async function mayAddRendition({ db, user, checks }: Caller<'item.add' | 'item.edit'>, id: string): Promise<boolean | null> {
  const userId = user.id
  const row = await firstRow<{ allowed: boolean }>(
    db,
    sql`select case when i.status = 'ready' then ${permittedItem('asset', userId, checks['item.edit'])} else ${mayStillAdd(userId, checks)} end as allowed
      from assets i where i.id = ${id} and i.user_id = ${userId} and i.deleted_at is null`,
  )
  return row?.allowed ?? null
}

/** Notes a rendition that storage has, with its media type. False when the asset has gone meanwhile. */
export async function recordRendition(db: Db, id: string, { name, type }: { name: string; type: string }): Promise<boolean> {
  const row = await firstRow(
    db,
    // The version counts up even where a picture of the same type is replaced: addresses of renditions carry it.
    sql`update assets set renditions = renditions || jsonb_build_object(${name}::text, ${type}::text), version = version + 1
      where id = ${id} and deleted_at is null returning 1 as recorded`,
  )
  return row !== null
}
