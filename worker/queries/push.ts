import { type SQL, sql } from 'drizzle-orm'
import { FEED } from '../../contract/feed.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { NewPushSubscription, Notices } from '../../contract/push.ts'
import { type Db, firstRow, firstRows, rows } from '../db/client.ts'
import { IS_NEWS, IS_WRITTEN, mentions } from './comment-news.ts'
import { type Caller, displayNameOf, ITEMS, type ItemKind, roleIn, rolesFor, texts, uuids } from './permissions.ts'
import type { Languages } from './users.ts'

export interface Subscription {
  id: string
  userId: string
  endpoint: string
  p256dh: string
  auth: string
}

const SUBSCRIPTION = sql`s.id, s.user_id as "userId", s.endpoint, s.p256dh, s.auth`

/** Delay from the first new item to the notification about it and later ones, and minimum time between two notifications. */
export const GAP = sql`interval '5 minutes'`

/** Older items are not notified any more. */
export const LOOKBACK = sql`interval '30 minutes'`

/** A person who answers what others ask in a collection. `email` is null unless they have confirmed it: mail goes to nobody else's address. */
export interface Admin extends Languages {
  id: string
  email: string | null
}

/** JSON of the `Admin`s of collection `c`: members `m` with the user `a`. */
export const adminsWhere = (which: SQL) => sql`(select coalesce(json_agg(json_build_object('id', a.id,
    'email', case when a.verified_email = a.email then a.email end, 'displayLanguage', a.display_language, 'language', a.language)), '[]')
  from members m join users a on a.id = m.user_id where m.collection_id = c.id and m.role = any(${rolesFor('invites.see')}) and ${which})`

/** Pairs of member and collection per run, each with a request for every browser of the member. The next minute's run continues. */
export const BATCH = 1_000

/** New items of a collection are counted up to here. */
export const MAX_COUNTED = 1_000

interface NewSubscription {
  id: string
  /** The user's address if it is confirmed. */
  verifiedEmail: string | null
  sessionId: string
}

/** Whether this session has subscribed with this endpoint, or with the one that it replaces. */
export async function isSubscribed(db: Db, sessionId: string, { endpoint, replaces = endpoint }: NewPushSubscription): Promise<boolean> {
  const own = sql`select from push_subscriptions where session_id = ${sessionId} and endpoint in (${endpoint}, ${replaces})`
  return (await firstRow(db, own)) !== null
}

/** Takes over a browser that another user or session had subscribed, and ends the subscription of the session that it replaces. Deletes the oldest subscriptions of the user beyond the limit. */
export async function upsertSubscription(
  db: Db,
  userId: string,
  { id, verifiedEmail, sessionId, endpoint, keys, replaces = endpoint }: NewSubscription & NewPushSubscription,
): Promise<void> {
  await firstRows<[unknown, unknown, unknown]>(
    db,
    sql`delete from push_subscriptions where session_id = ${sessionId} and endpoint = ${replaces} and endpoint <> ${endpoint}`,
    sql`insert into push_subscriptions as s (id, user_id, session_id, endpoint, p256dh, auth, verified_email)
      values (${id}, ${userId}, ${sessionId}, ${endpoint}, ${keys.p256dh}, ${keys.auth}, ${verifiedEmail})
      on conflict (endpoint) do update set user_id = excluded.user_id, session_id = excluded.session_id, p256dh = excluded.p256dh, auth = excluded.auth,
        verified_email = excluded.verified_email, created_at = now()`,
    sql`delete from push_subscriptions where id in (
      select id from push_subscriptions where user_id = ${userId} order by created_at desc, id desc offset ${LIMITS.pushDevices})`,
  )
}

export async function hasOwnSubscription(db: Db, userId: string, endpoint: string): Promise<boolean> {
  return (await firstRow(db, sql`select from push_subscriptions where endpoint = ${endpoint} and user_id = ${userId}`)) !== null
}

