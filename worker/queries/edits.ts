import { type SQL, sql } from 'drizzle-orm'
import { LIMITS } from '../../contract/limits.ts'
import { isGuestUser } from '../../contract/links.ts'
import { type Db, firstRow } from '../db/client.ts'
import { ITEMS, type ItemKind, onlyCollection } from './permissions.ts'

/**
 * Rows that an edit touches, each list as an expression for jsonb: `posts` and `assets` (ids of items whose fields, people and assets may change),
 * `trash` (present if only their `deleted_at` may change), `text` (present if the snapshot has bodies instead of their hashes), and `linkedPosts`,
 * `linkedAssets` and `collections` (whose links to each other may change).
 */
export type Scope = { readonly [list in 'posts' | 'assets' | 'trash' | 'text' | 'linkedPosts' | 'linkedAssets' | 'collections']?: SQL }

/** As every edit may have it. */
const ALL: readonly string[] = ['posts', 'assets', 'linkedPosts', 'linkedAssets']

const jsonOf = (scope: Scope) =>
  sql`jsonb_build_object(${sql.join(
    Object.entries(scope).map(([list, value]) => sql`${sql.raw(`'${list}'`)}, ${value}`),
    sql`, `,
  )})`

/** `changeId` undoes the edit. */
export interface EditRecord {
  changeId: string
  userId: string
  action: string
}

/** In place of the group of a link without one: somebody took it apart, which stays so. */
export const APART = sql`'apart'::text`

const STATES = {
  post: sql`json_build_object('type', i.type, 'kind', i.kind, 'title', i.title, 'body', case when x.text then i.body else md5(i.body) end,
    'date', i.date, 'date_zone', i.date_zone, 'date_precision', i.date_precision, 'ends_at', i.ends_at,
    'lat', i.lat, 'lon', i.lon, 'place_name', i.place_name, 'place_hidden', i.place_hidden, 'placed_by_other', i.placed_by_other, 'deleted_at', i.deleted_at,
    'people', (select coalesce(json_agg(t.person_id order by t.person_id), '[]') from post_people t where t.post_id = i.id),
    'assets', (select coalesce(json_agg(json_build_array(a.asset_id, a.position) order by a.position, a.asset_id), '[]')
      from post_assets a where a.post_id = i.id))`,
  asset: sql`json_build_object('name', i.name, 'alt', i.alt, 'date', i.date, 'date_zone', i.date_zone, 'date_precision', i.date_precision,
    'lat', i.lat, 'lon', i.lon, 'place_name', i.place_name, 'place_hidden', i.place_hidden, 'placed_by_other', i.placed_by_other, 'deleted_at', i.deleted_at,
    'people', (select coalesce(json_agg(t.person_id order by t.person_id), '[]') from asset_people t where t.asset_id = i.id))`,
} satisfies Record<ItemKind, SQL>

/** The ids of this list in the scope of `s`. */
const named = (list: string) => sql`array(select jsonb_array_elements_text(s.scope -> ${sql.raw(`'${list}'`)})::uuid)`

const statesOf = (kind: ItemKind) => sql`(
  select coalesce(json_object_agg(i.id, case when x.trash then json_build_object('deleted_at', i.deleted_at) else ${STATES[kind]} end), '{}')
  from ${ITEMS[kind].table} i where i.id = any(x.${sql.raw(`${kind}s`)}))`
const linksOf = (kind: ItemKind) => {
  const { links, key } = ITEMS[kind]
  return sql`(
  select coalesce(json_object_agg(l.${key} || ' ' || l.collection_id, json_build_array(l.user_id, l.added_at${kind === 'asset' ? sql`, coalesce(l.group_id::text, case when l.parts_sought = 2 then ${APART} end)` : sql``})), '{}')
  from ${links} l where l.${key} = any(x.linked_${sql.raw(`${kind}s`)}) and l.collection_id = any(x.collections))`
}

/**
 * Snapshot of all rows in the scope of `s`, which has no lists but these. The same expressions make the snapshots before, after and now, so that they can
 * be compared. Parts that the scope cannot have are left out, because Postgres plans them in every edit.
 * A text until the end: parsing it once is faster than putting parts of jsonb together, each of which copies those within it.
 * `x` is the scope, read once: `offset 0` keeps Postgres from reading it, or even building it, again for each row.
 */
export function snapshotOf(lists: readonly string[] = ALL): SQL {
  const part = (list: keyof Scope, rows: SQL) => (lists.includes(list) ? rows : sql`'{}'::json`)
  return sql`(select json_build_object(
  'posts', ${part('posts', statesOf('post'))}, 'assets', ${part('assets', statesOf('asset'))},
  'post_links', ${part('linkedPosts', linksOf('post'))}, 'asset_links', ${part('linkedAssets', linksOf('asset'))})::jsonb
  from (select s.scope ? 'trash' as trash, s.scope ? 'text' as text, ${named('posts')} as posts, ${named('assets')} as assets,
    ${named('linkedPosts')} as linked_posts, ${named('linkedAssets')} as linked_assets, ${named('collections')} as collections offset 0) x)`
}

/**
 * The CTE `recorded` of a statement that writes: the edit with its snapshot before, if `open` has a row. An earlier statement must have
 * locked the rows, so that the snapshot is what this one changes.
 */
export function recordBefore({ changeId, userId, action }: EditRecord, scope: Scope): SQL {
  return sql`recorded as (
    insert into edits (id, user_id, action, scope, before)
    select ${changeId}::uuid, ${userId}, ${action}, s.scope, ${snapshotOf(Object.keys(scope))} from (select ${jsonOf(scope)} as scope from open offset 0) s
  )`
}

/** The snapshot after, as a later statement of the same transaction. Does nothing without an edit, or to one that an earlier call has made. */
export function recordAfter(changeId: string | null, scope: Scope): SQL {
  return sql`update edits s set after = ${snapshotOf(Object.keys(scope))} where s.id = ${changeId}::uuid and s.after is null`
}

/** An edit of the caller. */
export interface Edit {
  action: string
  undone: boolean
  tooOld: boolean
  postIds: string[]
  assetIds: string[]
  personId: string | null
  commentId: string | null
}

/** An access token for one collection finds only what undoing checks against that collection. Guests are in one collection alone. */
export function findEdit(db: Db, userId: string, changeId: string): Promise<Edit | null> {
  return firstRow<Edit>(
    db,
    sql`select s.action, s.undone_at is not null as undone, s.created_at < now() - make_interval(days => ${LIMITS.undoDays}) as "tooOld",
      array(select distinct unnest(${named('posts')} || ${named('linkedPosts')})::text) as "postIds",
      array(select distinct unnest(${named('assets')} || ${named('linkedAssets')})::text) as "assetIds",
      s.scope ->> 'person' as "personId", s.scope ->> 'comment' as "commentId"
    from edits s where s.id = ${changeId} and s.user_id = ${userId} and (s.undone_at is null or ${onlyCollection} is null or ${isGuestUser(userId)}::boolean)`,
  )
}
