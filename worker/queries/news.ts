import { sql } from 'drizzle-orm'
import { FEED } from '../../contract/feed.ts'
import { type Db, rows } from '../db/client.ts'
import { IS_NEWS, IS_WRITTEN, mentions } from './comment-news.ts'
import { displayNameOf, ITEMS, type ItemKind, texts } from './permissions.ts'
import type { Languages } from './users.ts'

/** Delay from the first new item to the notification about it and later ones, and minimum time between two notifications. */
export const GAP = sql`interval '5 minutes'`

/** Older items are not notified any more. */
export const LOOKBACK = sql`interval '30 minutes'`

/** Pairs of member and collection per run, each with a request for every browser of the member. The next minute's run continues. */
export const BATCH = 1_000

/** New items of a collection are counted up to here. */
export const MAX_COUNTED = 1_000

/** New items of others in a collection of a member. The counts add up to at most MAX_COUNTED. */
export interface News extends Languages {
  userId: string
  collectionId: string
  collection: string
  /** The person who added the newest item, and the number of other authors. */
  author: string
  others: number
  posts: number
  photos: number
  videos: number
  files: number
}

/**
 * Claims the news that are due: their first item is older than GAP. Each is claimed by one run, so that no member is notified twice.
 * Members who muted the collection, have seen the feed since, or have no subscription get none.
 */
export function claimNews(db: Db): Promise<News[]> {
  return rows(
    db,
    sql`with recent as materialized (
      select distinct ch.collection_id from changes ch join collections c on c.id = ch.collection_id and c.deleted_at is null
      where ch.created_at > now() - ${LOOKBACK} and ch.event = 'INSERT' and ch.table_name in ('post_collections', 'asset_collections')
    ),
    listening as materialized (
      select m.collection_id, m.user_id, greatest(n.told_at, v.seen_at, m.joined_at, now() - ${LOOKBACK}) as since
      from recent join members m using (collection_id)
      left join notices n using (collection_id, user_id) left join feed_visits v on v.user_id = m.user_id
      where n.muted is not true and (n.told_at is null or n.told_at < now() - ${GAP})
        and exists (select from push_subscriptions s where s.user_id = m.user_id)
    ),
    due as materialized (select * from listening g where ${waits('post')} or ${waits('asset')} order by since limit ${BATCH}),
    claimed as (
      insert into notices as n (collection_id, user_id, told_at) select collection_id, user_id, now() from due
      on conflict (collection_id, user_id) do update set told_at = now()
        where n.muted is not true and (n.told_at is null or n.told_at < now() - ${GAP})
      returning collection_id, user_id
    )
    select g.user_id as "userId", reader.display_language as "displayLanguage", reader.language, g.collection_id as "collectionId", c.name as collection, ${displayNameOf} as author,
      (fresh.authors - 1)::int as others, fresh.posts::int, fresh.photos::int, fresh.videos::int,
      (fresh.total - fresh.posts - fresh.photos - fresh.videos)::int as files
    from claimed join due g using (collection_id, user_id) join collections c on c.id = g.collection_id
    cross join lateral ${COUNTED} fresh
    join users u on u.id = fresh.newest join users reader on reader.id = g.user_id`,
  )
}

/** Links `l` of others in `g`'s collection that are newer than `g.since`. */
export const fresh = (kind: ItemKind) => {
  const { links } = ITEMS[kind]
  return sql`from ${links} l where l.collection_id = g.collection_id and l.live and l.added_at > g.since and l.user_id <> g.user_id`
}

const waits = (kind: ItemKind) => sql`exists (select ${fresh(kind)} and l.added_at < now() - ${GAP})`

/** Whether link `l` is of a part whose cover is news as well and counts for it. */
export const COVERED = sql`exists (select from groups s join asset_collections cover on cover.collection_id = s.collection_id and cover.asset_id = s.cover and cover.group_id = s.id and cover.live
  where s.id = l.group_id and s.cover <> l.asset_id and cover.added_at > g.since and cover.user_id <> g.user_id)`

/** `type` is null for posts. */
const newest = (kind: ItemKind) => {
  const type = kind === 'asset' ? sql`(select a.type from assets a where a.id = l.asset_id)` : sql`null::text`
  return sql`(select l.user_id as author, l.added_at, ${type} as type ${fresh(kind)} ${kind === 'asset' ? sql`and not ${COVERED}` : sql``}
    order by l.added_at desc limit ${sql.raw(String(MAX_COUNTED))})`
}

