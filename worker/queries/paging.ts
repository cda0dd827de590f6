import { type SQL, sql } from 'drizzle-orm'
import { t } from '#say'
import { LIMITS } from '../../contract/limits.ts'
import type { ListQuery } from '../../contract/paging.ts'
import { type Db, firstRow, oneRow } from '../db/client.ts'
import { AppError, collectionNotFound } from '../http/errors.ts'
import { pageAnswers } from './answers.ts'
import { columnParts, columnsJson } from './columns.ts'
import { cursorAfter, type Position, positionSql, readCursor } from './cursor.ts'
import { pageGroups } from './group-shape.ts'
import { ITEMS, type ItemKind, linkVersion, ownItem } from './permissions.ts'
import { LEADERS, sightOf } from './places.ts'

export interface ListRequest {
  kind: ItemKind
  userId: string
  query: ListQuery
  /** Expression for the JSON of item `i`. */
  json: SQL
  /** Fields of item `i` for the compact form, where the caller asks for it. */
  fields?: Record<string, SQL> | undefined
  /** If-None-Match of the request. */
  known?: string | undefined
}

/** `items` and `deleted` are JSON texts made by the database. `items`, an array or the compact form, is null if the caller has this version. */
export interface ListPage {
  items: string | null
  nextCursor: string | null
  revision?: number
  deleted?: string
  etag?: string
}

interface PageRow {
  items: string | null
  sort: string | null
  id: string | null
}

/**
 * Whether an If-None-Match lists this entity tag, which is weak; as `noneMatch` (media/conditions.ts). A tag has quotes around it and none in it, so it is
 * enough to look for it.
 */
export const isKnown = (etag: SQL, ifNoneMatch = ''): SQL =>
  ifNoneMatch.trim() === '*' ? sql`true` : sql`position(substr(${etag}, 3) in ${ifNoneMatch}) > 0`

/** Bytes of post bodies after which a page ends early: a worker has 128 MB, and several copies of a page in memory. */
const PAGE_BYTES = 8 * 1024 * 1024

/** One page, newest first by (date, id), so that items with equal dates are neither skipped nor repeated. One statement. */
export async function listItems(db: Db, request: ListRequest): Promise<ListPage> {
  const { collection_id: collectionId, since, cursor } = request.query
  if (since !== undefined && !collectionId) throw new AppError('invalid', t`since needs a collection_id`)
  if (request.fields && !collectionId) throw new AppError('invalid', t`form=columns needs a collection_id`)
  // Detects cursors of another list. Not a protection: the query checks permissions at any position.
  const scope = [request.kind, request.userId, collectionId ?? '', since ?? ''].join(' ')
  const after = cursor === undefined ? null : await readCursor(cursor, scope)
  const page = collectionId ? await pageOfCollection(db, request, collectionId, after) : await pageOfAll(db, request, after)
  const { sort, id, ...rest } = page
  return { ...rest, nextCursor: await cursorAfter({ sort, id }, scope) }
}

type CollectionRow = PageRow & { revision: string; etag: string; unchanged: boolean; reaches: boolean; deleted: string | null }

async function pageOfCollection(db: Db, request: ListRequest, collectionId: string, after: Position | null) {
  const { kind, userId, query } = request
  const { links, key } = ITEMS[kind]
  const since = query.since
  const changed =
    since === undefined
      ? sql``
      : sql`changed as materialized (
          select changed_id::uuid as id, bool_or(ch.table_name = ${tableName(kind)}) as itself from changes ch cross join unnest(ch.ids) changed_id
          where ch.collection_id = ${collectionId} and ch.revision > ${since} and ch.table_name in (${tableName(kind)}, 'comments')
            and exists (select from scope) group by changed_id),`
  const from = since === undefined ? sql`${links} l` : sql`changed join ${links} l on l.${key} = changed.id`
  const row = await firstRow<CollectionRow>(
    db,
    sql`with scope as materialized (
      select c.revision, ${etagOf(request)} as etag,
        ${since ?? null}::bigint is null or ${since ?? null} = c.revision
          or exists (select from changes where collection_id = c.id and revision = ${since ?? null}::bigint + 1)
            and (${since ?? null}::bigint >= c.places_revision or exists (
              select from memberships where collection_id = c.id and user_id = ${userId} and role = any(${LEADERS}))) as reaches
      from collections c where c.id = ${collectionId} and c.deleted_at is null
        and exists (select from memberships where collection_id = c.id and user_id = ${userId})
    ),
    ${changed}
    page as materialized (
      select l.${key} as id, l.sort_at, ${kind === 'asset' ? sql`l.group_id` : sql`null::uuid`} as group_id, row_number() over (order by l.sort_at desc nulls last, l.${key} desc nulls last) as nth
      from ${from}
      where l.collection_id = ${collectionId} and l.live
        and not ${isKnown(sql`(select etag from scope)`, request.known)} and (select reaches from scope)
        ${after ? sql`and (l.sort_at, l.${key}) < ${positionSql(after)}` : sql``}
      order by l.sort_at desc nulls last, l.${key} desc nulls last
      limit ${pageSize(query)}::int + 1
    ),
    ${shownOf(request)}
    ${kind === 'asset' ? sql`, ${pageGroups}` : sql``}
    , ${pageAnswers(kind, userId, collectionId)}
    ${request.fields ? columnParts(kind, userId) : sql``}
    select scope.revision, scope.etag, ${isKnown(sql`scope.etag`, request.known)} as unchanged, scope.reaches, ${request.fields ? columnsJson(request.fields) : rowsJson(request)} as items, ${POSITION_OF_LAST},
      ${since === undefined ? sql`null` : deletedIds(kind, collectionId)} as deleted
    from scope`,
  )
  if (!row) throw collectionNotFound()
  if (!row.reaches) throw new AppError('gone', t`The log does not reach back to this revision. Load the collection anew`)
  return {
    sort: row.sort,
    id: row.id,
    items: row.unchanged ? null : row.items,
    revision: Number(row.revision),
    etag: row.etag,
    ...(row.deleted !== null && { deleted: row.deleted }),
  }
}

