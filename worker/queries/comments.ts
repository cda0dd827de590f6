import { type SQL, sql } from 'drizzle-orm'
import { type Said, say } from '#language'
import { msg, t } from '#say'
import type { CommentsQuery } from '../../contract/comments.ts'
import { LIMITS } from '../../contract/limits.ts'
import { guestUserId } from '../../contract/links.ts'
import { type Db, firstRow } from '../db/client.ts'
import { AppError, notFound } from '../http/errors.ts'
import { reactionsBy } from './answers.ts'
import { cursorAfter, positionSql, readCursor, writeCursor } from './cursor.ts'
import { displayNameOf, ITEMS, type ItemKind, rolesFor } from './permissions.ts'

/** The comments on an item in one collection: each collection has its own. */
export interface Thread {
  kind: ItemKind
  id: string
  collectionId: string
}

/** `from …`: the collection `c` of the thread, with the caller's membership `m`, if they see the item there. */
export function threadSeenBy(userId: string, { kind, id, collectionId }: Thread): SQL {
  const { links, key } = ITEMS[kind]
  return sql`from ${links} l join collections c on c.id = l.collection_id and c.deleted_at is null
    join memberships m on m.collection_id = c.id and m.user_id = ${userId}
    where l.collection_id = ${collectionId} and l.${key} = ${id} and l.live`
}

/** `from …`: comment `s` with this id, `c` and `m` as above, if the caller sees its item. Also one that is deleted and not answered. */
export function commentSeenBy(userId: string, id: SQL | string): SQL {
  const link = (kind: ItemKind) => {
    const { links, key } = ITEMS[kind]
    return sql`exists (select from ${links} l where l.collection_id = s.collection_id and l.${key} = s.${key} and l.live)`
  }
  return sql`from comments s join collections c on c.id = s.collection_id and c.deleted_at is null
    join memberships m on m.collection_id = c.id and m.user_id = ${userId}
    where s.id = ${id} and (${link('post')} or ${link('asset')})`
}

/** True for comment `s` and membership `m` if the caller may read the text. */
export const readable = (userId: string) =>
  sql`(s.deleted_at is null and (s.hidden_at is null or s.user_id = ${userId} or m.role = any(${rolesFor('comment.seeHidden')})))`

/** Comment `s` as membership `m` sees it, in the contract's shape. */
function commentJson(userId: string, reactions: SQL): SQL {
  const seen = readable(userId)
  return sql`json_build_object('id', s.id,
    'item', json_build_object('kind', case when s.post_id is null then 'asset' else 'post' end, 'id', coalesce(s.post_id, s.asset_id)),
    'collection_id', s.collection_id,
    'author', jsonb_build_object('id', s.user_id, 'name', (select ${displayNameOf} from users u where u.id = s.user_id))
      || case when s.user_id like ${guestUserId('%')} then '{"guest": true}' else '{}' end::jsonb
      || case when s.original_author is null then '{}' else jsonb_build_object('original_author', s.original_author) end,
    'state', case when s.deleted_at is not null then 'deleted' when s.hidden_at is not null then 'hidden' else 'shown' end,
    'text', case when ${seen} then s.text else '' end,
    'mentions', case when s.mentions <> '[]' and ${seen} then (
      select coalesce(jsonb_agg(x.entry), '[]') from jsonb_array_elements(s.mentions) x (entry)
      where exists (select from people p where p.id = (x.entry ->> 'person_id')::uuid and p.collection_id = s.collection_id)) else '[]' end,
    'reply_to', s.reply_to, 'reactions', case when ${seen} then coalesce(${reactions}, '[]') else '[]' end,
    'created_at', s.created_at, 'edited_at', s.edited_at, 'version', s.version)`
}

const ownReactions = (userId: string) => sql`(select list from (${reactionsBy(userId, sql`r.comment_id`, sql`r.comment_id = s.id`)}) felt)`

/** Comment `s` with this id, and what `commentSeenBy` says of it. */
export const readComment = (userId: string, id: string) =>
  sql`select ${commentJson(userId, ownReactions(userId))} as comment ${commentSeenBy(userId, id)}`

