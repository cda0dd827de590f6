import { sql } from 'drizzle-orm'

/** Group `g` in the shape of the contract: the cover first, then the other parts by date. */
export const groupJson = sql`json_build_object('id', g.id, 'kind', g.kind, 'cover', g.cover, 'assetIds', (
  select json_agg(l.asset_id order by l.asset_id = g.cover desc, l.sort_at, l.asset_id) from asset_collections l where l.group_id = g.id))`

/** The CTE `page_groups`: each group of a page once, not once for each of its parts. */
export const pageGroups = sql`page_groups as materialized (
  select g.id, ${groupJson} as json from groups g where g.id in (select group_id from page)
)`

/** The group of a row whose `group_id` is of `page`, or null. */
export const pageGroup = sql`case when group_id is not null then (select json from page_groups where page_groups.id = group_id) end`
