import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { type BulkCall, type BulkOutcome, writeBulk } from './bulk.ts'
import type { Scope } from './edits.ts'
import { type Checks, ITEMS, type ItemKind, linksSeenBy, permittedTrash, removableFrom, restorableByAuthor } from './permissions.ts'

/** The parts of a statement that removes the items of the CTE `target` where the CTE `open` has a row. */
interface Removal {
  /** CTEs `whole`, the items that go to the trash, and `removable`, the links that others lose; each followed by a comma. */
  relations: SQL
  permitted: SQL
  scope: Scope
  writes: SQL
  stillIn: SQL
}

/**
 * Moves items to the trash. An item that is also in a collection from which the caller may not remove it, or that its author could not restore, only leaves
 * the collections from which they may remove it (docs/decisions/039).
 */
export function removalOf(kind: ItemKind, userId: string, checks: Checks<'item.remove'>): Removal {
  const { table, links, key } = ITEMS[kind]
  return {
    relations: sql`
      whole as materialized (select i.id from target i
        where ${permittedTrash(kind, userId, checks['item.remove'])} and ${restorableByAuthor(kind, userId, checks['item.remove'])}),
      removable as materialized (
        select i.id, l.collection_id from target i, lateral (
          select l.collection_id ${linksSeenBy(kind, userId)} and ${removableFrom(userId, checks['item.remove'])}) l
        where i.id not in (select id from whole)
      ),`,
    permitted: sql`(i.id in (select id from whole) or i.id in (select id from removable))`,
    scope: {
      trash: sql`true`,
      [`${kind}s`]: sql`(select coalesce(jsonb_agg(id), '[]') from whole)`,
      [kind === 'post' ? 'linkedPosts' : 'linkedAssets']: sql`(select coalesce(jsonb_agg(distinct id), '[]') from removable)`,
      collections: sql`(select coalesce(jsonb_agg(distinct collection_id), '[]') from removable)`,
    },
    writes: sql`
      trashed as (update ${table} i set deleted_at = now() from open where i.id in (select id from whole)),
      unlinked as (
        delete from ${links} l using open, removable r where l.${key} = r.id and l.collection_id = r.collection_id
      )`,
    stillIn: sql`select l.collection_id from removable i, lateral (select l.collection_id ${linksSeenBy(kind, userId)}) l
      where (i.id, l.collection_id) not in (select id, collection_id from removable)`,
  }
}

export function removeItems(db: Db, call: BulkCall<'item.remove'>): Promise<BulkOutcome> {
  return writeBulk(db, call, { ...removalOf(call.kind, call.userId, call.checks), only: ITEMS[call.kind].live })
}
