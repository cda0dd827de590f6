import { sql } from 'drizzle-orm'
import type { AccountEnd } from '../../contract/account.ts'
import { LIMITS } from '../../contract/limits.ts'
import { type Db, firstRows, rows } from '../db/client.ts'
import { ITEMS, type ItemKind, unattached, uuids } from './permissions.ts'

/** Pictures per run of the sweep. */
const BATCH = 100

/**
 * Deletes an account, or changes nothing if it owns a collection that is not named in `deleteCollections` (returned as `unnamed`). Its
 * row stays, without address and name, as the author of items and comments in the collections of others; items that no one can see are swept later.
 * If the person has become a member of a collection meanwhile, a trigger refuses the last statement and with it the transaction.
 */
export async function deleteAccountRow(
  db: Db,
  userId: string,
  { items, deleteCollections }: Pick<AccountEnd, 'items' | 'deleteCollections'>,
): Promise<{ unnamed: { id: string; name: string }[] }> {
  const owned = sql`select id, name from collections where user_id = ${userId} and deleted_at is null`
  const remove = items === 'remove'
  const linked = (kind: ItemKind) => {
    const { table, links, key } = ITEMS[kind]
    return sql`select l.collection_id from ${table} i join ${links} l on l.${key} = i.id where i.user_id = ${userId}`
  }
  const unlinked = (kind: ItemKind) => {
    const { table, links, key } = ITEMS[kind]
    return sql`delete from ${links} l using open, ${table} i where ${remove} and i.user_id = ${userId} and l.${key} = i.id`
  }
  const address = sql`(select email from users where id = ${userId})`
  /** Stays true for the later statements once the collections are locked. */
  const deletable = sql`not exists (select from collections where user_id = ${userId} and deleted_at is null)`
  const forget = (kind: ItemKind) => sql`update ${ITEMS[kind].table} i set deleted_at = now() - make_interval(days => ${LIMITS.trashDays})
    where i.user_id = ${userId} and ${kind === 'asset' ? sql`i.status = 'ready'` : sql`true`} and ${unattached(kind)} and ${deletable}`
  type Outcomes = [unknown, unknown, { unnamed: { id: string; name: string }[] }, ...unknown[]]
  const [, , outcome] = await firstRows<Outcomes>(
    db,
    // Lock order: people, collections, users. The author's name is part of their items, also where they are no member.
    sql`select from people where user_id = ${userId} order by id for no key update`,
    sql`select lock_collections(array(select collection_id from members where user_id = ${userId}
      union select collection_id from invites where email = ${address} or user_id = ${userId}
      union ${linked('post')} union ${linked('asset')}
      union select l.collection_id from assets i join post_assets pa on pa.asset_id = i.id join post_collections l on l.post_id = pa.post_id
        where ${remove} and i.user_id = ${userId}
      union select collection_id from join_requests where user_id = ${userId}
      union select collection_id from comments where user_id = ${userId}
      union select collection_id from reactions where user_id = ${userId}))`,
    sql`with unnamed as materialized (select * from (${owned}) o where not o.id = any(${uuids(deleteCollections)})),
    open as materialized (select where not exists (select from unnamed)),
    closed as (update collections set deleted_at = now() from open where user_id = ${userId} and deleted_at is null),
    untagged as (update people set user_id = null from open where user_id = ${userId}),
    uninvited as (delete from invites i using open where i.email = ${address} or i.user_id = ${userId}),
    unasked as (delete from join_requests r using open where r.user_id = ${userId}),
    ended as (delete from sessions using open where user_id = ${userId}),
    revoked as (delete from tokens using open where user_id = ${userId}),
    no_edits as (delete from edits using open where user_id = ${userId}),
    unvisited as (delete from feed_visits using open where user_id = ${userId}),
    unkept as (delete from author_snapshots using open where user_id = ${userId}),
    -- Ages unfinished uploads, so that the next sweep removes them.
    given_up as (
      update uploads u set created_at = u.created_at - make_interval(days => ${LIMITS.uploadDays}) from open, assets i
      where i.id = u.asset_id and i.user_id = ${userId}
    ),
    -- A comment that others have answered stays without its text.
    unsaid as (
      update comments set deleted_at = coalesce(deleted_at, now()), text = '', mentions = '[]', original_author = null from open where ${remove} and user_id = ${userId}
    ),
    unfelt as (delete from reactions using open where ${remove} and user_id = ${userId}),
    no_posts as (${unlinked('post')}),
    no_assets as (${unlinked('asset')})
    select (select coalesce(json_agg(unnamed order by name), '[]') from unnamed) as unnamed`,
    sql`delete from members where user_id = ${userId} and ${deletable}`,
    // Items that nobody can see any more skip their time in the trash, so that the next sweep deletes them.
    forget('post'),
    forget('asset'),
    // Waits for writes in the name of this user: each holds a share lock on the row.
    sql`select from users where id = ${userId} for update`,
    sql`update users set deleted_at = now(), email = id || '@deleted.invalid', verified_email = null, first_name = 'Former', last_name = 'member', theme = null,
        display_language = null, language = null, region = null, hours = null, first_day = null, time_zone = null
      where id = ${userId} and deleted_at is null and ${deletable}`,
  )
  return { unnamed: outcome?.unnamed ?? [] }
}

/** Users whose account was deleted while they had a picture. */
export async function listAvatarsOfDeleted(db: Db): Promise<string[]> {
  const found = await rows<{ id: string }>(db, sql`select id from users where deleted_at is not null and avatar is not null limit ${BATCH}`)
  return found.map(({ id }) => id)
}

export async function clearAvatarOfDeleted(db: Db, userId: string): Promise<void> {
  await rows(db, sql`update users set avatar = null where id = ${userId} and deleted_at is not null`)
}
