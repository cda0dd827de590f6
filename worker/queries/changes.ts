import { inArray, type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import { ChangeEvent, type ChangeMessage, ChangeTable } from '../../contract/live.ts'
import { may, ROLES, type Role } from '../../contract/policy.ts'
import { type Around, connectAround, type Db, rows } from '../db/client.ts'
import { changes } from '../db/schema/history.ts'
import { IS_WRITTEN } from './comment-news.ts'
import { displayNameOf, ITEMS, type ItemKind, isUnnamed } from './permissions.ts'

/**
 * A row of the change log; without a collection, the change of a profile for the user's own room, or sessions or access tokens (`ids`) of a user
 * that have ended, for the rooms of `collection_ids`, too. For changes of members, `roles` has the
 * present roles of these people (former members are missing), and for members and profiles `faces` has their present names and visibility.
 * `audience` are the members whose own rooms get the change because it shows on cards or in their feed.
 */
export interface Change {
  id: number
  collection_id: string | null
  collection_ids: string[]
  revision: number
  table: ChangeTable | EndedTable
  event: ChangeMessage['event']
  ids: string[]
  user_ids: string[]
  roles: Record<string, Role> | null
  faces: Record<string, { name: string; hidden: boolean; unnamed?: boolean }> | null
  audience: string[]
}

const EndedTable = z.enum(['sessions', 'tokens'])
type EndedTable = z.infer<typeof EndedTable>
const Table = z.union([ChangeTable, EndedTable])

interface ChangeRow {
  id: string
  collection_id: string | null
  collection_ids: string[]
  revision: string
  table_name: string
  event: string
  ids: string[]
  user_ids: string[]
  roles: Change['roles']
  faces: Change['faces']
  audience: string[]
}

const listed = (names: readonly string[]) => sql.raw(names.map((name) => `'${name}'`).join(', '))

/** Roles that answer requests to join. */
const ANSWERING = ROLES.filter((role) => may(role, 'members.manage'))

const CONTENT = sql`('asset_collections', 'post_collections')`

/** There was such a change before `ch` in the present second of the clock. */
const isBurst = (such: SQL) => sql`exists (
  select from changes earlier where earlier.collection_id = ch.collection_id
    and earlier.revision between ch.revision - 8 and ch.revision - 1 and ${such}
    and date_trunc('second', earlier.created_at) = date_trunc('second', clock_timestamp()))`

const ofItems = (key: SQL) => sql`s.collection_id = ch.collection_id and s.${key} = any(ch.ids::uuid[])`

/** Who hears of comments on the items of `ch`, as in comment-news.ts: their authors and who has commented on them. */
const takingPart = (kind: ItemKind) => sql`select i.user_id from ${ITEMS[kind].table} i where i.id = any(ch.ids::uuid[])
  union select s.user_id from comments s where ${ofItems(ITEMS[kind].key)} and ${IS_WRITTEN}`

const mentioned = (kind: ItemKind) => sql`select p.user_id from comments s cross join jsonb_array_elements(s.mentions) x (entry)
  join people p on p.id = (x.entry ->> 'person_id')::uuid and p.collection_id = s.collection_id
  where ${ofItems(ITEMS[kind].key)} and s.mentions <> '[]' and ${IS_WRITTEN}`

/**
 * Content and members affect the counts and covers of a collection's card, comments the feed of whom they concern. A change of content has an audience
 * unless there was one before it in the present second of the clock: an upload of many files must not wake every member's room for each of them. Clients ask
 * again once that second is over (web/atoms/live-askers.ts). The same holds for what is said about an item, except that whoever a comment mentions may not
 * have heard of the one before. Changes of members are few. Not a minimum interval between changes: with one, a steady series of
 * changes would never be published after the first. Requests to join are told to those who may answer them.
 */
const audience = sql`case when ch.table_name = 'members' or ch.table_name in ${CONTENT} and not ${isBurst(sql`earlier.table_name in ${CONTENT}`)}
  then array(select m.user_id from members m where m.collection_id = ch.collection_id)
  when ch.table_name = 'comments' then array(select m.user_id from members m where m.collection_id = ch.collection_id and (
    m.user_id in (${mentioned('post')} union ${mentioned('asset')})
    or not ${isBurst(sql`earlier.table_name = 'comments' and earlier.ids && ch.ids`)} and m.user_id in (${takingPart('post')} union ${takingPart('asset')})))
  when ch.table_name in ('join_requests', 'contributions') then array(select m.user_id from members m where m.collection_id = ch.collection_id and m.role in (${listed(ANSWERING)}))
  else '{}' end`

const details = sql`ch.id, ch.collection_id, ch.revision, ch.table_name, ch.event, ch.ids, ch.user_ids,
  case when ch.table_name = 'members' then (
    select coalesce(jsonb_object_agg(m.user_id, m.role), '{}')
    from members m where m.collection_id = ch.collection_id and m.user_id = any(ch.user_ids)
  ) end as roles, case when ch.table_name in ('members', 'users') then (
    select coalesce(jsonb_object_agg(u.id, jsonb_build_object('name', ${displayNameOf}, 'hidden', not u.shares_presence, 'unnamed', ${isUnnamed})), '{}')
    from users u where u.id = any(ch.ids)
  ) end as faces, ${audience} as audience, case when ch.table_name in ('sessions', 'tokens')
    then array(select m.collection_id from members m where m.user_id = any(ch.user_ids)) else '{}' end as collection_ids`

/** Leaves out rows that a later version has written: this one knows no message for them. */
const known = sql`ch.table_name in (${listed([...ChangeTable.options, ...EndedTable.options])}) and ch.event in (${listed(ChangeEvent.options)})`

/** Changes written by this transaction: they have its id and were made since it began, which is indexed. */
const OWN = new PgDialect().sqlToQuery(
  sql`select ${details} from changes ch where ${known} and ch.created_at >= now() and ch.xmin = pg_current_xact_id_if_assigned()::xid order by ch.id`,
).sql

/** A database that adds to `written` what its transactions write to the change log. */
export function connectForWriting(url: string, proxy: string | undefined, caller: Pick<Around, 'access' | 'guest'>, written: Change[]): Db {
  const take = (found: unknown[]) => void written.push(...(found as ChangeRow[]).map(toChange))
  return connectAround(url, proxy, { ...caller, last: { statement: OWN, take } })
}

/** Up to `limit` changes after this id that are not marked as published, oldest first. */
export async function listUnpublished(db: Db, after: number, limit: number): Promise<Change[]> {
  const unpublished = sql`select ${details} from changes ch where ${known} and ch.published_at is null and ch.id > ${after} order by ch.id limit ${limit}`
  return (await rows<ChangeRow>(db, unpublished)).map(toChange)
}

export async function markPublished(db: Db, ids: number[]): Promise<void> {
  if (ids.length > 0) await db.update(changes).set({ published_at: sql`now()` }).where(inArray(changes.id, ids))
}

function toChange({ id, revision, table_name, event, ...row }: ChangeRow): Change {
  return { ...row, id: Number(id), revision: Number(revision), table: Table.parse(table_name), event: ChangeEvent.parse(event) }
}
