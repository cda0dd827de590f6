import { sql } from 'drizzle-orm'
import type { GroupKind } from '../../contract/group.ts'
import type { NewGroup } from '../../contract/groups.ts'
import { SAME_SHOT, type Shot } from '../../contract/shots.ts'
import { type Db, firstRows, rows } from '../db/client.ts'
import { uuids } from './permissions.ts'

/** Links per run of the minute's task. */
const BATCH = 200
/** Files per run that are read for the identifier of their shot: each takes one call of storage, up to 8 MiB. */
const READ = 25
/** Rows that are compared with one asset: by its identifier, and by its time. */
const COMPARED = 120
/** Seconds between a photo and another file that makes it worth reading which shot it is of. */
const NEAR = sql`interval '3 seconds'`

interface Link {
  collectionId: string
  id: string
}

/** A link whose other files are looked for. `unread`: its file has not been asked which shot it is of, and others may be of the same. */
export interface UnsoughtLink extends Link {
  unread: boolean
}

/**
 * Claims links of assets for which nobody has looked for other files of their shot, or those of one asset: the newest first, and last those from before there was
 * this. They are claimed for good, until more is known of them (trigger assets_changed). What comes through a browser has been asked for its shot, and
 * what comes from a script is asked by the task that reads its date, so only old links are.
 */
export function claimUnsought(db: Db, assetId?: string): Promise<UnsoughtLink[]> {
  return rows(
    db,
    sql`with due as materialized (
      select l.collection_id, l.asset_id, l.added_at, l.parts_sought is null and i.content_id is null and i.metadata_read is not null
        and i.type in ('image/jpeg', 'image/heic', 'image/heif') and l.group_id is null and l.sort_at > '-infinity'
        and exists (select from asset_collections o join assets j on j.id = o.asset_id where o.collection_id = l.collection_id and o.live
          and o.sort_at between l.sort_at - ${NEAR} and l.sort_at + ${NEAR} and o.asset_id <> l.asset_id
          and (j.user_id = i.user_id or j.type like 'video/%')) as unread
      from asset_collections l join assets i on i.id = l.asset_id
      -- The first conditions, and the order, are those of the index asset_collections_unsought.
      where coalesce(l.parts_sought, 0) = 0 and l.live ${assetId ? sql`and l.asset_id = ${assetId}` : sql``}
      order by l.parts_sought, l.added_at desc nulls last limit ${BATCH}::int for no key update of l skip locked
    ),
    chosen as (
      select * from (select *, row_number() over (partition by unread order by added_at) as nth from due) d where not unread or nth <= ${READ}::int
    ),
    claimed as (
      update asset_collections l set parts_sought = 1 from chosen where l.collection_id = chosen.collection_id and l.asset_id = chosen.asset_id
    )
    select collection_id as "collectionId", asset_id as id, unread from chosen`,
  )
}

/** For links that were claimed and could not be looked at now. */
export async function unclaimSought(db: Db, links: readonly UnsoughtLink[]): Promise<void> {
  await rows(
    db,
    sql`update asset_collections l set parts_sought = case when w.unread then null else 0 end
      from jsonb_to_recordset(${JSON.stringify(links)}::jsonb) as w("collectionId" uuid, id uuid, unread boolean)
      where l.collection_id = w."collectionId" and l.asset_id = w.id and l.parts_sought = 1`,
  )
}

/** The identifiers by asset. Assets that have one keep it. */
export async function recordContentIds(db: Db, found: ReadonlyMap<string, string>): Promise<void> {
  await rows(
    db,
    sql`update assets a set content_id = w.value from jsonb_each_text(${JSON.stringify(Object.fromEntries(found))}::jsonb) w
      where a.id = w.key::uuid and a.content_id is null`,
  )
}

/** An asset in a collection, and what there may be of the same shot, without what was taken apart. */
export interface Candidates {
  collectionId: string
  shot: Shot
  others: Shot[]
}

const given = (links: readonly Link[]) => sql`jsonb_to_recordset(${JSON.stringify(links)}::jsonb) as w("collectionId" uuid, id uuid)`
const shotJson = (alias: 'i' | 'j', link: 'l' | 'o') => {
  const [a, l] = [sql.raw(alias), sql.raw(link)]
  return sql`json_build_object('id', ${a}.id, 'user_id', ${a}.user_id, 'name', ${a}.name, 'type', ${a}.type, 'content_id', ${a}.content_id, 'date', ${a}.date,
    'date_precision', ${a}.date_precision, 'group', (
      select json_build_object('id', part.group_id, 'parts', count(*)) from asset_collections part where part.group_id = ${l}.group_id and part.live group by part.group_id))`
}

