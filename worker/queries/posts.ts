import { type SQL, sql } from 'drizzle-orm'
import type { ListQuery } from '../../contract/paging.ts'
import type { NewPost, Post } from '../../contract/posts.ts'
import { type Db, firstRow, firstRows, oneRow, present } from '../db/client.ts'
import { answersToItem, pageAnswer } from './answers.ts'
import { lockItems } from './bulk.ts'
import { DATE_AND_LOCATION, dateAndLocationValues } from './date-and-location.ts'
import { type ListPage, listItems } from './paging.ts'
import { type Caller, type Checks, linksSeenBy, ownItem, permittedAuthor, rolesFor, uuids, visibleItem } from './permissions.ts'
import { memberPostJson, postFields, postJson } from './post-shape.ts'
import { lockAccount } from './usage.ts'

/** `known` is the caller's If-None-Match. */
export function listPosts(db: Db, userId: string, { query, known }: { query: ListQuery; known: string | undefined }): Promise<ListPage> {
  const fields = query.form && { ...postFields(userId), answers: pageAnswer }
  const json = query.collection_id ? memberPostJson(userId, { answers: pageAnswer }) : postJson(userId)
  return listItems(db, { kind: 'post', userId, query, json, fields, known })
}

export const readPost = (userId: string, id: string, answers?: SQL) =>
  sql`select ${postJson(userId, answers)} as post from posts i where i.id = ${id} and ${visibleItem('post', userId)}`

/** Null if the caller does not see the post, or it is not in the given collection. */
export async function findPost(db: Db, userId: string, id: string, collectionId?: string): Promise<Post | null> {
  const answers = collectionId ? answersToItem('post', userId, collectionId) : undefined
  const inCollection = collectionId ? sql`and exists (select ${linksSeenBy('post', userId)} and l.collection_id = ${collectionId})` : sql``
  return (await firstRow<{ post: Post }>(db, sql`${readPost(userId, id, answers)} ${inCollection}`))?.post ?? null
}

/** Ids of the caller's own assets in the post, in its order. */
export async function listOwnAssets(db: Db, userId: string, postId: string): Promise<string[]> {
  const { ids } = await oneRow<{ ids: string[] }>(
    db,
    sql`select array(select a.id from post_assets pa join assets a on a.id = pa.asset_id
      where pa.post_id = ${postId} and ${ownItem('asset', userId, 'a')} and a.deleted_at is null and a.status = 'ready' order by pa.position) as ids`,
  )
  return ids
}

/** Ids that the caller may not use; `closed` has the names of collections for which their role is too low. */
export interface Refusals {
  hidden: string[]
  closed: string[]
  people: string[]
  assets: string[]
}

/** The CTEs `wanted` and `target`: the requested collections, and those of them that the caller sees, with their role. */
const targets = (userId: string, ids: string[]) => sql`
  wanted as (select distinct unnest(${uuids(ids)}) as id),
  target as materialized (
    select w.id, c.name, m.role from wanted w join memberships m on m.collection_id = w.id and m.user_id = ${userId}
    join collections c on c.id = w.id and c.deleted_at is null
  )`
const hidden = sql`array(select id::text from wanted except select id::text from target)`
const closed = (checks: Checks<'item.add'>) =>
  sql`array(select name from target where role <> all(${rolesFor(checks['item.add'])}) order by name)`

type Insert = NewPost & { id: string; body: string }

/**
 * Inserts the post with its links, people and assets, or nothing. The caller's own assets are linked to its collections. `post` is the row
 * with this id if the caller is its author, whether inserted now or earlier; null if another user has the id.
 */
export async function insertPost(
  { db, user, checks }: Caller<'item.add'>,
  input: Insert,
): Promise<Refusals & { made: boolean; post: Post | null }> {
  const userId = user.id
  const { id, type, kind, title, body, originalAuthor, endsAt, collectionIds = [], peopleIds = [], existingAssetIds = [] } = input
  const [, , outcome, found] = await firstRows<[unknown, unknown, Refusals & { made: boolean }, { post: Post }, unknown]>(
    db,
    lockAccount(userId),
    // A role that ends meanwhile has ended in the next statement.
    lockItems({ kind: 'post', userId, ids: [] }, { collections: collectionIds, people: peopleIds, assets: existingAssetIds }),
    sql`with ${targets(userId, collectionIds)},
    tagged as materialized (
      select p.id from people p join target t on t.id = p.collection_id where p.id = any(${uuids(peopleIds)})
    ),
    attachable as materialized (
      select a.id, ${permittedAuthor('asset', userId, checks['item.add'], 'a')} as linkable from assets a
      where a.id = any(${uuids(existingAssetIds)}) and a.status = 'ready' and a.deleted_at is null
        and (${ownItem('asset', userId, 'a')} or exists (
          select from asset_collections l join target t on t.id = l.collection_id where l.asset_id = a.id))
    ),
    checks as materialized (
      select ${hidden} as hidden, ${closed(checks)} as closed,
        array(select unnest(${uuids(peopleIds)})::text except select id::text from tagged) as people,
        array(select unnest(${uuids(existingAssetIds)})::text except select id::text from attachable) as assets
    ),
    made as (
      insert into posts (id, user_id, type, kind, title, body, original_author, ends_at, place_hidden, ${DATE_AND_LOCATION})
      select ${id}, ${userId}, ${type}, ${kind ?? null}, ${title}, ${body}, ${originalAuthor || null}, ${endsAt ?? null}::timestamptz, ${input.placeHidden ?? false}::boolean, ${dateAndLocationValues(input)}
      from checks where hidden = '{}' and closed = '{}' and people = '{}' and assets = '{}'
      on conflict (id) do nothing returning id
    ),
    linked as (insert into post_collections (collection_id, post_id, user_id) select t.id, made.id, ${userId} from made, target t),
    tags as (insert into post_people (post_id, person_id) select made.id, tagged.id from made, tagged),
    attached as (
      insert into post_assets (post_id, asset_id, position)
      select made.id, attachable.id, array_position(${uuids(existingAssetIds)}, attachable.id) from made, attachable
    ),
    shared as (
      insert into asset_collections (collection_id, asset_id, user_id)
      select t.id, attachable.id, ${userId} from made, attachable, target t where attachable.linkable on conflict do nothing
    )
    select checks.*, exists (select from made) as made from checks`,
    sql`${readPost(userId, id)} and i.user_id = ${userId}`,
    sql`select count_written(${userId}, ${new TextEncoder().encode(body).length}::int)`,
  )
  return { ...present(outcome), post: found?.post ?? null }
}
