import { sql } from 'drizzle-orm'

/** Order of the visible parts of group `g`, which are assets `i`: the cover, or a photo or else a film while that is in the trash, and then the others by date. */
const IN_ORDER = sql`part.asset_id = g.cover desc, i.type like 'video/%', part.sort_at, part.asset_id`

/** The asset as which that of link `l` is shown: the first of its group now, or itself. */
export const SHOWN_AS = sql`coalesce((
  select part.asset_id from groups g join asset_collections part on part.group_id = g.id and part.live join assets i on i.id = part.asset_id
  where g.id = l.group_id order by ${IN_ORDER} limit 1), l.asset_id)`

/** Group `g` in the shape of the contract, made of the parts that are visible now. Null with fewer than two. */
export const groupJson = sql`(
  select case when count(*) > 1 then json_build_object('id', g.id,
    'kind', case when g.kind = 'live' and not bool_or(film) then 'stack' else g.kind end,
    'cover', (array_agg(id order by nth))[1], 'assetIds', json_agg(id order by nth)) end
  from (
    select part.asset_id as id, i.type like 'video/%' as film, row_number() over (order by ${IN_ORDER}) as nth
    from asset_collections part join assets i on i.id = part.asset_id where part.group_id = g.id and part.live
  ) parts)`

/** The CTE `page_groups`: each group of a page once, not once for each of its parts. Without `offset 0` Postgres would put `whole` together five times. */
export const pageGroups = sql`page_groups as materialized (
  select id, (whole ->> 'cover')::uuid as cover, whole,
    case when whole is not null then json_build_object('id', id, 'kind', whole -> 'kind', 'cover', whole -> 'cover') end as brief
  from (select g.id, ${groupJson} as whole from groups g where g.id in (select group_id from page) offset 0) read
)`

/** The group of asset `i` whose `group_id` is of `page`, or null. Only the cover names the parts: each of a hundred naming all is too much. */
export const pageGroup = sql`case when group_id is not null then
  (select case when page_groups.cover = i.id then whole else brief end from page_groups where page_groups.id = group_id) end`
