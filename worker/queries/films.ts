import { sql } from 'drizzle-orm'
import type { Asset, Upload } from '../../contract/assets.ts'
import { FILM_GROWTH, type NewFilm } from '../../contract/films.ts'
import { LIMITS } from '../../contract/limits.ts'
import { type Db, firstRow, firstRows, present, rows } from '../db/client.ts'
import { assetJson, fileVersionOf } from './asset-shape.ts'
import type { SeenFile } from './assets.ts'
import { snapshotFields } from './author-snapshots.ts'
import { type Caller, isAwaited, ownItem, permittedAuthor, permittedEdit, uuids, visibleItem } from './permissions.ts'
import { filePlace } from './places.ts'
import type { StoredUpload } from './uploads.ts'
import { lockAccount, lockForDeletion } from './usage.ts'

// Playable films of videos. Triggers count them toward the quotas of the asset's author and collections: migrations/0039_films.sql.

type FilmCaller = Caller<'item.edit'>

/** A ready film; `version` and `name` are those of its asset's file. */
export interface StoredFilm extends Omit<SeenFile, 'renditions'> {
  asset_id: string
}

/** Null if the caller does not see the asset, or it has none. */
export async function findFilm(db: Db, userId: string, assetId: string): Promise<StoredFilm | null> {
  const row = await firstRow<Omit<StoredFilm, 'size'> & { size: string }>(
    db,
    sql`select f.id, f.asset_id, coalesce((${snapshotFields('asset', userId)}) ->> 'name', i.name) as name, f.type, f.size, f.checksum, ${fileVersionOf('i')} as version,
        ${filePlace(userId)} as place
      from assets i join films f on f.asset_id = i.id and f.ready
      where i.id = ${assetId} and i.status = 'ready' and ${visibleItem('asset', userId)}`,
  )
  return row && { ...row, size: Number(row.size) }
}

/** Key of a film in storage. `r2UploadId` as long as its parts are not put together. */
export interface FilmObject {
  id: string
  assetId: string
  r2UploadId: string | null
}

const filmJson = sql`json_build_object('id', id, 'assetId', asset_id, 'r2UploadId', r2_upload_id)`

/** An answer of `insertFilm`. `replaced` is the unfinished film that was there before. */
export interface BegunFilm {
  outcome: 'begun' | 'existing' | 'complete' | 'missing' | 'unfinished' | 'forbidden' | 'no-video' | 'too-large'
  upload: Upload | null
  replaced: FilmObject[]
}

/** Locks what the triggers of films change, in the order of all writers. */
const lockedAsset = (userId: string, assetId: string) =>
  sql`select from assets where id = ${assetId} and user_id = ${userId} for no key update`

/** Begins a film in place of another that is unfinished, or finds the same one. */
export async function insertFilm(
  { db, user, checks }: FilmCaller,
  { assetId, id, film }: { assetId: string; id: string; film: NewFilm },
): Promise<BegunFilm> {
  const { type, size, checksum } = film
  const parts = Math.ceil(size / LIMITS.partSize)
  const same = sql`f.asset_id = ${assetId} and f.checksum = ${checksum} and f.size = ${size}::bigint and f.type = ${type}`
  const decision = sql`select i.id, i.user_id, case when i.status <> 'ready' then 'unfinished'
      when not ${permittedAuthor('asset', user.id, checks['item.edit'])} or ${isAwaited} then 'forbidden'
      when i.type not like 'video/%' then 'no-video'
      when ${size}::bigint > i.size * ${FILM_GROWTH}::bigint then 'too-large'
      when exists (select from films f where ${same} and f.ready) then 'complete'
      when exists (select from films f where ${same} and not f.ready) then 'existing' else 'begun' end as outcome
    from assets i where i.id = ${assetId} and ${ownItem('asset', user.id)} and i.deleted_at is null`
  const [, , before, , upload] = await firstRows<
    [unknown, unknown, Pick<BegunFilm, 'outcome' | 'replaced'>, unknown, Upload & { id: string }]
  >(
    db,
    lockAccount(user.id),
    lockedAsset(user.id, assetId),
    sql`with decision as materialized (${decision}),
    gone as (
      delete from films f using decision d where d.outcome = 'begun' and f.asset_id = d.id and not f.ready
      returning f.id, f.asset_id, f.r2_upload_id
    )
    select outcome, coalesce((select json_agg(${filmJson}) from gone), '[]') as replaced
    from decision`,
    sql`insert into films (id, asset_id, user_id, type, size, checksum, part_size, parts)
      select ${id}::uuid, d.id, d.user_id, ${type}, ${size}::bigint, ${checksum}, ${LIMITS.partSize}::int, ${parts}::int
      from (${decision}) d where d.outcome = 'begun'`,
    sql`select f.part_size as "partSize", f.parts from films f where ${same} order by f.ready desc limit 1`,
  )
  return { outcome: before?.outcome ?? 'missing', replaced: before?.replaced ?? [], upload }
}

