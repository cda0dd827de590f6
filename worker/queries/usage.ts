import { sql } from 'drizzle-orm'
import type { Usage } from '../../contract/usage.ts'
import { type Db, firstRow } from '../db/client.ts'
import { uuids } from './permissions.ts'

// Triggers count, and raise CA003 above a quota: migrations/0028_quotas.sql.

/** The usage in `u`, with the quota of its owner. */
const json = (kind: 'account' | 'collection', owner: string) => sql`json_build_object('bytes', u.bytes, 'items', u.items, 'quota', (
  select json_build_object('bytes', q.bytes, 'items', q.items) from quota_of(${kind}, ${owner}) q))`

export async function readAccountUsage(db: Db, userId: string): Promise<Usage> {
  const row = await firstRow<{ usage: Usage }>(
    db,
    sql`select ${json('account', userId)} as usage from (
      select coalesce(sum(bytes), 0) as bytes, coalesce(sum(items), 0) as items from account_usage where user_id = ${userId}) u`,
  )
  if (!row) throw new Error('Reading the usage gave no row')
  return row.usage
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

/** First statement of a transaction that inserts items of this user and locks others before: accounts are locked before items. */
export const lockAccount = (userId: string) => sql`select from account_usage where user_id = ${userId} for no key update`

/** First statement of a transaction that deletes items. */
export const lockForDeletion = ({ posts = [], assets = [] }: { posts?: string[]; assets?: string[] }) =>
  sql`select lock_for_deletion(${uuids(posts)}, ${uuids(assets)})`