/** A relation of one row, for `cross join lateral`: how many items are new to `g`, how many authors they have, and the author of the newest. */
export const COUNTED = sql`(
  select count(*) as total, count(distinct author) as authors, (array_agg(author order by added_at desc))[1] as newest,
    count(*) filter (where type is null) as posts, count(*) filter (where type like 'image/%') as photos,
    count(*) filter (where type like 'video/%') as videos
  from (
    select * from (${newest('post')} union all ${newest('asset')}) l order by added_at desc limit ${sql.raw(String(MAX_COUNTED))}
  ) counted
)`

/**
 * Number of unseen groups of the feed, at most as many as its first page has, and of pending invitations, by user: what the app counts for its badge
 * (web/atoms/follow-badge.ts).
 */
export async function countUnseen(db: Db, userIds: readonly string[]): Promise<Map<string, number>> {
  const counts = await rows<{ id: string; unseen: number }>(
    db,
    sql`select u.id, (least(${FEED.size}::int, (select count(*) from (
        select distinct kind, author, day, m.collection_id from members m join collections c on c.id = m.collection_id and c.deleted_at is null
        left join feed_visits v on v.user_id = m.user_id
        cross join lateral (${unseenOf('post')} union all ${unseenOf('asset')} union all ${UNSEEN_MEMBERS} union all ${UNSEEN_COMMENTS}) l
        where m.user_id = u.id) groups)
      + (select count(*) from invites i join collections c on c.id = i.collection_id and c.deleted_at is null where i.email = u.email and i.state = 'pending' and i.expires_at > now()
        and exists (select from push_subscriptions s where s.user_id = u.id and s.verified_email = i.email))))::int as unseen
      from users u where u.id = any(${texts(userIds)})`,
  )
  return new Map(counts.map(({ id, unseen }) => [id, unseen]))
}

/** To those who never opened the feed, all of it is new. */
const SEEN = sql`coalesce(v.seen_at, '-infinity')`

/** Grouped like the feed (queries/feed.ts). */
const unseenOf = (kind: ItemKind) =>
  sql`(select ${kind}::text as kind, l.user_id as author, (l.added_at at time zone 'UTC')::date as day from ${ITEMS[kind].links} l
    where l.collection_id = m.collection_id and l.live and l.user_id <> m.user_id
      and l.added_at > ${SEEN}
    order by l.added_at desc limit ${sql.raw(String(MAX_COUNTED))})`

const UNSEEN_MEMBERS = sql`(select 'member', j.user_id, (j.joined_at at time zone 'UTC')::date from members j
    where j.collection_id = m.collection_id and j.joined_at > c.created_at and j.user_id <> m.user_id and j.joined_at > ${SEEN})`

const isLive = (kind: ItemKind) =>
  sql`exists (select from ${ITEMS[kind].links} l where l.collection_id = s.collection_id and l.${ITEMS[kind].key} = s.${ITEMS[kind].key} and l.live)`
const isOwn = (kind: ItemKind) =>
  sql`exists (select from ${ITEMS[kind].table} i where i.id = s.${ITEMS[kind].key} and i.user_id = m.user_id)`

/** By the rule of the feed, grouped like there. */
const UNSEEN_COMMENTS = sql`(select 'comment', s.item::text, (s.created_at at time zone 'UTC')::date
    from (
      select s.*, coalesce(s.post_id, s.asset_id) as item from comments s
      where s.collection_id = m.collection_id and s.created_at > ${SEEN} and s.user_id <> m.user_id
        and ${IS_NEWS}
      order by s.created_at desc limit ${sql.raw(String(MAX_COUNTED))}
    ) s left join (
      select coalesce(s.post_id, s.asset_id) as item, min(s.created_at) as since from comments s
      where s.user_id = m.user_id and s.collection_id = m.collection_id and ${IS_WRITTEN} group by 1
    ) talk using (item) left join people p on p.collection_id = m.collection_id and p.user_id = m.user_id
    where (${isLive('post')} or ${isLive('asset')}) and (${isOwn('post')} or ${isOwn('asset')} or s.created_at > talk.since
      or p.id is not null and ${mentions(sql`p.id`)}))`
