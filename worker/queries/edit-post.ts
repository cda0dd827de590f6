import { type SQL, sql } from 'drizzle-orm'
import { KINDS, type Post, type PostEdit } from '../../contract/posts.ts'
import { firstRows } from '../db/client.ts'
import { hiddenCollections, lockItems, targetCollections } from './bulk.ts'
import { assignLocation } from './date-and-location.ts'
import { recordAfter, recordBefore, type Scope } from './edits.ts'
import {
  type Caller,
  type Checks,
  linksSeenBy,
  ownItem,
  permittedAuthor,
  permittedEdit,
  rolesFor,
  uuids,
  visibleItem,
} from './permissions.ts'
import { assetSeenBy } from './post-shape.ts'
import { type Refusals, readPost } from './posts.ts'

/** Checks before the write, and the row after it. `people` and `assets` are ids that the caller may not use. */
export interface PostWrite extends Refusals {
  permitted: boolean
  /** The caller may put the post into collections that it is not in. */
  linkable: boolean
  /** The row had the version that the caller changed. */
  current: boolean
  /** The kind belongs to the type. */
  fits: boolean
  done: boolean
  post: Post | null
}

/**
 * Changes the given fields (undefined stays), people and assets included, and adds links to collections, or nothing. People and assets that
 * the caller does not see stay in the post. Of two concurrent edits of one version, only the first is written. Null if the caller does not see the post.
 */
export async function updatePost(
  { db, user, checks }: Caller<'item.edit' | 'item.add' | 'item.link'>,
  { id, version, edit, changeId }: { id: string; version: number | null; edit: PostEdit; changeId: string },
): Promise<PostWrite | null> {
  const userId = user.id
  const people = edit.peopleIds && uuids(edit.peopleIds)
  const assets = edit.existingAssetIds && uuids(edit.existingAssetIds)
  const { collectionIds = [] } = edit
  const scope = { ...(assets || collectionIds.length > 0 ? SCOPE_WITH_LINKS : SCOPE), ...(edit.body !== undefined && { text: sql`true` }) }
  const [, outcome, , after] = await firstRows<[unknown, Omit<PostWrite, 'post'>, unknown, { post: Post }]>(
    db,
    lockItems({ kind: 'post', userId, ids: [id] }, { people: edit.peopleIds, assets: edit.existingAssetIds, collections: collectionIds }),
    sql`with target as materialized (
      select i.* from posts i where i.id = ${id} and ${visibleItem('post', userId)} for no key update of i
    ),
    tagged as materialized (
      select p.id from people p where p.id = any(${people ?? uuids([])})
        and p.collection_id in (select l.collection_id from target i, lateral (select l.collection_id ${linksSeenBy('post', userId)}) l)
      for key share of p
    ),
    attachable as materialized (
      select a.id, ${permittedAuthor('asset', userId, checks['item.add'], 'a')} as linkable from assets a, target i where a.id = any(${assets ?? uuids([])}) and a.deleted_at is null and a.status = 'ready'
        and (${ownItem('asset', userId, 'a')}
          or exists (select ${linksSeenBy('asset', userId, sql`a.id`)}
            and l.collection_id in (select pl.collection_id from post_collections pl where pl.post_id = i.id))
          or exists (select from post_assets pa where pa.post_id = i.id and pa.asset_id = a.id))
      for key share of a
    ),
    ${targetCollections(userId, collectionIds)}
    added as materialized (
      select target_collection.* from target_collection, target i where not exists (
        select from post_collections l where l.post_id = i.id and l.collection_id = target_collection.id)
    ),
    checks as materialized (
      select i.id, ${permittedEdit('post', userId, checks['item.edit'])} as permitted,
        ${permittedAuthor('post', userId, checks['item.link'])} or not exists (select from added) as linkable, ${hiddenCollections(collectionIds)} as hidden,
        array(select name from added where role <> all(${rolesFor(checks['item.link'])}) order by name) as closed,
        i.version = coalesce(${version}::int, i.version) as current, ${kindFits(edit)} as fits,
        array(select unnest(${people ?? uuids([])})::text except select id::text from tagged) as people,
        array(select unnest(${assets ?? uuids([])})::text except select id::text from attachable) as assets
      from target i
    ),
    open as materialized (
      select id from checks where permitted and linkable and current and fits and hidden = '{}' and closed = '{}' and people = '{}' and assets = '{}'
    ),
    own_asset as materialized (${assets ? sql`select a.id from attachable a where a.linkable` : ownAssets(userId, checks)}),
    ${recordBefore({ changeId, userId, action: 'edit' }, scope)},
    ${people ? partsOfPeople(people, userId) : sql``}
    ${assets ? partsOfAssets(assets, userId, checks) : sql``}
    ${collectionIds.length > 0 ? partsOfLinks(userId) : sql``}
    changed as (
      update posts p set ${assignments(edit, userId)},
        version = p.version + (${people ? sql`exists (select from untagged) or exists (select from tags)` : sql`false`}
          or ${assets ? sql`exists (select from detached) or exists (select from attached)` : sql`false`})::int
      from open where p.id = open.id returning p.id
    )
    select permitted, linkable, current, fits, hidden, closed, people, assets, exists (select from changed) as done from checks`,
    recordAfter(changeId, scope),
    readPost(userId, id),
  )
  return outcome && { ...outcome, post: after?.post ?? null }
}

