import { type SQL, sql } from 'drizzle-orm'
import type { Asset, AssetEdit } from '../../contract/assets.ts'
import { isGuestUser } from '../../contract/links.ts'
import type { ListQuery } from '../../contract/paging.ts'
import type { Places } from '../../contract/places.ts'
import { type Db, firstRow, firstRows } from '../db/client.ts'
import { answersToItem, pageAnswer } from './answers.ts'
import { ASSET_FIELDS, assetJson, fileVersionOf, memberAssetJson } from './asset-shape.ts'
import { snapshotFields } from './author-snapshots.ts'
import { lockItems, stillInOf } from './bulk.ts'
import { assignLocation, dateValues } from './date-and-location.ts'
import { recordAfter, recordBefore, type Scope } from './edits.ts'
import { pageGroup } from './group-shape.ts'
import { type ListPage, listItems } from './paging.ts'
import { awaitsAnswerOf, type Caller, linksSeenBy, onlyCollection, permittedEdit, uuids, visibleItem } from './permissions.ts'
import { filePlace } from './places.ts'
import { removalOf } from './removal.ts'

/** `known` is the caller's If-None-Match. */
export function listAssets(db: Db, userId: string, { query, known }: { query: ListQuery; known?: string | undefined }): Promise<ListPage> {
  const fields = query.form && { ...ASSET_FIELDS, group: pageGroup, answers: pageAnswer }
  const json = query.collection_id ? memberAssetJson(userId, { group: pageGroup, answers: pageAnswer }) : assetJson(userId)
  return listItems(db, { kind: 'asset', userId, query, json, fields, known })
}

const readAsset = (userId: string, id: string, answers?: SQL) =>
  sql`select ${assetJson(userId, answers)} as asset from assets i where i.id = ${id} and ${visibleItem('asset', userId)}`

/** Null if the caller does not see the asset, or it is not in the given collection. */
export async function findAsset(db: Db, userId: string, id: string, collectionId?: string): Promise<Asset | null> {
  const answers = collectionId ? answersToItem('asset', userId, collectionId) : undefined
  const inCollection = collectionId ? sql`and exists (select ${linksSeenBy('asset', userId)} and l.collection_id = ${collectionId})` : sql``
  return (await firstRow<{ asset: Asset }>(db, sql`${readAsset(userId, id, answers)} ${inCollection}`))?.asset ?? null
}

export interface StoredFile {
  id: string
  name: string
  type: string
  size: number
  checksum: string
  renditions: Record<string, string>
  /** Of the file, not of the asset: an edited description does not change it. */
  version: number
}

export interface SeenFile extends StoredFile {
  /** What the caller may learn of a place from its bytes. */
  place: Places
}

/** Null if the caller does not see the asset, or while it is being uploaded. */
export async function findFile(db: Db, userId: string, id: string): Promise<SeenFile | null> {
  const row = await firstRow<Omit<SeenFile, 'size'> & { size: string }>(
    db,
    sql`select i.id, coalesce((${snapshotFields('asset', userId)}) ->> 'name', i.name) as name, i.type, i.size, i.checksum, i.renditions, ${fileVersionOf('i')} as version,
        ${filePlace(userId)} as place
      from assets i where i.id = ${id} and i.status = 'ready' and (${visibleItem('asset', userId)} or ${awaitsAnswerOf(userId)})`,
  )
  return row && { ...row, size: Number(row.size) }
}

/** Outcome of a write, and the row after it. `foreign` are ids that the caller may not use. */
export interface AssetWrite {
  outcome: 'done' | 'missing' | 'forbidden' | 'conflict' | 'foreign'
  foreign: string[]
  asset: Asset | null
}

type Decision = { outcome: AssetWrite['outcome']; foreign: string[] }

export interface Replacement {
  id: string
  edit: AssetEdit
  /** Expected version; undefined accepts any. */
  version: number | undefined
  /** Undoes the edit. */
  changeId: string
}

const SCOPE: Scope = { assets: sql`jsonb_build_array(id)` }

/**
 * Replaces the editable fields. A missing field becomes empty, except the name. Tags of people in collections that the caller does not
 * see stay. A guest does not bring to light what somebody else has placed and hidden. Of two concurrent edits of one version, the second gets
 * `conflict`. Rows are locked before any trigger locks a collection.
 */