/** A film that is being sent. */
export interface UnfinishedFilm extends Omit<StoredUpload, 'status' | 'mayAdd'> {
  assetId: string
  /** The caller may still change its asset. */
  mayEdit: boolean
}

/** The asset's unfinished film, or `none` without one. Null if it is not the caller's asset, or in the trash. */
export async function findUnfinishedFilm({ db, user, checks }: FilmCaller, assetId: string): Promise<UnfinishedFilm | 'none' | null> {
  const row = await firstRow<Omit<UnfinishedFilm, 'size' | 'id'> & { id: string | null; size: string }>(
    db,
    sql`select f.id, i.id as "assetId", f.type, f.size, f.checksum, f.part_size as "partSize", f.parts, f.r2_upload_id as "r2UploadId", f.received,
        ${permittedAuthor('asset', user.id, checks['item.edit'])} and not ${isAwaited} as "mayEdit"
      from assets i left join films f on f.asset_id = i.id and not f.ready
      where i.id = ${assetId} and ${ownItem('asset', user.id)} and i.deleted_at is null`,
  )
  if (!row) return null
  return row.id === null ? 'none' : { ...row, id: row.id, size: Number(row.size) }
}

/**
 * Makes an unfinished film that of its asset, in place of another, whose object has to be removed. Null if it was finished, replaced or begun anew meanwhile, or if the caller may not change it any more.
 */
export async function markFilmReady(
  { db, user, checks }: FilmCaller,
  { id, assetId, r2UploadId }: FilmObject,
): Promise<{ asset: Asset; replaced: FilmObject[] } | null> {
  const unfinished = sql`select f.id, f.type from films f join assets i on i.id = f.asset_id and i.deleted_at is null
      and ${permittedAuthor('asset', user.id, checks['item.edit'])} and not ${isAwaited}
    where f.id = ${id} and not f.ready and f.r2_upload_id is not distinct from ${r2UploadId}::text`
  const [, , before, , after] = await firstRows<[unknown, unknown, { replaced: FilmObject[] }, unknown, { asset: Asset }]>(
    db,
    lockAccount(user.id),
    lockedAsset(user.id, assetId),
    // On its own, because there may be only one that is ready.
    sql`with gone as (
      delete from films f where f.asset_id = ${assetId} and f.ready and exists (${unfinished}) returning f.id, f.asset_id
    )
    select coalesce(json_agg(json_build_object('id', id, 'assetId', asset_id, 'r2UploadId', null)), '[]') as replaced from gone`,
    sql`with made as (
      update films f set ready = true, received = '{}', r2_upload_id = null from (${unfinished}) u where f.id = u.id returning f.type
    )
    update assets a set renditions = a.renditions || jsonb_build_object('film', made.type), version = a.version + 1, file_version = a.version + 1
    from made where a.id = ${assetId} and a.deleted_at is null`,
    sql`select ${assetJson(user.id)} as asset from assets i join films f on f.asset_id = i.id and f.id = ${id} and f.ready
      where i.id = ${assetId} and i.deleted_at is null`,
  )
  return after && { asset: after.asset, replaced: present(before).replaced }
}