export async function deleteOwnSubscription(db: Db, userId: string, endpoint: string): Promise<void> {
  await db.execute(sql`delete from push_subscriptions where endpoint = ${endpoint} and user_id = ${userId}`)
}

export async function deleteSubscriptions(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db.execute(sql`delete from push_subscriptions where id = any(${uuids(ids)})`)
}

export function listSubscriptions(db: Db, userIds: readonly string[]): Promise<Subscription[]> {
  return rows(db, sql`select ${SUBSCRIPTION} from push_subscriptions s where s.user_id = any(${texts(userIds)})`)
}

/** Subscriptions of the owner of an invited address, made while this address was confirmed. */
export function listInvitedSubscriptions(db: Db, inviteId: string): Promise<Subscription[]> {
  return rows(
    db,
    sql`select ${SUBSCRIPTION} from invites i join users u on u.email = i.email
      join push_subscriptions s on s.user_id = u.id and s.verified_email = i.email
      where i.id = ${inviteId} and i.state = 'pending'`,
  )
}

/** The weekly mail is on, and goes to the present address. */
const weeklyOf = (userId: string, collectionId: string) => sql`exists (select from weekly_mails w join users u on u.id = w.user_id
  where w.collection_id = ${collectionId} and w.user_id = ${userId} and w.verified_email = u.email)`

/** Null if the caller is not a member. */
export function findNotices(db: Db, userId: string, collectionId: string): Promise<Notices | null> {
  return firstRow(
    db,
    sql`select coalesce((select n.muted from notices n where n.collection_id = ${collectionId} and n.user_id = ${userId}), false) as muted,
        ${weeklyOf(userId, collectionId)} as weekly
      where ${roleIn(collectionId, userId)} is not null`,
  )
}

/** `weekly` is null to end the mail, and undefined to leave it as it is. */
interface NoticesChange {
  collectionId: string
  muted: boolean | undefined
  weekly: { id: string; verifiedEmail: string; timeZone: string | null } | null | undefined
}

/** Null if the caller is not a member. Items and comments of the time in which it is muted are not notified later. */
export async function updateNotices(
  { db, user, checks }: Caller<'collection.see'>,
  { collectionId, muted, weekly }: NoticesChange,
): Promise<Notices | null> {
  const member = sql`${roleIn(collectionId, user.id)} = any(${rolesFor(checks['collection.see'])})`
  const begin = weekly
    ? sql`insert into weekly_mails as w (id, collection_id, user_id, verified_email, time_zone, due_at)
        select ${weekly.id}, ${collectionId}::uuid, ${user.id}, ${weekly.verifiedEmail}, ${weekly.timeZone},
          next_monday(coalesce((select u.time_zone from users u where u.id = ${user.id}), ${weekly.timeZone}), now()) where ${member}
        on conflict (collection_id, user_id) do update set verified_email = excluded.verified_email, time_zone = excluded.time_zone`
    : weekly === null
      ? sql`delete from weekly_mails where collection_id = ${collectionId} and user_id = ${user.id}`
      : null
  const muting = sql`insert into notices as n (collection_id, user_id, muted, told_at)
      select ${collectionId}::uuid, ${user.id}, ${muted ?? false}, null where ${member}
      on conflict (collection_id, user_id) do update
        set muted = excluded.muted, told_at = case when n.muted and not excluded.muted then now() else n.told_at end,
          answers_told_at = case when n.muted and not excluded.muted then now() else n.answers_told_at end`
  const writes = [muted === undefined ? null : muting, begin].filter((write) => write !== null)
  const after = sql`select coalesce((select n.muted from notices n where n.collection_id = ${collectionId} and n.user_id = ${user.id}), false) as muted,
      ${weeklyOf(user.id, collectionId)} as weekly where ${member}`
  const found = await firstRows<(Notices | null)[]>(db, ...writes, after)
  return found.at(-1) ?? null
}

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
