import { type SQL, sql } from 'drizzle-orm'
import { LIMITS } from '../../contract/limits.ts'
import type { TrashQuery } from '../../contract/trash.ts'
import { firstRows, oneRow, present } from '../db/client.ts'
import { assetJson } from './asset-shape.ts'
import { cursorAfter, positionSql, readCursor } from './cursor.ts'
import { type Caller, ITEMS, type ItemKind, linksSeenBy, ownItem, permittedTrash, rolesFor, uuids } from './permissions.ts'
import { postJson } from './post-shape.ts'

/** `posts` and `assets` are JSON texts made by the database. */
export interface TrashPage {
  posts: string
  assets: string
  nextCursor: string | null
}

const trashDays = sql`make_interval(days => ${LIMITS.trashDays})`
/** Unfinished uploads never go to the trash. */
const trashed: Record<ItemKind, SQL> = {
  post: sql`i.deleted_at is not null`,
  asset: sql`i.deleted_at is not null and i.status = 'ready'`,
}

/** Items that the caller may restore, last deleted first, posts and assets in one order. */
export async function listTrash({ db, user, checks }: Caller<'item.remove'>, query: TrashQuery): Promise<TrashPage> {
  const userId = user.id
  const scope = `trash ${userId}`
  const after = query.cursor === undefined ? null : await readCursor(query.cursor, scope)
  const size = sql`${query.limit ?? LIMITS.defaultPageSize}::int`
  const afterCursor = after ? sql`and (i.deleted_at, i.id) < ${positionSql(after)}` : sql``
  const rest = (kind: ItemKind) => sql`${trashed[kind]} ${afterCursor} and ${permittedTrash(kind, userId, checks['item.remove'])}`
  const candidates = (kind: ItemKind) => sql`
    (select ${kind}::text as kind, i.id, i.deleted_at from ${ITEMS[kind].table} i
      where ${ownItem(kind, userId)} and ${rest(kind)} order by i.deleted_at desc, i.id desc limit ${size} + 1)
    union
    (select ${kind}::text, i.id, i.deleted_at from ${ITEMS[kind].table} i where ${rest(kind)} and i.id in (
      select l.${ITEMS[kind].key} from memberships m join ${ITEMS[kind].links} l on l.collection_id = m.collection_id
      where m.user_id = ${userId} and m.role = any(${rolesFor(checks['item.remove'])})) order by i.deleted_at desc, i.id desc limit ${size} + 1)`
  const rows = (kind: ItemKind, json: SQL) => sql`(
    select coalesce(json_agg(${json}::jsonb || jsonb_build_object('deleted_at', i.deleted_at,
        'purged_at', i.deleted_at + ${trashDays}) order by page.nth), '[]')::text
    from page join ${ITEMS[kind].table} i on i.id = page.id where page.kind = ${kind} and page.nth <= ${size})`
  const last = sql`from page where nth = ${size} and exists (select from page where nth > ${size})`
  const { posts, assets, sort, id } = await oneRow<{ posts: string; assets: string; sort: string | null; id: string | null }>(
    db,
    sql`with candidates as (${candidates('post')} union ${candidates('asset')}),
    page as materialized (
      select *, row_number() over (order by deleted_at desc, id desc) as nth from candidates order by deleted_at desc, id desc limit ${size} + 1
    )
    select ${rows('post', postJson(userId))} as posts, ${rows('asset', assetJson(userId))} as assets,
      (select (deleted_at at time zone 'UTC')::text ${last}) as sort, (select id::text ${last}) as id`,
  )
  return { posts, assets, nextCursor: await cursorAfter({ sort, id }, scope) }
}

/** Ids for which a call is refused. */
export interface Refused {
  missing: Record<ItemKind, string[]>
  forbidden: Record<ItemKind, string[]>
}

/** `duplicates` are assets whose author has uploaded the same file again. */
export interface Restoration extends Refused {
  duplicates: string[]
}

type Ids = Record<ItemKind, string[]>
const seen = (kind: ItemKind, userId: string) => sql`(${ownItem(kind, userId)} or exists (select ${linksSeenBy(kind, userId)}))`
const missing = (kind: ItemKind, ids: Ids) =>
  sql`array(select unnest(${uuids(ids[kind])})::text except select id::text from ${sql.raw(kind)})`
const forbidden = (kind: ItemKind) => sql`array(select id::text from ${sql.raw(kind)} where not permitted)`
/** The columns of `Refused`, from the CTEs `post` and `asset`, which have the requested items. */
const refusedOf = (ids: Ids) => sql`json_build_object('post', ${missing('post', ids)}, 'asset', ${missing('asset', ids)}) as missing,
  json_build_object('post', ${forbidden('post')}, 'asset', ${forbidden('asset')}) as forbidden`
