import { sql } from 'drizzle-orm'
import { LIMITS } from '../../contract/limits.ts'
import type { NewPushSubscription, Notices } from '../../contract/push.ts'
import { type Db, firstRow, firstRows, rows } from '../db/client.ts'
import { type Caller, roleIn, rolesFor, texts, uuids } from './permissions.ts'

export interface Subscription {
  id: string
  userId: string
  endpoint: string
  p256dh: string
  auth: string
}

const SUBSCRIPTION = sql`s.id, s.user_id as "userId", s.endpoint, s.p256dh, s.auth`

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
