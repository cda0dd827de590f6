import { type SQL, sql } from 'drizzle-orm'
import type { Action } from '../../contract/policy.ts'
import { type Db, firstRows, present } from '../db/client.ts'
import { type EditRecord, recordAfter, recordBefore, type Scope } from './edits.ts'
import { type Checks, ITEMS, type ItemKind, linksSeenBy, uuids, visibleItem } from './permissions.ts'

/** Ids for which the call is refused. All lists are empty if `done`: everything was written. */
export interface BulkOutcome {
  /** `missing`: items that the caller does not see. `forbidden`: items that they may not change in this way. */
  missing: string[]
  forbidden: string[]
  /** `hidden`: ids of collections that the caller does not see. `closed`: names of collections for which their role is too low. */
  hidden: string[]
  closed: string[]
  people: string[]
  /** Items whose date would be outside the years 1 to 9999. */
  outOfRange: string[]
  done: boolean
  /** Collections of the caller in which some of the removed items still are. */
  stillIn: string[]
}

export interface BulkCall<A extends Action = never> extends EditRecord {
  kind: ItemKind
  ids: readonly string[]
  checks: Checks<A>
}

/** The parts of the statement that differ between bulk edits. `i` is a row of `target`. */
export interface BulkEdit {
  /** True if the caller may do this to item `i`. */
  permitted: SQL
  /** Filter; other items count as missing. */
  only?: SQL
  /** CTEs for the other parts, each followed by a comma. */
  relations?: SQL
  refusals?: Partial<Record<'hidden' | 'closed' | 'people' | 'outOfRange', SQL>>
  related?: RelatedRows
  /** For a removal: `select` of the ids of collections in which the items still are. */
  stillIn?: SQL
  scope: Scope
  /** CTEs that write. They join `open`, which has a row only if nothing is refused. */
  writes: SQL
}

const NONE = sql`'{}'::text[]`

/**
 * All or nothing: locks, the edit with its snapshot before, and the snapshot after, in one transaction and one round trip for any number
 * of items.
 */
export async function writeBulk(db: Db, call: BulkCall, edit: BulkEdit): Promise<BulkOutcome> {
  const { kind, userId, ids, changeId } = call
  const { hidden = NONE, closed = NONE, people = NONE, outOfRange = NONE } = edit.refusals ?? {}
  const [, outcome] = await firstRows<[unknown, BulkOutcome, unknown]>(
    db,
    lockItems(call, edit.related),
    sql`with target as materialized (
      select i.* from ${ITEMS[kind].table} i where i.id = any(${uuids(ids)}) and ${visibleItem(kind, userId)} ${edit.only ? sql`and ${edit.only}` : sql``}
    ),
    ${edit.relations ?? sql``}
    checks as materialized (
      select array(select unnest(${uuids(ids)})::text except select id::text from target) as missing,
        array(select i.id::text from target i where not ${edit.permitted}) as forbidden,
        ${hidden} as hidden, ${closed} as closed, ${people} as people, ${outOfRange} as "outOfRange"
    ),
    open as materialized (
      select true as yes from checks
      where missing = '{}' and forbidden = '{}' and hidden = '{}' and closed = '{}' and people = '{}' and "outOfRange" = '{}'
    ),
    ${recordBefore(call, edit.scope)},
    ${edit.writes}
    select checks.*, exists (select from open) as done, ${edit.stillIn ? stillInOf(edit.stillIn) : sql`'{}'::uuid[]`} as "stillIn" from checks`,
    recordAfter(changeId, edit.scope),
  )
  return present(outcome)
}

/** Rows that an edit touches beside the items and their present links. */
export interface RelatedRows {
  collections?: readonly string[] | undefined
  people?: readonly string[] | undefined
  /** Assets that a post is to show. */
  assets?: readonly string[] | undefined
}

/**
 * Locks posts, assets and people, each in the order of their ids, then every collection that a trigger will write to. One order for all
 * statements prevents deadlocks. Rows that the caller does not see are not locked.
 */
export function lockItems({ kind, userId, ids }: Pick<BulkCall, 'kind' | 'userId' | 'ids'>, related: RelatedRows = {}): SQL {
  const { table, links, key } = ITEMS[kind]
  const { collections = [], people = [], assets = [] } = related
  const member = (collection: SQL) =>
    sql`exists (select from memberships m where m.collection_id = ${collection} and m.user_id = ${userId})`
  const beside =
    kind === 'asset'
      ? sql`select l.collection_id from items join post_assets pa on pa.asset_id = items.id join post_collections l on l.post_id = pa.post_id`
      : sql`select l.collection_id from shown_asset join asset_collections l on l.asset_id = shown_asset.id`
  return sql`with items as materialized (
      select i.id from ${table} i where i.id = any(${uuids(ids)}) and ${visibleItem(kind, userId)} order by i.id for no key update of i
    ),
    ${kind === 'post' ? lockedAssets(userId, assets) : sql``}
    person as materialized (
      select p.id, p.collection_id from people p where p.id = any(${uuids(people)}) and ${member(sql`p.collection_id`)}
      order by p.id for key share of p
    )
    select lock_collections(array(
      select l.collection_id from items join ${links} l on l.${key} = items.id
      union ${beside}
      union select collection_id from person
      union select c.id from collections c where c.id = any(${uuids(collections)}) and ${member(sql`c.id`)}))`
}

/** The caller's own assets in the posts, whose links may change with them, and the assets that are to be shown. */
const lockedAssets = (userId: string, assets: readonly string[]) => sql`
  shown_asset as materialized (
    select a.id from assets a
    where a.id in (select pa.asset_id from items join post_assets pa on pa.post_id = items.id union select unnest(${uuids(assets)}))
      and (a.user_id = ${userId} or (a.id = any(${uuids(assets)}) and exists (select ${linksSeenBy('asset', userId, sql`a.id`)})))
    order by a.id for share of a
  ),`

/** The ids of `stillIn` as an array. */
export const stillInOf = (stillIn: SQL) => sql`array(select distinct s.collection_id from (${stillIn}) s order by 1)`

/** Scope of an edit of the items in `target`. */
export const itemScope = (kind: ItemKind): Scope => ({ [`${kind}s`]: sql`(select jsonb_agg(id) from target)` })

/** The CTE `target_collection` for `relations`: those of the collections that the caller sees, with their role. */
export const targetCollections = (userId: string, collectionIds: readonly string[]) => sql`
  target_collection as materialized (
    select c.id, c.name, m.role from collections c join memberships m on m.collection_id = c.id and m.user_id = ${userId}
    where c.id = any(${uuids(collectionIds)}) and c.deleted_at is null
  ),`
export const hiddenCollections = (collectionIds: readonly string[]) =>
  sql`array(select unnest(${uuids(collectionIds)})::text except select id::text from target_collection)`

/** True if item `i` is in the collection of person `p` and the caller is a member of it. */
export const sharesCollection = (kind: ItemKind, userId: string) =>
  sql`exists (select ${linksSeenBy(kind, userId)} and l.collection_id = p.collection_id)`