/** `comments` and `deleted` are JSON texts made by the database. */
export interface CommentsPage {
  comments: string
  nextCursor: string | null
  revision: number
  deleted?: string
}

interface PageRow {
  comments: string
  sort: string | null
  id: string | null
  revision: string
  reaches: boolean
  deleted: string | null
}

/** One page, oldest first. One statement. Throws 404 unless the caller sees the item in the collection. */
export async function listComments(
  db: Db,
  userId: string,
  thread: Thread,
  query: Omit<CommentsQuery, 'collection_id'>,
): Promise<CommentsPage> {
  const { since, cursor, limit = LIMITS.commentsPage } = query
  const { kind, id, collectionId } = thread
  const { key } = ITEMS[kind]
  const scope = scopeOf(userId, thread, since)
  const after = cursor === undefined ? null : await readCursor(cursor, scope)
  const here = sql`s.collection_id = ${collectionId} and s.${key} = ${id}`
  const changed = since === undefined ? sql`` : sql`and s.revision > ${since}`
  const end = sql`from page where nth = ${limit}::int and exists (select from page where nth > ${limit}::int)`
  const row = await firstRow<PageRow>(
    db,
    sql`with scope as materialized (
      select c.revision, m.role, ${since ?? null}::bigint is null or ${since ?? null} = c.revision
        or exists (select from changes where collection_id = c.id and revision = ${since ?? null}::bigint + 1) as reaches
      ${threadSeenBy(userId, thread)}
    ),
    page as materialized (
      select s.*, row_number() over (order by s.created_at, s.id) as nth from comments s
      where ${here} and s.shown ${changed} and (select reaches from scope)
        ${after ? sql`and (s.created_at, s.id) > ${positionSql(after)}` : sql``}
      order by s.created_at, s.id limit ${limit}::int + 1
    ),
    felt as materialized (
      select jsonb_object_agg(item, list) as by_comment
      from (${reactionsBy(userId, sql`r.comment_id`, sql`r.comment_id = any(array(select id from page))`)}) one
    )
    select m.revision, m.reaches,
      (select coalesce(json_agg(${commentJson(userId, sql`(select by_comment from felt) -> s.id::text`)} order by s.nth), '[]')::text
        from page s where s.nth <= ${limit}::int) as comments,
      (select (created_at at time zone 'UTC')::text ${end}) as sort, (select id::text ${end}) as id,
      ${
        since === undefined
          ? sql`null`
          : sql`(select coalesce(json_agg(s.id), '[]')::text from comments s where ${here} and not s.shown ${changed})`
      } as deleted
    from scope m`,
  )
  if (!row) throw notFound(say(ITEM_NOT_FOUND[kind]))
  if (!row.reaches) throw new AppError('gone', t`The log does not reach back to this revision. Load the comments anew`)
  const { comments, deleted, revision } = row
  return {
    comments,
    revision: Number(revision),
    nextCursor: await cursorAfter(row, scope),
    ...(deleted !== null && { deleted }),
  }
}

/** The cursor of a page of all comments that ends with the newest, or null if the first page does. */
export async function findNewestComments(db: Db, userId: string, { kind, id, collectionId }: Thread): Promise<string | null> {
  const row = await firstRow<{ sort: string; id: string }>(
    db,
    sql`select (s.created_at at time zone 'UTC')::text as sort, s.id from comments s
      where s.collection_id = ${collectionId} and s.${ITEMS[kind].key} = ${id} and s.shown
      order by s.created_at desc, s.id desc limit 1 offset ${LIMITS.commentsPage}`,
  )
  return row && (await writeCursor(row, scopeOf(userId, { kind, id, collectionId })))
}

/** Cursors are of one list. */
const scopeOf = (userId: string, { id, collectionId }: Thread, since?: number | string) =>
  ['comments', userId, collectionId, id, since ?? ''].join(' ')

export const ITEM_NOT_FOUND: Record<ItemKind, Said> = { post: msg`The post was not found`, asset: msg`The asset was not found` }
