import { sql } from 'drizzle-orm'

/**
 * Group `g` in the shape of the contract, made of the parts that are visible now: the cover first, then the others by date. Null with fewer than two. If the
 * cover is in the trash, a photo takes its place, or else a film.
 */
export const groupJson = sql`(
  select case when count(*) > 1 then json_build_object('id', g.id,
    'kind', case when g.kind = 'live' and not bool_or(film) then 'stack' else g.kind end,
    'cover', (array_agg(id order by nth))[1], 'assetIds', json_agg(id order by nth)) end
  from (
    select l.asset_id as id, i.type like 'video/%' as film,
      row_number() over (order by l.asset_id = g.cover desc, i.type like 'video/%', l.sort_at, l.asset_id) as nth
    from asset_collections l join assets i on i.id = l.asset_id where l.group_id = g.id and l.live
  ) part)`

/** The CTE `page_groups`: each group of a page once, not once for each of its parts. Without `offset 0` Postgres would put `whole` together five times. */
export const pageGroups = sql`page_groups as materialized (
  select id, (whole ->> 'cover')::uuid as cover, whole,
    case when whole is not null then json_build_object('id', id, 'kind', whole -> 'kind', 'cover', whole -> 'cover') end as brief
  from (select g.id, ${groupJson} as whole from groups g where g.id in (select group_id from page) offset 0) read
)`

/** The group of asset `i` whose `group_id` is of `page`, or null. Only the cover names the parts: each of a hundred naming all is too much. */
export const pageGroup = sql`case when group_id is not null then
  (select case when page_groups.cover = i.id then whole else brief end from page_groups where page_groups.id = group_id) end`