/** Finds assets that may be of the same shot by identifier, or by author and time; `contract/shots.ts` decides. Links without any are left out. */
export function findCandidates(db: Db, links: readonly Link[]): Promise<Candidates[]> {
  return rows(
    db,
    sql`select l.collection_id as "collectionId", ${shotJson('i', 'l')} as shot, near.others
      from ${given(links)} join asset_collections l on l.collection_id = w."collectionId" and l.asset_id = w.id and l.live
      join assets i on i.id = l.asset_id
      cross join lateral (
        select json_agg(${shotJson('j', 'o')}) as others from (
          (select o.asset_id from assets j join asset_collections o on o.asset_id = j.id and o.collection_id = l.collection_id
          where j.content_id = i.content_id limit ${COMPARED}::int)
          union
          (select o.asset_id from (
            -- Read by time, which offset 0 makes sure of: Postgres may expect an author to have few assets, and read all of them for each link.
            select asset_id from asset_collections where collection_id = l.collection_id and live and i.date_precision = 'minute'
              and sort_at between l.sort_at - ${TOGETHER} and l.sort_at + ${TOGETHER} offset 0
          ) o join assets j on j.id = o.asset_id where j.user_id = i.user_id limit ${COMPARED}::int)
        ) found join asset_collections o on o.asset_id = found.asset_id and o.collection_id = l.collection_id join assets j on j.id = o.asset_id
        where o.live and j.id <> i.id and coalesce(o.parts_sought, 0) < 2
      ) near
      where near.others is not null and l.parts_sought < 2`,
  )
}

const TOGETHER = sql`make_interval(secs => ${SAME_SHOT / 1_000})`

export interface NewShot extends NewGroup {
  id: string
  collectionId: string
  kind: GroupKind
}

/**
 * Groups files of one shot, or adds them to the group that some of them are in, and returns how many groups changed. Parts that were removed or taken apart
 * meanwhile, or are grouped with others, stay as they are. Of the given groups, no two have a part in common.
 */
export async function insertShots(db: Db, shots: readonly NewShot[]): Promise<number> {
  const collections = [...new Set(shots.map(({ collectionId }) => collectionId))]
  const [, made] = await firstRows<[unknown, { made: number }]>(
    db,
    sql`select lock_collections(${uuids(collections)})`,
    sql`with wanted as materialized (
      select w.id, w."collectionId" as collection_id, w.kind, w.cover, w."assetIds" as ids
      from jsonb_to_recordset(${JSON.stringify(shots)}::jsonb) as w(id uuid, "collectionId" uuid, kind text, cover uuid, "assetIds" uuid[])
    ),
    fits as materialized (
      select w.*, now.among from wanted w cross join lateral (
        select count(*) as parts, count(l.group_id) as grouped, count(distinct l.group_id) as groups,
          bool_or(coalesce(l.parts_sought, 0) = 2) as apart, array_agg(distinct l.group_id) filter (where l.group_id is not null) as among
        from asset_collections l where l.collection_id = w.collection_id and l.asset_id = any(w.ids) and l.live
      ) now
      where now.parts = cardinality(w.ids) and not now.apart and not (now.grouped = now.parts and now.groups = 1)
        and not exists (select from asset_collections o where o.group_id = any(now.among) and o.live and o.asset_id <> all(w.ids))
    ),
    made as (
      insert into groups (id, collection_id, kind, cover)
      select coalesce(among[1], id), collection_id, kind,
        -- Somebody may have chosen the photo of a burst.
        case when kind = 'burst' then coalesce((select g.cover from groups g where g.id = among[1] and g.cover = any(ids)), cover) else cover end
      from fits
      on conflict (id) do update set kind = excluded.kind, cover = excluded.cover where (groups.kind, groups.cover) is distinct from (excluded.kind, excluded.cover)
    ),
    grouped as (
      update asset_collections l set group_id = coalesce(fits.among[1], fits.id) from fits
      where l.collection_id = fits.collection_id and l.asset_id = any(fits.ids) and l.group_id is distinct from coalesce(fits.among[1], fits.id)
    )
    select count(*)::int as made from fits`,
  )
  return made?.made ?? 0
}