const SCOPE: Scope = { posts: sql`jsonb_build_array(id)` }
/** With the links that the edit may add, of the post and of the caller's assets in it. */
const SCOPE_WITH_LINKS: Scope = {
  ...SCOPE,
  linkedPosts: sql`jsonb_build_array(id)`,
  linkedAssets: sql`(select coalesce(jsonb_agg(own_asset.id), '[]') from own_asset)`,
  collections: sql`(select coalesce(jsonb_agg(c.id), '[]')
    from (select l.collection_id from post_collections l where l.post_id = open.id union select added.id from added) c (id))`,
}

/** The caller's own assets in the post that they may link. */
const ownAssets = (userId: string, checks: Checks<'item.link'>) => sql`
  select a.id from target i join post_assets pa on pa.post_id = i.id join assets a on a.id = pa.asset_id
  where ${permittedAuthor('asset', userId, checks['item.link'], 'a')} and a.deleted_at is null and a.status = 'ready'`

/** Puts the post into more collections, together with the caller's own assets in it. */
const partsOfLinks = (userId: string) => sql`
  linked as (
    insert into post_collections (collection_id, post_id, user_id) select added.id, open.id, ${userId} from open, added on conflict do nothing
  ),
  linked_assets as (
    insert into asset_collections (collection_id, asset_id, user_id)
    select added.id, own_asset.id, ${userId} from open, added, own_asset on conflict do nothing
  ),`

/** Replaces the tags of those people whom the caller sees. */
const partsOfPeople = (people: SQL, userId: string) => sql`
  untagged as (
    delete from post_people pp using open, people p
    where pp.post_id = open.id and p.id = pp.person_id and p.id <> all(${people})
      and exists (select from memberships m where m.collection_id = p.collection_id and m.user_id = ${userId})
    returning 1
  ),
  tags as (insert into post_people (post_id, person_id) select open.id, tagged.id from open, tagged on conflict do nothing returning 1),`

/** Replaces the assets that the caller sees, in the order of the list. New assets of their own are linked to the post's collections where they may add items. */
const partsOfAssets = (assets: SQL, userId: string, checks: Checks<'item.add'>) => sql`
  detached as (
    delete from post_assets pa using open, assets a
    where pa.post_id = open.id and a.id = pa.asset_id and a.id <> all(${assets}) and ${assetSeenBy(userId)} returning 1
  ),
  attached as (
    insert into post_assets as pa (post_id, asset_id, position)
    select open.id, attachable.id, array_position(${assets}, attachable.id) from open, attachable
    on conflict (post_id, asset_id) do update set position = excluded.position where pa.position <> excluded.position returning 1
  ),
  shared as (
    insert into asset_collections (collection_id, asset_id, user_id)
    select l.collection_id, attachable.id, ${userId} from open, attachable,
      lateral (select l.collection_id ${linksSeenBy('post', userId, sql`open.id`)} and m.role = any(${rolesFor(checks['item.add'])})) l
    where attachable.linkable and not exists (select from post_assets pa where pa.post_id = open.id and pa.asset_id = attachable.id)
    on conflict do nothing
  ),`

/** If the kind does not belong to the new type, a given kind is refused, and the stored one is cleared. */
function kindFits({ type, kind }: PostEdit): SQL {
  return kind ? sql`${JSON.stringify(KINDS)}::jsonb -> coalesce(${type ?? null}, i.type) ? ${kind}` : sql`true`
}

function assignments(edit: PostEdit, userId: string): SQL {
  const { type, kind, title, body, date, dateZone, datePrecision, endsAt, location, placeHidden } = edit
  const keptKind = sql`case when ${JSON.stringify(KINDS)}::jsonb -> coalesce(${type ?? null}, p.type) ? p.kind then p.kind end`
  const newDate = date === undefined ? sql`p.date` : sql`${datePrecision === 'unknown' ? null : date}::timestamptz`
  // A new date without a precision is known to the minute. A precision without a date applies to the stored date.
  const precision = sql`coalesce(${datePrecision ?? null}, ${date === undefined ? sql`nullif(p.date_precision, 'unknown')` : null}, 'minute')`
  const unknown = date === undefined && datePrecision === 'unknown'
  return sql.join(
    [
      sql`type = coalesce(${type ?? null}, p.type)`,
      sql`kind = ${kind === undefined ? keptKind : sql`${kind}::text`}`,
      sql`title = coalesce(${title ?? null}, p.title)`,
      sql`body = coalesce(${body ?? null}, p.body)`,
      sql`date = ${unknown ? sql`null` : newDate}`,
      sql`date_precision = case when ${unknown ? sql`true` : sql`${newDate} is null`} then 'unknown' else ${precision} end`,
      ...(dateZone === undefined ? [] : [sql`date_zone = ${dateZone}`]),
      ...(endsAt === undefined ? [] : [sql`ends_at = ${endsAt}::timestamptz`]),
      ...(location === undefined ? [] : [assignLocation('p', location, userId)]),
      ...(placeHidden === undefined ? [] : [sql`place_hidden = ${placeHidden}::boolean`]),
    ],
    sql`, `,
  )
}
