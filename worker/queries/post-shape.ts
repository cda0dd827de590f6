import { type SQL, sql } from 'drizzle-orm'
import type { Post } from '../../contract/posts.ts'
import { fileVersionOf, renditionsOf } from './asset-shape.ts'
import { outsidePost, snapshotFields, withSnapshot } from './author-snapshots.ts'
import { namedFields } from './columns.ts'
import { collectionsSeenBy, displayNameOf, linksOf, ownItem } from './permissions.ts'
import { DATE_ZONE, LOCATION, PLACE, placeSeen } from './places.ts'

/**
 * Post `i` in the shape of the contract, with the collections, people and assets that the caller may see: a post in two collections does
 * not reveal one to the members of the other. An author who is outside (author-snapshots.ts) sees their snapshot, and only their own assets.
 */
export function postJson(userId: string): SQL {
  const seen = sql`${assetSeenBy(userId)} and (a.user_id = ${userId} or not ${outsidePost(userId)})`
  return withSnapshot('post', userId, memberPostJson(userId, seen))
}

/** Fields of post `i` that are the same for everyone who sees it, but for its place (they read `placeSeen`), and its assets as far as `seen` is true for asset `a`. */
export function postFields(userId: string, seen: SQL = assetSeenBy(userId)) {
  const snapshot = sql`(${snapshotFields('asset', userId, sql`a.id`)})`
  return {
    id: sql`i.id`,
    type: sql`i.type`,
    kind: sql`i.kind`,
    title: sql`i.title`,
    body: sql`i.body`,
    original_author: sql`i.original_author`,
    date: sql`i.date`,
    date_zone: DATE_ZONE,
    date_precision: sql`i.date_precision`,
    ends_at: sql`i.ends_at`,
    location: LOCATION,
    place: PLACE,
    assets: sql`(select coalesce(json_agg(json_build_object('id', a.id, 'name', coalesce(${snapshot} ->> 'name', a.name), 'type', a.type, 'width', a.width, 'height', a.height,
        'duration', a.duration, 'thumbhash', a.thumbhash,
        'alt', case when ${snapshot} is null then a.alt else ${snapshot} ->> 'alt' end,
        'renditions', ${renditionsOf('a')}, 'version', a.version, 'file_version', ${fileVersionOf('a')}) order by pa.position, a.id), '[]')
      from post_assets pa join assets a on a.id = pa.asset_id
      where pa.post_id = i.id and ${seen})`,
    version: sql`i.version`,
    created_at: sql`i.created_at`,
    updated_at: sql`i.updated_at`,
  } satisfies Partial<Record<keyof Post, SQL>>
}

/** The same for posts in a collection of the caller, who is then not outside. Takes about 4 ms less per 1,000 posts. */
export function memberPostJson(userId: string, seen?: SQL): SQL {
  return sql`(select json_build_object(${namedFields(postFields(userId, seen))},
    'user_id', i.user_id, 'user_name', (select ${displayNameOf} from users u where u.id = i.user_id),
    'people', array(select pp.person_id from post_people pp join people p on p.id = pp.person_id
      where pp.post_id = i.id and p.collection_id = any(${collectionsSeenBy(userId)})
        and exists (select from post_collections l where l.post_id = i.id and l.collection_id = p.collection_id) order by pp.person_id),
    'collections', (select coalesce(json_agg(json_build_object('collection_id', l.collection_id, 'user_id', l.user_id, 'added_at', l.added_at)
      order by l.added_at, l.collection_id), '[]')
      from post_collections l where l.post_id = i.id and l.collection_id = any(${collectionsSeenBy(userId)}))) from ${placeSeen('post', userId)} placed)`
}

/** True if the caller sees asset `a`. Being in a visible post does not make it visible. */
export function assetSeenBy(userId: string): SQL {
  return sql`(a.status = 'ready' and a.deleted_at is null and (${ownItem('asset', userId, 'a')} or exists (
    select from ${linksOf('asset', sql`a.id`)} al where al.collection_id = any(${collectionsSeenBy(userId)}))))`
}
