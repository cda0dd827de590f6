import { type SQL, sql } from 'drizzle-orm'
import { collectionsSeenBy, displayNameOf, ITEMS, type ItemKind, linksOf } from './permissions.ts'
import { placeSeen } from './places.ts'

const entries = (fields: Record<string, SQL>, value: (field: SQL) => SQL) =>
  sql.join(
    Object.entries(fields).map(([name, field]) => sql`${sql.raw(`'${name}'`)}, ${value(field)}`),
    sql`, `,
  )

/** Arguments of `json_build_object` for these fields. */
export const namedFields = (fields: Record<string, SQL>) => entries(fields, (field) => field)

/**
 * The CTEs of the compact form (contract/columns.ts), which begin with a comma: each relation of the page's items is read once, not once per item. As in the
 * rows, links and people are those of the caller's collections.
 */
export function columnParts(kind: ItemKind, userId: string): SQL {
  const { table, key, tags } = ITEMS[kind]
  return sql`,
    items as materialized (
      select page.nth - 1 as item, page.group_id, i.*, placed.* from page join ${table} i on i.id = page.id
      cross join lateral ${placeSeen(kind, userId)} placed where page.nth <= (select rows from shown)
    ),
    linked as materialized (
      select i.item, l.collection_id, l.user_id, l.added_at from items i cross join lateral ${linksOf(kind, sql`i.id`)} l
      where l.collection_id = any(${collectionsSeenBy(userId)})
    ),
    tagged as (
      select l.item, p.id from items i join ${tags} t on t.${key} = i.id join people p on p.id = t.person_id
      join linked l on l.item = i.item and l.collection_id = p.collection_id
    ),
    named as materialized (
      select u.id, case when author then ${displayNameOf} end as name, row_number() over (order by u.id) - 1 as at
      from (select user_id, bool_or(author) as author from (
        select user_id, true as author from items union all select user_id, false from linked) mentioned group by user_id) mentioned
      join users u on u.id = mentioned.user_id
    ),
    targets as materialized (select collection_id, row_number() over () - 1 as at from (select distinct collection_id from linked) known)`
}

/** The compact form of the page, as JSON. */
export function columnsJson(fields: Record<string, SQL>): SQL {
  const column = (value: SQL, order: SQL) => sql`coalesce(json_agg(${value} order by ${order}), '[]')`
  const byItem = (value: SQL) => column(value, sql`i.item`)
  const byLink = (value: SQL) => column(value, sql`l.item, l.added_at, l.collection_id`)
  const byPerson = (value: SQL) => column(value, sql`item, id`)
  return sql`(select json_build_object('fields', json_build_object(${entries(fields, byItem)}), 'user', ${byItem(sql`named.at`)},
      'users', (select coalesce(json_agg(json_build_object('id', id, 'name', name) order by at), '[]') from named),
      'collections', (select coalesce(json_agg(collection_id order by at), '[]') from targets),
      'links', (select json_build_object('item', ${byLink(sql`l.item`)}, 'collection', ${byLink(sql`targets.at`)}, 'user', ${byLink(sql`named.at`)},
        'added_at', ${byLink(sql`l.added_at`)}) from linked l join targets using (collection_id) join named on named.id = l.user_id),
      'people', (select json_build_object('item', ${byPerson(sql`item`)}, 'id', ${byPerson(sql`id`)}) from tagged))::text
    from items i join named on named.id = i.user_id)`
}