/** Merges the first rows of the caller's own items, of their snapshots, which have dates of their own, and of each of their collections. */
async function pageOfAll(db: Db, request: ListRequest, after: Position | null): Promise<PageRow> {
  const { kind, userId, query } = request
  const { table, links, key, live } = ITEMS[kind]
  const limit = sql`limit ${pageSize(query)}::int + 1`
  const afterCursor = (sort: SQL, id: SQL) => (after ? sql`and (${sort}, ${id}) < ${positionSql(after)}` : sql``)
  const ownSort = sql`coalesce(i.date, '-infinity')`
  return oneRow<PageRow>(
    db,
    sql`with snapshot as materialized (
      select s.${key} as id, coalesce((s.fields ->> 'date')::timestamptz, '-infinity') as sort_at from author_snapshots s
      join ${table} i on i.id = s.${key} and ${live} where s.user_id = ${userId} and ${ownItem(kind, userId)} and author_is_outside(s.post_id, s.asset_id, s.user_id)
    ),
    candidates as (
      (select i.id, ${ownSort} as sort_at from ${table} i
       where ${ownItem(kind, userId)} and ${live} and i.id not in (select id from snapshot) ${afterCursor(ownSort, sql`i.id`)}
       order by ${ownSort} desc, i.id desc nulls last ${limit})
      union
      (select id, sort_at from snapshot where true ${afterCursor(sql`sort_at`, sql`id`)} order by sort_at desc, id desc ${limit})
      union
      select near.id, near.sort_at
      from memberships m join collections c on c.id = m.collection_id and c.deleted_at is null
      cross join lateral (
        select l.${key} as id, l.sort_at from ${links} l
        where l.collection_id = m.collection_id and l.live ${afterCursor(sql`l.sort_at`, sql`l.${key}`)}
        order by l.sort_at desc nulls last, l.${key} desc nulls last ${limit}) near
      where m.user_id = ${userId}
    ),
    page as materialized (
      select id, sort_at, row_number() over (order by sort_at desc, id desc) as nth from candidates order by sort_at desc, id desc ${limit}
    ),
    ${shownOf(request)}
    select ${rowsJson(request)} as items, ${POSITION_OF_LAST}`,
  )
}

/** The CTE `shown`: the number of rows of `page` to send. At most the requested size; for posts at most PAGE_BYTES, but at least one. */
function shownOf({ kind, query }: ListRequest): SQL {
  const size = sql`${pageSize(query)}::int`
  if (kind === 'asset') return sql`shown as materialized (select ${size} as rows)`
  return sql`shown as materialized (
    select count(*) as rows from (
      select nth, sum(bytes) over (order by nth rows between unbounded preceding and 1 preceding) as before
      from (select page.nth, (select octet_length(i.body) from posts i where i.id = page.id) as bytes from page) lengths) measured
    where nth <= ${size} and coalesce(before, 0) < ${PAGE_BYTES}
  )`
}

const shown = sql`(select rows from shown)`

/** The rows of `page` to send, an object each, as JSON. */
function rowsJson({ kind, json }: ListRequest): SQL {
  return sql`(select coalesce(json_agg(${json} order by page.nth), '[]')::text
      from page join ${ITEMS[kind].table} i on i.id = page.id where page.nth <= ${shown})`
}

const end = sql`from page where nth = ${shown} and exists (select from page where nth > ${shown})`
/** The position of the last row to send, or nulls if there is no next page. */
const POSITION_OF_LAST = sql`(select (sort_at at time zone 'UTC')::text ${end}) as sort, (select id::text ${end}) as id`

function deletedIds(kind: ItemKind, collectionId: string): SQL {
  const { links, key } = ITEMS[kind]
  return sql`(select coalesce(json_agg(changed.id), '[]')::text from changed where itself and not exists (
    select from ${links} l where l.collection_id = ${collectionId} and l.${key} = changed.id and l.live))`
}

/** Made of the revision, the user, their collections, since links of items are visible only to members, and what they see of places there. */
function etagOf({ kind, userId, fields }: ListRequest): SQL {
  return sql`'W/"' || ${fields ? `${kind}-columns` : kind}::text || '-' || c.revision || '-' || left(md5(${userId}::text || ${linkVersion} || ${sightOf(userId)}), 16) || '"'`
}

function tableName(kind: ItemKind): string {
  return kind === 'post' ? 'post_collections' : 'asset_collections'
}

function pageSize(query: ListQuery): number {
  return query.limit ?? LIMITS.defaultPageSize
}