/** An answer of `deleteFilms`: without `asset`, whose films these are, the caller may not delete them, or does not see it. */
interface DeletedFilms {
  outcome: 'deleted' | 'missing' | 'forbidden'
  gone: FilmObject[]
  asset: Asset | null
}

/** Deletes all films of an asset, also an unfinished one. */
export async function deleteFilms({ db, user, checks }: FilmCaller, assetId: string): Promise<DeletedFilms> {
  const [, before, , after] = await firstRows<[unknown, Omit<DeletedFilms, 'asset'>, unknown, { asset: Asset }]>(
    db,
    lockForDeletion({ assets: [assetId] }),
    sql`with seen as materialized (
      select i.id, ${permittedEdit('asset', user.id, checks['item.edit'])} as permitted from assets i
      where i.id = ${assetId} and i.status = 'ready' and ${visibleItem('asset', user.id)}
    ),
    gone as (delete from films f using seen where seen.permitted and f.asset_id = seen.id returning f.id, f.asset_id, f.r2_upload_id)
    select case when permitted then 'deleted' else 'forbidden' end as outcome, coalesce((select json_agg(${filmJson}) from gone), '[]') as gone from seen`,
    // On its own, because a film that is left is seen only now.
    sql`update assets a set renditions = a.renditions - 'film'
      where a.id = ${assetId} and a.renditions -> 'film' is not null and not exists (select from films f where f.asset_id = a.id and f.ready)`,
    sql`select ${assetJson(user.id)} as asset from assets i where i.id = ${assetId} and ${visibleItem('asset', user.id)}`,
  )
  return { outcome: before?.outcome ?? 'missing', gone: before?.gone ?? [], asset: after?.asset ?? null }
}

/** Deletes the unfinished film of the caller's asset, if it is still this one. */
export async function deleteUnfinishedFilm(db: Db, { id, assetId }: Pick<FilmObject, 'id' | 'assetId'>): Promise<FilmObject[]> {
  const [, after] = await firstRows<[unknown, { gone: FilmObject[] }]>(
    db,
    lockForDeletion({ assets: [assetId] }),
    sql`with gone as (delete from films f where f.id = ${id} and not f.ready returning f.id, f.asset_id, f.r2_upload_id)
    select coalesce(json_agg(${filmJson}), '[]') as gone from gone`,
  )
  return present(after).gone
}

/** Gives a copy of an asset its film. */
export async function insertCopiedFilm(
  { db, user }: Pick<Caller, 'db' | 'user'>,
  { id, assetId, film }: { id: string; assetId: string; film: StoredFilm },
): Promise<void> {
  await firstRows(
    db,
    lockAccount(user.id),
    lockedAsset(user.id, assetId),
    sql`insert into films (id, asset_id, user_id, ready, type, size, checksum, part_size, parts)
      values (${id}, ${assetId}, ${user.id}, true, ${film.type}, ${film.size}, ${film.checksum}, ${LIMITS.partSize}, 1)`,
  )
}

/** Films that are unfinished after `uploadDays`, deleted, at most a hundred. */
export async function deleteStaleFilms(db: Db): Promise<FilmObject[]> {
  const stale = sql`not f.ready and f.created_at < now() - make_interval(days => ${LIMITS.uploadDays})`
  const found = await rows<{ id: string }>(db, sql`select f.asset_id as id from films f where ${stale} limit 100`)
  if (found.length === 0) return []
  const assets = found.map(({ id }) => id)
  const [, after] = await firstRows<[unknown, { deleted: FilmObject[] }]>(
    db,
    lockForDeletion({ assets }),
    sql`with gone as (delete from films f where f.asset_id = any(${uuids(assets)}) and ${stale} returning f.id, f.asset_id, f.r2_upload_id)
    select coalesce(json_agg(${filmJson}), '[]') as deleted from gone`,
  )
  return present(after).deleted
}

/** Those of these films that have a row. */
export async function listKnownFilms(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const found = await rows<{ id: string }>(db, sql`select id from films where id = any(${uuids(ids)})`)
  return new Set(found.map(({ id }) => id))
}