export async function replaceAsset(
  { db, user, checks }: Caller<'item.edit'>,
  { id, edit, version, changeId }: Replacement,
): Promise<AssetWrite> {
  const userId = user.id
  const people = uuids(edit.peopleIds ?? [])
  const hidden = sql`coalesce(${edit.placeHidden ?? null}::boolean, a.place_hidden)`
  const mine = sql`exists (select from people p join memberships m on m.collection_id = p.collection_id and m.user_id = ${userId}
    where p.id = ap.person_id)`
  const [, decision, , after] = await firstRows<[unknown, Decision, unknown, { asset: Asset }]>(
    db,
    lockItems({ kind: 'asset', userId, ids: [id] }, { people: edit.peopleIds }),
    sql`with target as materialized (
      select i.* from assets i where i.id = ${id} and ${visibleItem('asset', userId)} for no key update of i
    ),
    known as materialized (
      select p.id from people p where p.id = any(${people})
        and p.collection_id in (select l.collection_id from target i, lateral (select l.collection_id ${linksSeenBy('asset', userId)}) l)
      for key share of p
    ),
    foreigners as materialized (select array(select unnest(${people})::text except select id::text from known) as ids),
    decision as materialized (
      select i.id, foreigners.ids as foreign_ids,
        case when not ${permittedEdit('asset', userId, checks['item.edit'])} then 'forbidden'
          when i.version <> coalesce(${version ?? null}::int, i.version) then 'conflict'
          when foreigners.ids <> '{}' then 'foreign' else 'done' end as outcome
      from target i, foreigners
    ),
    open as materialized (select id from decision where outcome = 'done'),
    ${recordBefore({ changeId, userId, action: 'edit' }, SCOPE)},
    untagged as (
      delete from asset_people ap using decision d
      where d.outcome = 'done' and ap.asset_id = d.id and ap.person_id <> all(${people}) and ${mine} returning 1
    ),
    tagged as (
      insert into asset_people (asset_id, person_id) select d.id, known.id from decision d, known
      where d.outcome = 'done' on conflict do nothing returning 1
    ),
    changed as (
      update assets a set name = coalesce(${edit.name ?? null}, a.name), alt = ${edit.alt || null},
        (date, date_zone, date_precision) = (select ${dateValues(edit)}), ${assignLocation('a', edit.location, userId)},
        place_hidden = ${isGuestUser(userId) ? sql`(a.place_hidden and a.placed_by_other) or ${hidden}` : hidden},
        version = a.version + (exists (select from untagged) or exists (select from tagged))::int
      from decision d where d.outcome = 'done' and a.id = d.id
    )
    select outcome, foreign_ids as foreign from decision`,
    recordAfter(changeId, SCOPE),
    readAsset(userId, id),
  )
  return { outcome: decision?.outcome ?? 'missing', foreign: decision?.foreign ?? [], asset: after?.asset ?? null }
}

/** `discarded` and `r2UploadId` are of an unfinished upload, whose parts may still be in storage. */
export interface TrashOutcome {
  outcome: AssetWrite['outcome']
  discarded: boolean
  r2UploadId: string | null
  /** Collections of the caller in which the asset still is. */
  stillIn: string[]
}

/** Removes an asset (`removalOf`). An unfinished upload cannot be restored, so its row is deleted at once. */
export async function trashAsset(
  { db, user, checks }: Caller<'item.remove'>,
  { id, changeId }: { id: string; changeId: string },
): Promise<TrashOutcome> {
  const userId = user.id
  const removal = removalOf('asset', userId, checks)
  const [, , row] = await firstRows<[unknown, unknown, TrashOutcome, unknown]>(
    db,
    sql`select lock_for_deletion('{}', array(select id from assets where id = ${id} and user_id = ${userId} and status = 'uploading'))`,
    lockItems({ kind: 'asset', userId, ids: [id] }),
    sql`with target as materialized (
      select i.id, i.user_id, i.status, u.r2_upload_id, i.status = 'uploading' and not exists (
        select from asset_collections l where l.asset_id = i.id and l.collection_id <> ${onlyCollection}) as discardable
      from assets i left join uploads u on u.asset_id = i.id where i.id = ${id} and ${visibleItem('asset', userId)} for no key update of i
    ),
    ${removal.relations}
    open as materialized (select i.id from target i where i.status = 'ready' and ${removal.permitted}),
    ${recordBefore({ changeId, userId, action: 'trash' }, removal.scope)},
    ${removal.writes},
    discarded as (
      delete from assets a using target t where t.discardable and a.id = t.id and a.status = 'uploading' returning a.id
    )
    select case when i.discardable or exists (select from open) then 'done' else 'forbidden' end as outcome,
      exists (select from discarded) as discarded, i.r2_upload_id as "r2UploadId", ${stillInOf(removal.stillIn)} as "stillIn" from target i`,
    recordAfter(changeId, removal.scope),
  )
  return row ?? { outcome: 'missing', discarded: false, r2UploadId: null, stillIn: [] }
}
