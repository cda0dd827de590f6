import { sql } from 'drizzle-orm'
import type { JoinRequest, OwnJoinRequest } from '../../contract/join-requests.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { Member } from '../../contract/members.ts'
import type { InviteRole, Role } from '../../contract/policy.ts'
import { type Db, firstRow, firstRows, oneRow, present } from '../db/client.ts'
import type { Holder } from './claims.ts'
import { lockCollection } from './collections.ts'
import { type Admin, adminsWhere, memberJson } from './members.ts'
import { assigns, type Caller, displayNameOf, roleIn, rolesFor } from './permissions.ts'

/** True for link `l` if it is the holder's and still open. */
const heldBy = ({ link, guest, access }: Holder) => sql`l.id = ${link} and link_open(l)
  and exists (select from guests g where g.id = ${guest} and g.link_id = l.id and g.access = ${access}::uuid)`

const OWN = sql`json_build_object('id', r.id, 'collection_id', r.collection_id, 'role', r.role, 'state', r.state, 'created_at', r.created_at)`

/** Why a request was not written: `asks` is null if the link does not open this collection, and false if it lets nobody ask. */
export interface Asking {
  asks: boolean | null
  member: boolean
  state: OwnJoinRequest['state'] | null
  full: boolean
  request: OwnJoinRequest | null
}

/** Asks, unless an answer is due or was no. Whoever became a member and left may ask again. */
export async function insertJoinRequest(
  db: Db,
  { id, userId, collectionId, holder }: { id: string; userId: string; collectionId: string; holder: Holder },
): Promise<Asking> {
  const [, before, after] = await firstRows<[unknown, Omit<Asking, 'request'>, { request: OwnJoinRequest }]>(
    db,
    lockCollection(collectionId),
    sql`with link as materialized (select l.join_role from links l where l.collection_id = ${collectionId} and ${heldBy(holder)}),
    checks as materialized (
      select (select join_role is not null from link) as asks, ${roleIn(collectionId, userId)} is not null as member,
        (select state from join_requests where collection_id = ${collectionId} and user_id = ${userId}) as state,
        (select count(*) from join_requests where collection_id = ${collectionId} and state = 'pending') >= ${LIMITS.joinRequestsPerCollection} as full
    ),
    asked as (
      insert into join_requests as r (id, collection_id, user_id, role) select ${id}::uuid, ${collectionId}::uuid, ${userId}, join_role
      from link, checks where asks and not member and not checks.full and checks.state is distinct from 'declined'
      on conflict (collection_id, user_id) do update set role = excluded.role, state = 'pending', created_at = now() where r.state = 'accepted'
    )
    select * from checks`,
    sql`select ${OWN} as request from join_requests r where r.collection_id = ${collectionId} and r.user_id = ${userId}`,
  )
  return { ...present(before), request: after?.request ?? null }
}

/** Deletes the request if it waits. Returns its state before. */
export async function withdrawJoinRequest(db: Db, userId: string, collectionId: string): Promise<OwnJoinRequest['state'] | null> {
  const [, before] = await firstRows<[unknown, { state: OwnJoinRequest['state'] | null }]>(
    db,
    lockCollection(collectionId),
    sql`with own as materialized (select r.id, r.state from join_requests r where r.collection_id = ${collectionId} and r.user_id = ${userId}),
    withdrawn as (delete from join_requests r using own where r.id = own.id and own.state = 'pending')
    select (select state from own) as state`,
  )
  return present(before).state
}

/** Where somebody who has opened a link stands: their role, what became of their request, and whether they wrote or added something as that guest. */
export interface OwnStanding {
  role: Role | null
  state: OwnJoinRequest['state'] | null
  wrote: boolean
}

export async function findOwnStanding(
  db: Db,
  userId: string,
  { collectionId, guestUser }: { collectionId: string; guestUser: string },
): Promise<OwnStanding> {
  return oneRow<OwnStanding>(
    db,
    sql`select ${roleIn(collectionId, userId)} as role,
      (select state from join_requests where collection_id = ${collectionId} and user_id = ${userId}) as state,
      exists (select from comments where user_id = ${guestUser} and deleted_at is null) or exists (select from reactions where user_id = ${guestUser})
        or exists (select from assets where user_id = ${guestUser} and status = 'ready' and deleted_at is null) as wrote`,
  )
}

