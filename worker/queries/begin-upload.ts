import { type SQL, sql } from 'drizzle-orm'
import type { Asset, NewAsset } from '../../contract/assets.ts'
import { LIMITS } from '../../contract/limits.ts'
import { firstRows, present } from '../db/client.ts'
import { assetJson } from './asset-shape.ts'
import { DATE_AND_LOCATION, dateAndLocationValues } from './date-and-location.ts'
import { readByClient } from './metadata.ts'
import { type Caller, ownItem, reusable, rolesFor, uuids } from './permissions.ts'
import { type AttemptLimit, attemptsRequired } from './rate-limits.ts'

/** Outcome of a new upload. `duplicate`: the caller already has this file, which was linked instead. */
export type Begun = {
  outcome: 'begun' | 'existing' | 'duplicate' | 'taken' | 'foreign-collections' | 'foreign-people' | 'forbidden' | 'again'
  foreign: string[]
  asset: Asset | null
  linked: string[]
  upload: { partSize: number; parts: number } | null
}

type Wanted = NewAsset & { id: string }

/**
 * Inserts each asset with its links, tags and upload, or finds the existing row: the same id of the same author, or a ready file with
 * the same bytes that is not frozen for them. One transaction, one round trip. `again`: a concurrent request inserted this id.
 * Throws 429 at the `limit`, and 413 if not all of them fit; then none is inserted.
 */
export async function insertUploads(caller: Caller<'item.add'>, assets: readonly Wanted[], limit?: AttemptLimit): Promise<Begun[]> {
  type Rows = [unknown, Pick<Begun, 'outcome' | 'foreign' | 'linked'>, Pick<Begun, 'asset' | 'upload'>]
  const statements = assets.flatMap((asset) => [limit ? attemptsRequired(limit) : sql`select`, ...insertion(caller, asset)])
  const [, ...found] = await firstRows(caller.db, assets.length > 1 ? lockAll(caller, assets) : sql`select`, ...statements)
  return assets.map((_, nth) => {
    const [, decision, row] = found.slice(3 * nth, 3 * nth + 3) as Partial<Rows>
    return { ...present(decision), asset: row?.asset ?? null, upload: row?.upload ?? null }
  })
}

/** Locks what the statements of all of them lock, in the order of all writers: files that are here already, people, collections. */
function lockAll({ user }: Caller<'item.add'>, assets: readonly Wanted[]): SQL {
  const checksums = sql.join(
    assets.map(({ checksum }) => sql`${checksum}`),
    sql`, `,
  )
  const member = (collection: SQL) =>
    sql`exists (select from memberships m where m.collection_id = ${collection} and m.user_id = ${user.id})`
  return sql`with here as materialized (
      select a.id from assets a where a.user_id = ${user.id} and a.checksum in (${checksums}) and a.status = 'ready' and a.deleted_at is null
      order by a.id ${assets.some(({ placeHidden }) => placeHidden) ? sql`for no key update of a` : sql`for share of a`}
    ),
    person as materialized (
      select p.id from people p where p.id = any(${uuids(assets.flatMap(({ peopleIds = [] }) => peopleIds))}) and ${member(sql`p.collection_id`)}
      order by p.id for key share of p
    )
    select lock_collections(array(
      select c.id from collections c where c.id = any(${uuids(assets.flatMap(({ collectionIds = [] }) => collectionIds))}) and ${member(sql`c.id`)})
    ) from (select count(*) from here) first, (select count(*) from person) second`
}

/** Two statements: the decision with what follows from it, and the row. */
function insertion({ user, checks }: Caller<'item.add'>, asset: Wanted): [SQL, SQL] {
  const userId = user.id
  const people = uuids(asset.peopleIds ?? [])
  const parts = Math.ceil(asset.size / LIMITS.partSize)
  const sameFile = sql`a.user_id = ${userId} and a.checksum = ${asset.checksum} and a.status = 'ready' and a.deleted_at is null`
  const statement = sql`with wanted as (select distinct unnest(${uuids(asset.collectionIds ?? [])}) as id),
    seen as materialized (
      select w.id, m.role from wanted w join collections c on c.id = w.id and c.deleted_at is null
      join memberships m on m.collection_id = w.id and m.user_id = ${userId}
    ),
    checks as materialized (
      select (select ${ownItem('asset', userId, 'a')} and a.deleted_at is null from assets a where a.id = ${asset.id}) as own,
        (select a.id from assets a where ${sameFile} and ${reusable(userId, checks['item.add'], 'a')} order by a.copy limit 1) as duplicate,
        array(select id::text from wanted except select id::text from seen) as collections,
        array(select distinct p::text from unnest(${people}) p where not exists (
          select from people pp where pp.id = p and pp.collection_id in (select id from seen))) as people
    ),
    decision as materialized (
      select *, case when not own then 'taken' when own then 'existing'
          when collections <> '{}' then 'foreign-collections'
          when exists (select from seen where role <> all(${rolesFor(checks['item.add'])})) then 'forbidden'
          when people <> '{}' then 'foreign-people'
          when duplicate is not null then 'duplicate' else 'begun' end as outcome
      from checks
    ),
    fresh as (
      insert into assets (id, user_id, name, type, size, checksum, width, height, duration, thumbhash, alt, original_author, content_id, copy,
          metadata_read, place_hidden, ${DATE_AND_LOCATION})
      select ${asset.id}::uuid, ${userId}, ${asset.name}, ${asset.type.toLowerCase()}, ${asset.size}::bigint, ${asset.checksum},
        ${asset.width ?? null}::int, ${asset.height ?? null}::int, ${asset.duration ?? null}::float8, ${asset.thumbhash ?? null},
        ${asset.alt || null}, ${asset.originalAuthor || null}, ${asset.contentId || null}, (select coalesce(max(a.copy) + 1, 0) from assets a where ${sameFile}),
        ${readByClient(asset)}::smallint, ${asset.placeHidden ?? false}::boolean, ${dateAndLocationValues(asset)}
      from decision where outcome = 'begun' on conflict (id) do nothing returning id
    ),
    chosen as (select id from fresh union all select duplicate from decision where outcome = 'duplicate'),
    hidden as (
      update assets a set place_hidden = true from decision d
      where d.outcome = 'duplicate' and a.id = d.duplicate and ${asset.placeHidden ?? false}::boolean and not a.place_hidden
    ),
    linked as (
      insert into asset_collections (collection_id, user_id, asset_id) select seen.id, ${userId}, chosen.id from chosen, seen on conflict do nothing
      returning collection_id
    ),
    tagged as (insert into asset_people (asset_id, person_id) select distinct fresh.id, p from fresh, unnest(${people}) p),
    upload as (insert into uploads (asset_id, part_size, parts) select id, ${LIMITS.partSize}::int, ${parts}::int from fresh)
    select case when outcome = 'begun' and not exists (select from fresh) then 'again' else outcome end as outcome,
      case outcome when 'foreign-people' then people else collections end as foreign, array(select collection_id::text from linked) as linked
    from decision`
  const read = sql`select ${assetJson(userId)} as asset,
      case when i.status = 'uploading' then json_build_object('partSize', u.part_size, 'parts', u.parts) end as upload
    from assets i left join uploads u on u.asset_id = i.id
    where i.user_id = ${userId} and i.deleted_at is null
      and (i.id = ${asset.id} or (i.checksum = ${asset.checksum} and i.status = 'ready' and ${reusable(userId, checks['item.add'])}))
    order by i.id = ${asset.id} desc, i.copy limit 1`
  return [statement, read]
}
