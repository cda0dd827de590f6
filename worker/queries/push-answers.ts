import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../db/client.ts'
import { IS_NEWS, IS_WRITTEN } from './comment-news.ts'
import { BATCH, GAP, LOOKBACK } from './news.ts'
import { displayNameOf, ITEMS, type ItemKind } from './permissions.ts'
import type { Languages } from './users.ts'

/** New comments that concern a member of a collection. */
export interface AnswerNews extends Languages {
  userId: string
  collectionId: string
  collection: string
  /** The person who wrote the newest, and the number of others who wrote some. */
  author: string
  others: number
  comments: number
  /** One of them names the member. */
  mentioned: boolean
  /** The one item that all of them are about; null if there are several. */
  item: { kind: ItemKind; id: string } | null
}

/** Comments `s` of the last time on items of this kind that are visible, with `author`, who wrote the item. What is imported is no news. */
function recent(kind: ItemKind): SQL {
  const { table, links, key } = ITEMS[kind]
  return sql`select s.*, i.user_id as author from lively join comments s using (collection_id) join collections c on c.id = s.collection_id and c.deleted_at is null
    join ${links} l on l.collection_id = s.collection_id and l.${key} = s.${key} and l.live join ${table} i on i.id = s.${key}
    where s.created_at > now() - ${LOOKBACK} and ${IS_NEWS}`
}

/**
 * Claims the comments of which members are due to hear, as `claimNews` does with items: the author of the item, those who commented on it before, and
 * whoever is named, if they are members. Nobody hears of their own, of a collection that they have muted, or of what they have seen in the feed.
 */
export function claimAnswers(db: Db): Promise<AnswerNews[]> {
  return rows(
    db,
    sql`with lively as materialized (
      select distinct collection_id from changes where created_at > now() - ${LOOKBACK} and table_name = 'comments'
    ),
    recent as materialized (${recent('post')} union all ${recent('asset')}),
    talk as materialized (
      select r.collection_id, coalesce(r.post_id, r.asset_id) as item, s.user_id, min(s.created_at) as since
      from (select distinct collection_id, post_id, asset_id from recent) r join comments s on s.collection_id = r.collection_id
        and (s.post_id = r.post_id or s.asset_id = r.asset_id) and ${IS_WRITTEN}
      group by 1, 2, 3
    ),
    concerned as (
      select id, author as user_id, false as mentioned from recent
      union all
      select s.id, t.user_id, false from recent s
        join talk t on t.collection_id = s.collection_id and t.item = coalesce(s.post_id, s.asset_id) and t.since < s.created_at
      union all
      select s.id, p.user_id, true from recent s cross join jsonb_array_elements(s.mentions) x (entry)
        join people p on p.id = (x.entry ->> 'person_id')::uuid and p.collection_id = s.collection_id
    ),
    fresh as materialized (
      select s.id, s.collection_id, s.post_id, s.asset_id, m.user_id, s.user_id as writer, s.created_at, bool_or(k.mentioned) as mentioned
      from concerned k join recent s on s.id = k.id join members m on m.collection_id = s.collection_id and m.user_id = k.user_id
      left join notices n on n.collection_id = m.collection_id and n.user_id = m.user_id left join feed_visits v on v.user_id = m.user_id
      where s.user_id <> k.user_id and n.muted is not true and (n.answers_told_at is null or n.answers_told_at < now() - ${GAP})
        and s.created_at > greatest(n.answers_told_at, m.joined_at, v.seen_at) and exists (select from push_subscriptions d where d.user_id = m.user_id)
      group by s.id, s.collection_id, s.post_id, s.asset_id, m.user_id, s.user_id, s.created_at
    ),
    due as materialized (
      select collection_id, user_id from fresh group by 1, 2 having min(created_at) < now() - ${GAP} order by min(created_at) limit ${BATCH}
    ),
    claimed as (
      insert into notices as n (collection_id, user_id, answers_told_at) select collection_id, user_id, now() from due
      on conflict (collection_id, user_id) do update set answers_told_at = now()
        where n.muted is not true and (n.answers_told_at is null or n.answers_told_at < now() - ${GAP})
      returning collection_id, user_id
    )
    select f.user_id as "userId", reader.display_language as "displayLanguage", reader.language, f.collection_id as "collectionId", c.name as collection,
      (select ${displayNameOf} from users u where u.id = (array_agg(f.writer order by f.created_at desc))[1]) as author,
      (count(distinct f.writer) - 1)::int as others, count(*)::int as comments, bool_or(f.mentioned) as mentioned,
      case when count(distinct coalesce(f.post_id, f.asset_id)) = 1 then (
        array_agg(json_build_object('kind', case when f.post_id is null then 'asset' else 'post' end, 'id', coalesce(f.post_id, f.asset_id))))[1] end as item
    from claimed join fresh f using (collection_id, user_id) join collections c on c.id = f.collection_id join users reader on reader.id = f.user_id
    group by f.user_id, reader.id, f.collection_id, c.name`,
  )
}
