import { sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { type BulkCall, type BulkOutcome, hiddenCollections, targetCollections, writeBulk } from './bulk.ts'
import { type Checks, ITEMS, linksSeenBy, permittedAuthor, removableFrom, rolesFor, uuids } from './permissions.ts'

/** The caller's own assets in the posts that they may link: they are linked together with the posts. */
const shownAssets = (userId: string, checks: Checks<'item.link'>) => sql`
  shown_asset as materialized (
    select distinct a.id from target i join post_assets pa on pa.post_id = i.id join assets a on a.id = pa.asset_id
    where ${permittedAuthor('asset', userId, checks['item.link'], 'a')} and a.deleted_at is null and a.status = 'ready'
  ),`

const TARGETS = sql`(select jsonb_agg(id) from target)`

/** Links the caller's own items to collections where they may write, together with their own assets in these posts. */
export function linkItems(db: Db, call: BulkCall<'item.link'>, collectionIds: readonly string[]): Promise<BulkOutcome> {
  const { kind, userId, checks } = call
  const { links, key } = ITEMS[kind]
  const posts = kind === 'post'
  const collections = uuids(collectionIds)
  return writeBulk(db, call, {
    permitted: permittedAuthor(kind, userId, checks['item.link']),
    relations: sql`${targetCollections(userId, collectionIds)} ${posts ? shownAssets(userId, checks) : sql``}`,
    refusals: {
      hidden: hiddenCollections(collectionIds),
      closed: sql`array(select name from target_collection where role <> all(${rolesFor(checks['item.link'])}) order by name)`,
    },
    related: { collections: collectionIds },
    scope: {
      collections: sql`to_jsonb(${collections})`,
      ...(posts
        ? { linkedPosts: TARGETS, linkedAssets: sql`(select coalesce(jsonb_agg(id), '[]') from shown_asset)` }
        : { linkedAssets: TARGETS }),
    },
    writes: sql`
      linked as (
        insert into ${links} (collection_id, ${key}, user_id) select target_collection.id, i.id, ${userId} from open, target_collection, target i on conflict do nothing
      )
      ${
        posts
          ? sql`, shared as (
        insert into asset_collections (collection_id, asset_id, user_id)
        select target_collection.id, shown_asset.id, ${userId} from open, target_collection, shown_asset on conflict do nothing
      )`
          : sql``
      }`,
  })
}

/** Unlinks items from a collection: the caller's own, or any item if their role allows it. Items that are not in it are unchanged. */
export function unlinkItems(db: Db, call: BulkCall<'item.remove'>, collectionId: string): Promise<BulkOutcome> {
  const { kind, userId, checks } = call
  const { links, key } = ITEMS[kind]
  return writeBulk(db, call, {
    permitted: sql`exists (select from target_collection m where ${removableFrom(userId, checks['item.remove'])})`,
    relations: targetCollections(userId, [collectionId]),
    refusals: { hidden: hiddenCollections([collectionId]) },
    stillIn: sql`select l.collection_id from target i, lateral (select l.collection_id ${linksSeenBy(kind, userId)}) l where l.collection_id <> ${collectionId}`,
    scope: { collections: sql`to_jsonb(${uuids([collectionId])})`, [kind === 'post' ? 'linkedPosts' : 'linkedAssets']: TARGETS },
    writes: sql`unlinked as (
      delete from ${links} l using open, target i where l.collection_id = ${collectionId} and l.${key} = i.id
    )`,
  })
}
