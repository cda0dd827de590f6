import { type SQL, sql } from 'drizzle-orm'
import { LIMITS } from '../../contract/limits.ts'
import type { Notices, PushSubscription } from '../../contract/push.ts'
import { type Db, firstRow, firstRows, rows } from '../db/client.ts'
import { type Caller, displayNameOf, ITEMS, type ItemKind, roleIn, rolesFor, uuids } from './permissions.ts'

/** Where to send a notification, and what to encrypt it with. */
export interface Subscription {
  id: string
  userId: string
  endpoint: string
  p256dh: string
  auth: string
}

const SUBSCRIPTION = sql`s.id, s.user_id as "userId", s.endpoint, s.p256dh, s.auth`

/** Minutes from the first new item to the message that tells of it and all that came after, and between two messages. */
const GAP = sql`interval '5 minutes'`

/** What came in before that is no news any more, whoever was not told of it. */
const LOOKBACK = sql`interval '30 minutes'`

/** Who is told of what in one run: a call of a push service for each of their browsers. The next minute goes on. */
const BATCH = 1_000

/** New items of a collection that are counted. */
export const MAX_COUNTED = 1_000

interface NewSubscription {
  id: string
  /** The person's address, where it is confirmed. */
  verifiedEmail: string | null
}

/** Also where the browser was another person's. Of many of one person, those that were made longest ago go. */
export async function upsertSubscription(
  db: Db,
  userId: string,
  { id, verifiedEmail, endpoint, keys }: NewSubscription & PushSubscription,
): Promise<void> {
  await firstRows<[unknown, unknown]>(
    db,
    sql`insert into push_subscriptions as s (id, user_id, endpoint, p256dh, auth, verified_email)
      values (${id}, ${userId}, ${endpoint}, ${keys.p256dh}, ${keys.auth}, ${verifiedEmail})
      on conflict (endpoint) do update set user_id = excluded.user_id, p256dh = excluded.p256dh, auth = excluded.auth,
        verified_email = excluded.verified_email, created_at = now()`,
    sql`delete from push_subscriptions where id in (
      select id from push_subscriptions where user_id = ${userId} order by created_at desc, id desc offset ${LIMITS.pushDevices})`,
  )
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

/** Where to tell the owner of an invited address. */
export function listInvitedSubscriptions(db: Db, inviteId: string): Promise<Subscription[]> {
  return rows(
    db,
    sql`select ${SUBSCRIPTION} from invites i join users u on u.email = i.email
      join push_subscriptions s on s.user_id = u.id and s.verified_email = i.email
      where i.id = ${inviteId} and i.state = 'pending'`,
  )
}

/** Null for whoever is no member. */
export function findNotices(db: Db, userId: string, collectionId: string): Promise<Notices | null> {
  return firstRow(
    db,
    sql`select coalesce((select n.muted from notices n where n.collection_id = ${collectionId} and n.user_id = ${userId}), false) as muted
      where ${roleIn(collectionId, userId)} is not null`,
  )
}

/** Null for whoever is no member. What comes in while it is muted is no news afterwards. */
export function upsertNotices(
  { db, user, checks }: Caller<'collection.see'>,
  { collectionId, muted }: { collectionId: string; muted: boolean },
): Promise<Notices | null> {
  return firstRow(
    db,
    sql`insert into notices as n (collection_id, user_id, muted, told_at)
      select ${collectionId}::uuid, ${user.id}, ${muted}, null where ${roleIn(collectionId, user.id)} = any(${rolesFor(checks['collection.see'])})
      on conflict (collection_id, user_id) do update
        set muted = excluded.muted, told_at = case when n.muted and not excluded.muted then now() else n.told_at end
      returning n.muted`,
  )
}

/** What is new to a member in a collection, from others. Counts end at MAX_COUNTED altogether. */
export interface News {
  userId: string
  collectionId: string
  collection: string
  /** Whoever added the newest of it, and how many others there are. */
  author: string
  others: number
  posts: number
  photos: number
  videos: number
  files: number
}

/**
 * News that are due: the first of it has waited for as long as others may follow it. Whoever takes them has them alone, so that nobody is
 * told twice; neither are those told who muted the collection, have seen the feed since, or have no browser to be told in.
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
    select g.user_id as "userId", g.collection_id as "collectionId", c.name as collection, ${displayNameOf} as author,
      (fresh.authors - 1)::int as others, fresh.posts::int, fresh.photos::int, fresh.videos::int,
      (fresh.total - fresh.posts - fresh.photos - fresh.videos)::int as files
    from claimed join due g using (collection_id, user_id) join collections c on c.id = g.collection_id
    cross join lateral (
      select count(*) as total, count(distinct author) as authors, (array_agg(author order by added_at desc))[1] as newest,
        count(*) filter (where type is null) as posts, count(*) filter (where type like 'image/%') as photos,
        count(*) filter (where type like 'video/%') as videos
      from (
        select * from (${newest('post')} union all ${newest('asset')}) l order by added_at desc limit ${sql.raw(String(MAX_COUNTED))}
      ) counted
    ) fresh
    join users u on u.id = fresh.newest`,
  )
}

/** Links of others in `g`'s collection that are new to `g`. */
const fresh = (kind: ItemKind) => {
  const { links } = ITEMS[kind]
  return sql`from ${links} l where l.collection_id = g.collection_id and l.live and l.added_at > g.since and l.user_id <> g.user_id`
}

const waits = (kind: ItemKind) => sql`exists (select ${fresh(kind)} and l.added_at < now() - ${GAP})`

/** Assets have a type. */
const newest = (kind: ItemKind) => {
  const type = kind === 'asset' ? sql`(select a.type from assets a where a.id = l.asset_id)` : sql`null::text`
  return sql`(select l.user_id as author, l.added_at, ${type} as type ${fresh(kind)}
    order by l.added_at desc limit ${sql.raw(String(MAX_COUNTED))})`
}

/** How much each of these people has not seen: groups of the feed, and invitations. More than a badge shows are not counted. */
export async function countUnseen(db: Db, userIds: readonly string[]): Promise<Map<string, number>> {
  const counts = await rows<{ id: string; unseen: number }>(
    db,
    sql`select u.id, (least(99, (select count(*) from (
        select distinct kind, author, day, m.collection_id from members m join collections c on c.id = m.collection_id and c.deleted_at is null
        left join feed_visits v on v.user_id = m.user_id
        cross join lateral (${unseenOf('post')} union all ${unseenOf('asset')}) l
        where m.user_id = u.id) groups)
      + (select count(*) from invites i where i.email = u.email and i.state = 'pending' and i.expires_at > now()
        and exists (select from push_subscriptions s where s.user_id = u.id and s.verified_email = i.email))))::int as unseen
      from users u where u.id = any(${texts(userIds)})`,
  )
  return new Map(counts.map(({ id, unseen }) => [id, unseen]))
}

/** As the feed groups them (queries/feed.ts). */
const unseenOf = (kind: ItemKind) =>
  sql`(select ${kind}::text as kind, l.user_id as author, (l.added_at at time zone 'UTC')::date as day from ${ITEMS[kind].links} l
    where l.collection_id = m.collection_id and l.live and l.user_id <> m.user_id
      and l.added_at > coalesce(v.seen_at, m.joined_at)
    order by l.added_at desc limit ${sql.raw(String(MAX_COUNTED))})`

function texts(list: readonly string[]): SQL {
  return sql`array(select jsonb_array_elements_text(${JSON.stringify(list)}::jsonb))`
}
