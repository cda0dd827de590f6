import { type SQL, sql } from 'drizzle-orm'
import type { Action } from '../../contract/policy.ts'
import { type Db, firstRows } from '../db/client.ts'
import { type EditRecord, recordAfter, recordBefore, type Scope } from './edits.ts'
import { type Checks, ITEMS, type ItemKind, linksSeenBy, uuids, visibleItem } from './permissions.ts'

/** Ids that stand in the way, each list empty when all is well; `done` says that everything was written. */
export interface BulkOutcome {
  /** Items that the caller does not see, and those that they may not do this to. */
  missing: string[]
  forbidden: string[]
  /** Ids of collections that the caller does not see, and names of those that are closed to their role. */
  hidden: string[]
  closed: string[]
  people: string[]
  /** Items whose date would leave the calendar. */
  beyond: string[]
  done: boolean
}

export interface BulkCall<A extends Action = never> extends EditRecord {
  kind: ItemKind
  ids: readonly string[]
  checks: Checks<A>
}

/** What one kind of bulk edit adds to the statement. Item `i` is one of `target`. */
export interface BulkEdit {
  /** Whether the caller may do it to item `i`. */
  permitted: SQL
  /** Only such items; others are missing. */
  only?: SQL
  /** Relations that the rest refers to, each with a comma behind it. */
  relations?: SQL
  refusals?: Partial<Record<'hidden' | 'closed' | 'people' | 'beyond', SQL>>
  around?: Surroundings
  scope: Scope
  /** Parts of the statement that write, joined to `open`, which has a row if nothing stands in the way. */
  writes: SQL
}

const NONE = sql`'{}'::text[]`

/**
 * Three statements in one transaction and one round trip, however many items: locks, the edit with its image before, the image after.
 * All or nothing.
 */
export async function writeBulk(db: Db, call: BulkCall, edit: BulkEdit): Promise<BulkOutcome> {
  const { kind, userId, ids, changeId } = call
  const { hidden = NONE, closed = NONE, people = NONE, beyond = NONE } = edit.refusals ?? {}
  const [, outcome] = await firstRows<[unknown, BulkOutcome, unknown]>(
    db,
    lockItems(call, edit.around),
    sql`with target as materialized (
      select i.* from ${ITEMS[kind].table} i where i.id = any(${uuids(ids)}) and ${visibleItem(kind, userId)} ${edit.only ? sql`and ${edit.only}` : sql``}
    ),
    ${edit.relations ?? sql``}
    checks as materialized (
      select array(select unnest(${uuids(ids)})::text except select id::text from target) as missing,
        array(select i.id::text from target i where not ${edit.permitted}) as forbidden,
        ${hidden} as hidden, ${closed} as closed, ${people} as people, ${beyond} as beyond
    ),
    open as materialized (
      select true as yes from checks
      where missing = '{}' and forbidden = '{}' and hidden = '{}' and closed = '{}' and people = '{}' and beyond = '{}'
    ),
    ${recordBefore(call, edit.scope)},
    ${edit.writes}
    select checks.*, exists (select from open) as done from checks`,
    recordAfter(changeId),
  )
  if (!outcome) throw new Error('A bulk edit gave no outcome')
  return outcome
}

/** What else an edit will touch, beside the items and what they have already. */
export interface Surroundings {
  collections?: readonly string[] | undefined
  people?: readonly string[] | undefined
  /** Assets that a post will show. */
  pictures?: readonly string[] | undefined
}

/**
 * Posts, then assets, then people, each in the order of their ids, and only then every collection that a trigger will write to: whoever
 * else does the same waits, and nobody waits for each other. Nothing is locked that the caller does not see.
 */
export function lockItems({ kind, userId, ids }: Pick<BulkCall, 'kind' | 'userId' | 'ids'>, around: Surroundings = {}): SQL {
  const { table, links, key } = ITEMS[kind]
  const { collections = [], people = [], pictures = [] } = around
  const member = (collection: SQL) => sql`exists (select from members m where m.collection_id = ${collection} and m.user_id = ${userId})`
  const beside =
    kind === 'asset'
      ? sql`select l.collection_id from items join post_assets pa on pa.asset_id = items.id join post_collections l on l.post_id = pa.post_id`
      : sql`select l.collection_id from picture join asset_collections l on l.asset_id = picture.id`
  return sql`with items as materialized (
      select i.id from ${table} i where i.id = any(${uuids(ids)}) and ${visibleItem(kind, userId)} order by i.id for no key update of i
    ),
    ${kind === 'post' ? lockedPictures(userId, pictures) : sql``}
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

/** Own pictures of the posts, whose links may come or go with them, and those that are to be shown. */
const lockedPictures = (userId: string, pictures: readonly string[]) => sql`
  picture as materialized (
    select a.id from assets a
    where a.id in (select pa.asset_id from items join post_assets pa on pa.post_id = items.id union select unnest(${uuids(pictures)}))
      and (a.user_id = ${userId} or (a.id = any(${uuids(pictures)}) and exists (select ${linksSeenBy('asset', userId, sql`a.id`)})))
    order by a.id for share of a
  ),`

/** Scope of an edit of the items themselves. */
export const itemScope = (kind: ItemKind, more: SQL = sql`'{}'::jsonb`): Scope =>
  sql`jsonb_build_object(${sql.raw(`'${kind}s'`)}, (select jsonb_agg(id) from target)) || ${more}`

/** `target_collection`: those of the collections that the caller sees, with their role there. A relation for `relations`. */
export const targetCollections = (userId: string, collectionIds: readonly string[]) => sql`
  target_collection as materialized (
    select c.id, c.name, m.role from collections c join members m on m.collection_id = c.id and m.user_id = ${userId}
    where c.id = any(${uuids(collectionIds)}) and c.deleted_at is null
  ),`
export const hiddenCollections = (collectionIds: readonly string[]) =>
  sql`array(select unnest(${uuids(collectionIds)})::text except select id::text from target_collection)`

/** Whether item `i` is in a collection of person `p`, seen by the caller. */
export const sharesCollection = (kind: ItemKind, userId: string) =>
  sql`exists (select ${linksSeenBy(kind, userId)} and l.collection_id = p.collection_id)`