/** Those that wait, oldest first. `role` is the caller's. */
export async function listJoinRequests(
  db: Db,
  userId: string,
  collectionId: string,
): Promise<{ role: Role | null; requests: JoinRequest[] }> {
  return oneRow<{ role: Role | null; requests: JoinRequest[] }>(
    db,
    sql`select me.role, (select coalesce(json_agg(json_build_object('id', r.id, 'collection_id', r.collection_id, 'user_id', r.user_id,
          'name', ${displayNameOf}, 'email', u.email, 'role', r.role, 'created_at', r.created_at) order by r.created_at, r.id), '[]')
        from join_requests r join users u on u.id = r.user_id
        where r.collection_id = ${collectionId} and r.state = 'pending' and me.role = any(${rolesFor('invites.see')})) as requests
      from (select ${roleIn(collectionId, userId)} as role) me`,
  )
}

export interface RequestKey {
  collectionId: string
  id: string
}

/** The caller's role, and the request before the write; `done` if the caller answered it now. */
export interface JoinAnswer {
  role: Role | null
  state: OwnJoinRequest['state'] | null
  done: boolean
  member: Member | null
  /** Its name. */
  collection: string | null
}

/** Makes the person a member, in the role given or that of the request, if the caller may grant it. */
export async function acceptJoinRequest(
  { db, user, checks }: Caller<'members.manage'>,
  { collectionId, id }: RequestKey,
  granted: InviteRole | null,
): Promise<JoinAnswer> {
  const [, outcome, after] = await firstRows<[unknown, Omit<JoinAnswer, 'member'>, { member: Member }]>(
    db,
    lockCollection(collectionId),
    sql`with me as materialized (select ${roleIn(collectionId, user.id)} as role),
    request as materialized (
      select r.id, r.user_id, r.state, coalesce(${granted}, r.role) as granted from join_requests r where r.id = ${id} and r.collection_id = ${collectionId}
    ),
    open as materialized (
      select request.* from request, me where state = 'pending' and ${assigns(checks, sql`me.role`, sql`granted`)}
    ),
    joined as (insert into members (collection_id, user_id, role) select ${collectionId}::uuid, user_id, granted from open on conflict do nothing),
    accepted as (update join_requests set state = 'accepted' from open where join_requests.id = open.id),
    -- Somebody who is removed later does not come back by an earlier invitation.
    uninvited as (
      update invites i set state = 'cancelled' from open, users u
      where u.id = open.user_id and i.collection_id = ${collectionId} and i.email = u.email and i.state = 'pending'
    )
    select me.role, request.state, exists (select from open) as done, (select name from collections where id = ${collectionId}) as collection
    from me left join request on true`,
    sql`select ${memberJson(sql`true`)} as member from join_requests r join members m on m.collection_id = r.collection_id and m.user_id = r.user_id
      join users u on u.id = m.user_id where r.id = ${id} and r.collection_id = ${collectionId} and r.state = 'accepted'`,
  )
  return { ...present(outcome), member: after?.member ?? null }
}

export async function declineJoinRequest(
  { db, user, checks }: Caller<'members.manage'>,
  { collectionId, id }: RequestKey,
): Promise<Omit<JoinAnswer, 'member' | 'collection'>> {
  const [, outcome] = await firstRows<[unknown, Omit<JoinAnswer, 'member' | 'collection'>]>(
    db,
    lockCollection(collectionId),
    sql`with me as materialized (select ${roleIn(collectionId, user.id)} as role),
    request as materialized (select r.id, r.state from join_requests r where r.id = ${id} and r.collection_id = ${collectionId}),
    declined as (
      update join_requests r set state = 'declined' from request, me
      where r.id = request.id and r.state = 'pending' and me.role = any(${rolesFor(checks['members.manage'])}) returning r.id
    )
    select me.role, request.state, exists (select from declined) as done from me left join request on true`,
  )
  return present(outcome)
}

/** Who is asked and who asks, for mails and notifications about a request that waits. */
export interface RequestToTell {
  collectionId: string
  collection: string
  name: string
  email: string
  role: InviteRole
  /** Those who may answer. */
  admins: Admin[]
}

export function findRequestToTell(db: Db, id: string): Promise<RequestToTell | null> {
  return firstRow(
    db,
    sql`select c.id as "collectionId", c.name as collection, ${displayNameOf} as name, u.email::text as email, r.role,
        ${adminsWhere(sql`true`)} as admins
      from join_requests r join collections c on c.id = r.collection_id and c.deleted_at is null join users u on u.id = r.user_id
      where r.id = ${id} and r.state = 'pending'`,
  )
}
