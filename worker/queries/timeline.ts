import { sql } from 'drizzle-orm'
import { type Db, firstRow } from '../db/client.ts'
import { isKnown } from './paging.ts'
import { linkVersion } from './permissions.ts'

/** `buckets` are counts per month as JSON text; null if the caller has this version. */
export interface Timeline {
  buckets: string | null
  revision: number
  etag: string
}

/** Null if the caller is not a member. Reads only the month index of the links, and nothing if the caller's If-None-Match (`known`) lists the current entity tag. */
export async function findTimeline(db: Db, userId: string, id: string, known: string | undefined): Promise<Timeline | null> {
  const row = await firstRow<Omit<Timeline, 'revision'> & { revision: string }>(
    db,
    sql`with scope as materialized (
      select c.revision, 'W/"timeline-' || c.revision || ${linkVersion} || '"' as etag from collections c
      where c.id = ${id} and c.deleted_at is null and exists (select from memberships where collection_id = c.id and user_id = ${userId})
    ),
    counted as (
      select month, count(*) as posts, 0 as assets from post_collections
      where collection_id = ${id} and live and not ${isKnown(sql`(select etag from scope)`, known)} group by month
      union all
      select month, 0, count(*) from asset_collections
      where collection_id = ${id} and live and not ${isKnown(sql`(select etag from scope)`, known)} group by month
    ),
    months as (select month, sum(posts) as posts, sum(assets) as assets from counted group by month)
    select revision, etag, case when not ${isKnown(sql`etag`, known)} then (
      select coalesce(json_agg(json_build_object('month', to_char(month, 'YYYY-MM'), 'posts', posts, 'assets', assets)
        order by month desc nulls last), '[]')::text from months) end as buckets
    from scope`,
  )
  return row && { ...row, revision: Number(row.revision) }
}
