import { type SQL, sql } from 'drizzle-orm'
import { displayNameOf, ITEMS, type ItemKind } from './permissions.ts'

/** People named with a reaction. */
const NAMED = 20

/**
 * `select item, list`: for each target of reactions that has any, its reactions in the contract's shape, those that came first in front. `target` is the
 * column of `reactions r` that names it, `where` says which rows are read.
 */
export function reactionsBy(userId: string, target: SQL, where: SQL): SQL {
  return sql`select item, jsonb_agg(jsonb_build_object('emoji', emoji, 'count', total, 'mine', mine, 'who', who) order by first, emoji) as list
    from (
      select item, emoji, count(*) as total, bool_or(user_id = ${userId} and original_author is null) as mine,
        min(created_at) as first,
        jsonb_agg(jsonb_build_object('id', user_id, 'name', (select ${displayNameOf} from users u where u.id = one.user_id))
          || case when original_author is null then '{}' else jsonb_build_object('original_author', original_author) end order by nth)
          filter (where nth <= ${NAMED}) as who
      from (
        select ${target} as item, r.emoji, r.user_id, r.original_author, r.created_at,
          row_number() over (partition by ${target}, r.emoji order by r.created_at, r.id) as nth
        from reactions r where ${where}
      ) one group by item, emoji
    ) kind group by item`
}

interface AnswersSource {
  userId: string
  collectionId: SQL | string
  /** Whether the item with this id is one of them. */
  among: (id: SQL) => SQL
}

/**
 * What the collection says about these items, as one object by item id; null if nothing. Comments that are deleted or hidden do not count. In a collection
 * without any, which is read once, no item is looked up.
 */
function answersTo(kind: ItemKind, { userId, collectionId, among }: AnswersSource): SQL {
  const { key } = ITEMS[kind]
  // In an order that only an index has: Postgres would rather scan the table for some row.
  const some = (table: string) =>
    sql`(select true from ${sql.raw(table)} where collection_id = ${collectionId} order by created_at limit 1)`
  return sql`(
    select jsonb_object_agg(item, jsonb_build_object('comments', coalesce(total, 0), 'reactions', coalesce(list, '[]')))
    from (
      select ${key} as item, count(*) as total from comments
      where ${some('comments')} and collection_id = ${collectionId} and ${among(key)} and deleted_at is null and hidden_at is null group by ${key}
    ) said full join (
      ${reactionsBy(userId, sql`r.${key}`, sql`${some('reactions')} and r.collection_id = ${collectionId} and ${among(sql`r.${key}`)}`)}
    ) felt using (item))`
}

/** The CTE `said`: what the collection says about the items of the CTE `page`. */
export const pageAnswers = (kind: ItemKind, userId: string, collectionId: string) =>
  sql`said as materialized (select ${answersTo(kind, { userId, collectionId, among: onPage })} as by_item)`

/** As an array, which is looked up in an index whatever Postgres expects of the page. */
const onPage = (id: SQL) => sql`${id} = any(array(select id from page))`

/** Answers about item `i` of such a page. */
export const pageAnswer = sql`(select by_item from said) -> i.id::text`

/** Answers about item `i`, read on its own. */
export const answersToItem = (kind: ItemKind, userId: string, collectionId: SQL | string) =>
  sql`${answersTo(kind, { userId, collectionId, among: (id) => sql`${id} = i.id` })} -> i.id::text`