const countOf = (ids: Ids) => sql`cardinality(${uuids(ids.post)}) + cardinality(${uuids(ids.asset)})`

/** Restores items, all or nothing. Items that are not in the trash are unchanged. Links, tags and assets of posts were never removed. */
export async function restoreItems({ db, user, checks }: Caller<'item.remove'>, ids: Ids): Promise<Restoration> {
  const userId = user.id
  const locked = (kind: ItemKind) => sql`
    ${sql.raw(kind)} as materialized (
      select i.id from ${ITEMS[kind].table} i where i.id = any(${uuids(ids[kind])}) and ${seen(kind, userId)} order by i.id for no key update of i
    )`
  const checked = (kind: ItemKind) => sql`
    ${sql.raw(kind)} as materialized (
      select i.id, ${kind === 'asset' ? hasDuplicate : sql`false`} as has_duplicate, ${permittedTrash(kind, userId, checks['item.remove'])} as permitted
      from ${ITEMS[kind].table} i where i.id = any(${uuids(ids[kind])}) and ${seen(kind, userId)} ${kind === 'asset' ? sql`and i.status = 'ready'` : sql``}
    )`
  const [, outcome] = await firstRows<[unknown, Restoration]>(
    db,
    sql`with ${locked('post')}, ${locked('asset')} select lock_collections(array(
      select l.collection_id from post join post_collections l on l.post_id = post.id
      union select l.collection_id from asset join asset_collections l on l.asset_id = asset.id
      union select l.collection_id from asset join post_assets pa on pa.asset_id = asset.id join post_collections l on l.post_id = pa.post_id))`,
    sql`with ${checked('post')}, ${checked('asset')},
    checks as materialized (
      select ${refusedOf(ids)},
        array(select id::text from asset where has_duplicate) as duplicates,
        (select count(*) from post where permitted) + (select count(*) from asset where permitted and not has_duplicate)
          = ${countOf(ids)} as fine
    ),
    posts_back as (
      update posts i set deleted_at = null from checks where checks.fine and i.id in (select id from post) and i.deleted_at is not null
    ),
    assets_back as (
      update assets i set deleted_at = null from checks where checks.fine and i.id in (select id from asset) and i.deleted_at is not null
    )
    select missing, forbidden, duplicates from checks`,
  )
  return present(outcome)
}

/** Deletes the caller's own items in the trash permanently, all or nothing. The files of the `deleted` assets are left in storage. */
export async function deleteItems({ db, user, checks }: Caller<'item.remove'>, ids: Ids): Promise<Refused & { deleted: string[] }> {
  const userId = user.id
  const own = (kind: ItemKind) => sql`array(select i.id from ${ITEMS[kind].table} i
    where i.id = any(${uuids(ids[kind])}) and i.user_id = ${userId} and ${trashed[kind]})`
  const chosen = (kind: ItemKind) => sql`
    ${sql.raw(kind)} as materialized (
      select i.id, i.user_id = ${userId} and ${permittedTrash(kind, userId, checks['item.remove'])} as permitted
      from ${ITEMS[kind].table} i where i.id = any(${uuids(ids[kind])}) and ${seen(kind, userId)} and ${trashed[kind]}
    )`
  const gone = (kind: ItemKind) => sql`
    ${sql.raw(kind)}s_gone as (
      delete from ${ITEMS[kind].table} i using checks where checks.fine and i.id in (select id from ${sql.raw(kind)}) returning i.id
    )`
  const [, outcome] = await firstRows<[unknown, Refused & { deleted: string[] }]>(
    db,
    sql`select lock_for_deletion(${own('post')}, ${own('asset')})`,
    sql`with ${chosen('post')}, ${chosen('asset')},
    checks as materialized (
      select ${refusedOf(ids)},
        (select count(*) from post where permitted) + (select count(*) from asset where permitted) = ${countOf(ids)} as fine
    ),
    ${gone('post')}, ${gone('asset')}
    select missing, forbidden, array(select id::text from assets_gone) as deleted from checks`,
  )
  return present(outcome)
}

/** True if asset `i` is in the trash and its author has the same copy of the file again: only one may be live (assets_one_per_file). */
export const hasDuplicate = sql`(i.deleted_at is not null and exists (select from assets t
  where t.user_id = i.user_id and t.checksum = i.checksum and t.copy = i.copy and t.status = 'ready' and t.deleted_at is null))`
