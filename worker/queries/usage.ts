import { type SQL, sql } from 'drizzle-orm'
import { UNATTACHED_ITEMS, type Usage } from '../../contract/usage.ts'
import { type Db, firstRow, oneRow } from '../db/client.ts'
import { assetJson } from './asset-shape.ts'
import { ITEMS, type ItemKind, unattached, uuids } from './permissions.ts'
import { postJson } from './post-shape.ts'

// Triggers count, and raise CA003 above a quota: migrations/0028_quotas.sql.

/** The usage in `u`, with the quota of its owner. */
const json = (kind: 'account' | 'collection', owner: string) => sql`json_build_object('bytes', u.bytes, 'items', u.items, 'quota', (
  select json_build_object('bytes', q.bytes, 'items', q.items) from quota_of(${kind}, ${owner}) q))`

export async function readAccountUsage(db: Db, userId: string): Promise<Usage> {
  const { usage } = await oneRow<{ usage: Usage }>(
    db,
    sql`select ${json('account', userId)} as usage from (
      select coalesce(sum(bytes), 0) as bytes, coalesce(sum(items), 0) as items from account_usage where user_id = ${userId}) u`,
  )
  return usage
}

/** Null if the caller does not see the collection. */
export async function readCollectionUsage(db: Db, userId: string, id: string): Promise<Usage | null> {
  const row = await firstRow<{ usage: Usage }>(
    db,
    sql`select ${json('collection', id)} as usage from (
      select c.stored_bytes as bytes, c.stored_items as items from collections c join memberships m on m.collection_id = c.id
      where c.id = ${id} and m.user_id = ${userId} and c.deleted_at is null) u`,
  )
  return row?.usage ?? null
}

/** JSON texts of the caller's own items that are in no collection, or only in deleted ones. */
export async function listUnattachedItems(db: Db, userId: string): Promise<{ posts: string; assets: string }> {
  const some = (kind: ItemKind, json: SQL) => {
    const { table, live } = ITEMS[kind]
    return sql`(select coalesce(json_agg(${json} order by i.created_at desc, i.id desc), '[]')::text from (
      select i.* from ${table} i where i.user_id = ${userId} and ${live} and ${unattached(kind)}
      order by i.created_at desc, i.id desc limit ${UNATTACHED_ITEMS}) i)`
  }
  return oneRow<{ posts: string; assets: string }>(
    db,
    sql`select ${some('post', postJson(userId))} as posts, ${some('asset', assetJson(userId))} as assets`,
  )
}

/**
 * First statement of a transaction that inserts items of this user and locks others before: accounts are locked before items. Makes the row of an account
 * that has nothing yet, since what is not there cannot be locked.
 */
export const lockAccount = (userId: string) =>
  sql`insert into account_usage as u (user_id, bytes, items) values (${userId}, 0, 0) on conflict (user_id) do update set items = u.items`

/** First statement of a transaction that deletes items. */
export const lockForDeletion = ({ posts = [], assets = [] }: { posts?: string[]; assets?: string[] }) =>
  sql`select lock_for_deletion(${uuids(posts)}, ${uuids(assets)})`
