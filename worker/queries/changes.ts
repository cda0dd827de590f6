import { inArray, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { ChangeEvent, type ChangeMessage, ChangeTable } from '../../contract/live.ts'
import type { Role } from '../../contract/policy.ts'
import { type Db, rows } from '../db/client.ts'
import { changes } from '../db/schema.ts'
import { displayNameOf } from './permissions.ts'

/**
 * A row of the change log; without a collection, the change of a profile for the user's own room, or sessions or access tokens (`ids`) of a user
 * that have ended, for the rooms of `collection_ids`, too. For changes of members, `roles` has the
 * present roles of these people (former members are missing), and for members and profiles `faces` has their present names and visibility.
 * `audience` are the members whose own rooms get the change because it shows on cards.
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
  faces: Record<string, { name: string; hidden: boolean }> | null
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

const CONTENT = sql`('asset_collections', 'post_collections')`
/** The last change of its kind to this collection in the batch. */
const lastOf = (tables: SQL) => sql`table_name in ${tables}
    and revision = max(revision) filter (where table_name in ${tables}) over (partition by collection_id)`

/**
 * Content and members affect the counts and covers of a collection's card. Only the last change of a collection in a batch has an audience,
 * and of content only in the first batch of each second of the clock: an upload of many files must not wake every member's room for each of
 * them. Clients ask again once that second is over (web/atoms/live-askers.ts). Changes of members are few, and hide none of content.
 * Not a minimum interval between changes: with one, a steady series of changes would never be published after the first.
 */
const audience = (seconds: number) => sql`case when ${lastOf(sql`('members')`)} or ${lastOf(CONTENT)} and not exists (
      select from changes published where published.collection_id = claimed.collection_id
        and published.revision between claimed.revision - 8 and claimed.revision - 1 and published.table_name in ${CONTENT}
        and date_trunc('second', published.claimed_until - ${seconds} * interval '1 second') = date_trunc('second', now()))
  then array(select m.user_id from members m where m.collection_id = claimed.collection_id) else '{}' end`

/**
 * Claims up to `limit` unpublished changes for this publisher, oldest first, for `seconds`. Each statement is its own transaction, so a
 * row lock would end before the first message is sent. The claim replaces the lock and expires if the publisher dies.
 */
export async function claimChanges(db: Db, limit: number, seconds: number): Promise<Change[]> {
  const claimed = await rows<ChangeRow>(
    db,
    sql`
      with free as materialized (
        select id from changes
        where published_at is null and (claimed_until is null or claimed_until < now())
        order by id limit ${limit} for update skip locked
      ), claimed as (
        update changes set claimed_until = now() + ${seconds} * interval '1 second'
        where id in (select id from free)
        returning id, collection_id, revision, table_name, event, ids, user_ids
      )
      select *, case when table_name = 'members' then (
        select coalesce(jsonb_object_agg(m.user_id, m.role), '{}')
        from members m where m.collection_id = claimed.collection_id and m.user_id = any(claimed.user_ids)
      ) end as roles, case when table_name in ('members', 'users') then (
        select coalesce(jsonb_object_agg(u.id, jsonb_build_object('name', ${displayNameOf}, 'hidden', not u.shares_presence)), '{}')
        from users u where u.id = any(claimed.ids)
      ) end as faces, ${audience(seconds)} as audience, case when table_name in ('sessions', 'tokens')
        then array(select m.collection_id from members m where m.user_id = any(claimed.user_ids)) else '{}' end as collection_ids
      from claimed order by id`,
  )
  return claimed.map(toChange)
}

export async function markPublished(db: Db, ids: number[]): Promise<void> {
  if (ids.length > 0) await db.update(changes).set({ published_at: sql`now()` }).where(inArray(changes.id, ids))
}

function toChange({ id, revision, table_name, event, ...row }: ChangeRow): Change {
  return { ...row, id: Number(id), revision: Number(revision), table: Table.parse(table_name), event: ChangeEvent.parse(event) }
}
