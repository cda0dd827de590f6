import { type SQL, sql } from 'drizzle-orm'
import { ITEMS, type ItemKind } from './permissions.ts'

// An author who is outside, in none of the item's collections, sees it as they last saw it. Triggers keep these snapshots (migrations/0031_author_snapshots.sql).

/** True if the caller is the author of post `i` and outside. A subquery, which is evaluated once per post even where it filters other rows. */
export const outsidePost = (userId: string) => sql`(select i.user_id = ${userId} and author_is_outside(i.id, null, ${userId}))`

/** Fields that the caller sees in place of the item's present ones, or null. Most callers have no snapshot, which is checked once per statement. */
export function snapshotFields(kind: ItemKind, userId: string, item: SQL = sql`i.id`): SQL {
  return sql`case when (select exists (select from author_snapshots where user_id = ${userId})) then (
    select s.fields from author_snapshots s
    where s.${ITEMS[kind].key} = ${item} and s.user_id = ${userId} and author_is_outside(s.post_id, s.asset_id, s.user_id)) end`
}

/** The JSON of item `i` with these fields. */
export function withSnapshot(kind: ItemKind, userId: string, json: SQL): SQL {
  // `offset 0` keeps Postgres from planning the JSON once for each branch.
  return sql`(select case when fields is null then item else (item::jsonb || fields)::json end
    from (select ${json} as item, ${snapshotFields(kind, userId)} as fields offset 0) shape)`
}
