import { type SQL, sql } from 'drizzle-orm'
import { KINDS, type Post, type PostEdit } from '../../contract/posts.ts'
import { firstRows } from '../db/client.ts'
import { lockItems } from './bulk.ts'
import { recordAfter, recordBefore } from './edits.ts'
import { type Caller, type Checks, linksSeenBy, permittedItem, rolesFor, uuids, visibleItem } from './permissions.ts'
import { pictureSeenBy } from './post-shape.ts'
import { readPost } from './posts.ts'

/** How the post stood before, and the row after. `people` and `pictures` are ids that the caller may not use. */
export interface PostWrite {
  permitted: boolean
  /** Whether the row had the version that the caller changed. */
  current: boolean
  /** Whether the kind goes with the type. */
  fits: boolean
  people: string[]
  pictures: string[]
  done: boolean
  post: Post | null
}

/**
 * Changes what is named (undefined stays), people and pictures included, or nothing at all. People and pictures that the caller
 * does not see stay in the post. Two editors of one version: the row lock lets the first through. Null where the caller does not see the post.
 */
export async function updatePost(
  { db, user, checks }: Caller<'item.edit' | 'item.add'>,
  { id, version, edit, changeId }: { id: string; version: number | null; edit: PostEdit; changeId: string },
): Promise<PostWrite | null> {
  const userId = user.id
  const people = edit.peopleIds && uuids(edit.peopleIds)
  const pictures = edit.existingAssetIds && uuids(edit.existingAssetIds)
  const [, outcome, , after] = await firstRows<[unknown, Omit<PostWrite, 'post'>, unknown, { post: Post }]>(
    db,
    lockItems({ kind: 'post', userId, ids: [id] }, { people: edit.peopleIds, pictures: edit.existingAssetIds }),
    sql`with target as materialized (
      select i.* from posts i where i.id = ${id} and ${visibleItem('post', userId)} for no key update of i
    ),
    tagged as materialized (
      select p.id from people p where p.id = any(${people ?? uuids([])})
        and p.collection_id in (select l.collection_id from target i, lateral (select l.collection_id ${linksSeenBy('post', userId)}) l)
      for key share of p
    ),
    pictured as materialized (
      select a.id, a.user_id from assets a, target i where a.id = any(${pictures ?? uuids([])}) and a.deleted_at is null and a.status = 'ready'
        and (a.user_id = ${userId}
          or exists (select ${linksSeenBy('asset', userId, sql`a.id`)}
            and l.collection_id in (select pl.collection_id from post_collections pl where pl.post_id = i.id))
          or exists (select from post_assets pa where pa.post_id = i.id and pa.asset_id = a.id))
      for key share of a
    ),
    checks as materialized (
      select i.id, ${permittedItem('post', userId, checks['item.edit'])} as permitted, i.version = coalesce(${version}::int, i.version) as current,
        ${kindFits(edit)} as fits,
        array(select unnest(${people ?? uuids([])})::text except select id::text from tagged) as people,
        array(select unnest(${pictures ?? uuids([])})::text except select id::text from pictured) as pictures
      from target i
    ),
    open as materialized (select id from checks where permitted and current and fits and people = '{}' and pictures = '{}'),
    ${recordBefore({ changeId, userId, action: 'edit' }, scopeOf(pictures && userId))},
    ${people ? partsOfPeople(people, userId) : sql``}
    ${pictures ? partsOfPictures(pictures, userId, checks) : sql``}
    changed as (
      update posts p set ${assignments(edit)},
        version = p.version + (${people ? sql`exists (select from untagged) or exists (select from tags)` : sql`false`}
          or ${pictures ? sql`exists (select from unpictured) or exists (select from shown)` : sql`false`})::int
      from open where p.id = open.id returning p.id
    )
    select permitted, current, fits, people, pictures, exists (select from changed) as done from checks`,
    recordAfter(changeId),
    readPost(userId, id),
  )
  return outcome && { ...outcome, post: after?.post ?? null }
}

/** The post, and the links of pictures that may come into its collections with the edit. */
const scopeOf = (userId: string | undefined) =>
  sql`jsonb_build_object('text', true, 'posts', jsonb_build_array(id)) || ${
    userId
      ? sql`jsonb_build_object('linkedAssets', (select coalesce(jsonb_agg(pictured.id), '[]') from pictured where pictured.user_id = ${userId}),
        'collections', (select coalesce(jsonb_agg(l.collection_id), '[]') from post_collections l where l.post_id = open.id))`
      : sql`'{}'::jsonb`
  }`

/** Replaces the tags of people whom the caller sees. */
const partsOfPeople = (people: SQL, userId: string) => sql`
  untagged as (
    delete from post_people pp using open, people p
    where pp.post_id = open.id and p.id = pp.person_id and p.id <> all(${people})
      and exists (select from members m where m.collection_id = p.collection_id and m.user_id = ${userId})
    returning 1
  ),
  tags as (insert into post_people (post_id, person_id) select open.id, tagged.id from open, tagged on conflict do nothing returning 1),`

/** Replaces the pictures that the caller sees, in the order of the list; own ones come with it into those of the post's collections to which the caller may add. */
const partsOfPictures = (pictures: SQL, userId: string, checks: Checks<'item.add'>) => sql`
  unpictured as (
    delete from post_assets pa using open, assets a
    where pa.post_id = open.id and a.id = pa.asset_id and a.id <> all(${pictures}) and ${pictureSeenBy(userId)} returning 1
  ),
  shown as (
    insert into post_assets as pa (post_id, asset_id, position)
    select open.id, pictured.id, array_position(${pictures}, pictured.id) from open, pictured
    on conflict (post_id, asset_id) do update set position = excluded.position where pa.position <> excluded.position returning 1
  ),
  shared as (
    insert into asset_collections (collection_id, asset_id, user_id)
    select l.collection_id, pictured.id, ${userId} from open, pictured,
      lateral (select l.collection_id ${linksSeenBy('post', userId, sql`open.id`)} and m.role = any(${rolesFor(checks['item.add'])})) l
    where pictured.user_id = ${userId} and not exists (select from post_assets pa where pa.post_id = open.id and pa.asset_id = pictured.id)
    on conflict do nothing
  ),`

/** A kind that does not go with a new type is refused when it was named, and forgotten when it was not. */
function kindFits({ type, kind }: PostEdit): SQL {
  return kind ? sql`${JSON.stringify(KINDS)}::jsonb -> coalesce(${type ?? null}, i.type) ? ${kind}` : sql`true`
}

function assignments(edit: PostEdit): SQL {
  const { type, kind, title, body, date, dateZone, datePrecision, endsAt, location } = edit
  const keptKind = sql`case when ${JSON.stringify(KINDS)}::jsonb -> coalesce(${type ?? null}, p.type) ? p.kind then p.kind end`
  const newDate = date === undefined ? sql`p.date` : sql`${datePrecision === 'unknown' ? null : date}::timestamptz`
  // A new date without a precision is known to the minute; a precision without a date is of the date that stands.
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
      ...(location === undefined
        ? []
        : [sql`lat = ${location?.lat ?? null}::float8, lon = ${location?.lon ?? null}::float8, place_name = ${location?.name || null}`]),
    ],
    sql`, `,
  )
}
