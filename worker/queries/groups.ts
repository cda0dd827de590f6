import { type SQL, sql } from 'drizzle-orm'
import type { Asset } from '../../contract/assets.ts'
import type { Group, GroupKind } from '../../contract/group.ts'
import type { NewGroup } from '../../contract/groups.ts'
import type { Part } from '../../contract/parts.ts'
import type { Role } from '../../contract/policy.ts'
import { type Db, firstRow, firstRows, oneRow, present } from '../db/client.ts'
import { answersToItem } from './answers.ts'
import { memberAssetJson } from './asset-shape.ts'
import { lockCollection } from './collections.ts'
import { groupJson } from './group-shape.ts'
import { type Caller, ownItem, permittedAuthor, roleIn, rolesFor, uuids } from './permissions.ts'

/** What the server judges the kind by. Without parts that the caller does not see in the collection. */
export async function findParts(db: Db, userId: string, { collectionId, assetIds }: { collectionId: string; assetIds: string[] }) {
  const { parts } = await oneRow<{ parts: Part[] }>(
    db,
    sql`select coalesce(json_agg(json_build_object('name', i.name, 'type', i.type, 'content_id', i.content_id, 'date', i.date)), '[]') as parts
      from asset_collections l join assets i on i.id = l.asset_id
      where l.collection_id = ${collectionId} and l.asset_id = any(${uuids(assetIds)}) and l.live and ${roleIn(collectionId, userId)} is not null`,
  )
  return parts
}

/** `role` is the caller's, null if they are not a member. `missing` are assets that are not in the collection. */
export interface GroupWrite {
  role: Role | null
  outcome: 'made' | 'existing' | 'missing' | 'forbidden'
  missing: string[]
  group: Group | null
}

const groupIn = (collectionId: string, id: SQL) =>
  sql`select ${groupJson} as group from groups g where g.collection_id = ${collectionId} and g.id = ${id}`

/**
 * Makes a group. Parts of other groups leave these. If all parts, and no others, are a group already, that is kept, with the given cover if the caller may
 * edit them. `paired`: a photo and a film with the same identifier, the photo as the cover, in no group; for these any writer may decide.
 */
export async function insertGroup(
  { db, user, checks }: Caller<'item.add' | 'item.edit'>,
  { id, collectionId, assetIds, cover, kind }: NewGroup & { id: string; collectionId: string; kind: GroupKind },
): Promise<GroupWrite> {
  const userId = user.id
  const [, outcome, after] = await firstRows<[unknown, Omit<GroupWrite, 'group'>, { group: Group }]>(
    db,
    lockCollection(collectionId),
    sql`with me as materialized (select ${roleIn(collectionId, userId)} as role),
    part as materialized (
      select i.id, i.type, i.content_id, l.group_id,
        (select role from me) = any(${rolesFor(checks['item.edit'])})
          or ${permittedAuthor('asset', userId, checks['item.edit'])} as editable
      from asset_collections l join assets i on i.id = l.asset_id
      where l.collection_id = ${collectionId} and l.asset_id = any(${uuids(assetIds)}) and l.live and (select role from me) is not null
    ),
    same as materialized (
      select g.id, g.cover from groups g where g.id in (select group_id from part)
        and array(select l.asset_id from asset_collections l where l.group_id = g.id and l.live) @> ${uuids(assetIds)}
        and (select count(*) from asset_collections l where l.group_id = g.id and l.live) = ${assetIds.length}::int
    ),
    checks as materialized (
      select (select role from me) as role, array(select unnest(${uuids(assetIds)})::text except select id::text from part) as missing,
        (select bool_and(editable) from part) as editable,
        (select count(*) = 2 and count(content_id) = 2 and count(distinct content_id) = 1 and count(group_id) = 0
          and count(*) filter (where type like 'video/%') = 1 and bool_or(id = ${cover}::uuid and type like 'image/%') from part) as paired
    ),
    decision as materialized (
      select role, missing, editable, case when missing <> '{}' then 'missing'
        when role <> all(${rolesFor(checks['item.add'])}) then 'forbidden'
        when exists (select from same) then 'existing'
        when editable or paired then 'made' else 'forbidden' end as outcome
      from checks
    ),
    fresh as (
      insert into groups (id, collection_id, kind, cover) select ${id}::uuid, ${collectionId}::uuid, ${kind}, ${cover}::uuid
      from decision where outcome = 'made' returning id
    ),
    grouped as (
      update asset_collections l set group_id = fresh.id from fresh where l.collection_id = ${collectionId} and l.asset_id = any(${uuids(assetIds)})
    ),
    covered as (
      update groups g set cover = ${cover}::uuid from same, decision
      where g.id = same.id and decision.outcome = 'existing' and decision.editable and g.cover <> ${cover}::uuid
    )
    select role, outcome, missing from decision`,
    sql`${groupIn(collectionId, sql`(select l.group_id from asset_collections l where l.collection_id = ${collectionId} and l.asset_id = ${cover})`)}
      and ${roleIn(collectionId, userId)} is not null`,
  )
  return { ...present(outcome), group: after?.group ?? null }
}

type GroupKey = { collectionId: string; id: string }

/** Null if the caller does not see the collection, or the group is not there. */
export async function findGroup(db: Db, userId: string, { collectionId, id }: GroupKey): Promise<{ group: Group; assets: Asset[] } | null> {
  const row = await firstRow<{ group: Group | null; assets: Asset[] }>(
    db,
    sql`select ${groupJson} as group, (
        select json_agg(${memberAssetJson(userId, { group: groupJson, answers: answersToItem('asset', userId, collectionId) })}) from asset_collections part join assets i on i.id = part.asset_id
        where part.group_id = g.id and part.live) as assets
      from groups g where g.id = ${id} and g.collection_id = ${collectionId} and ${roleIn(collectionId, userId)} is not null`,
  )
  if (!row?.group) return null
  const { group, assets } = row
  return { group, assets: assets.toSorted((a, b) => group.assetIds.indexOf(a.id) - group.assetIds.indexOf(b.id)) }
}

/**
 * Takes all parts out of the group, and deletes it. For admins of the collection, and for writers who are the author of a part, whatever
 * their role in other collections.
 */
export async function dissolveGroup(
  { db, user, checks }: Caller<'item.edit'>,
  { collectionId, id }: GroupKey,
): Promise<{ role: Role | null; found: boolean; done: boolean }> {
  const userId = user.id
  const [, outcome] = await firstRows<[unknown, { role: Role | null; found: boolean; done: boolean }]>(
    db,
    lockCollection(collectionId),
    sql`with me as materialized (select ${roleIn(collectionId, userId)} as role),
    found as materialized (
      select g.id, me.role = any(${rolesFor(checks['item.edit'])}) or (me.role = any(${rolesFor(checks['item.edit'], true)}) and exists (
        select from asset_collections l join assets i on i.id = l.asset_id where l.group_id = g.id and ${ownItem('asset', userId)})) as permitted
      from groups g, me where g.id = ${id} and g.collection_id = ${collectionId}
    ),
    -- Their shot is not looked for again (shots.ts).
    freed as (update asset_collections l set group_id = null, parts_sought = 2 from found where found.permitted and l.group_id = found.id),
    gone as (delete from groups g using found where found.permitted and g.id = found.id)
    select (select role from me) as role, exists (select from found) as found, coalesce((select permitted from found), false) as done`,
  )
  return present(outcome)
}
