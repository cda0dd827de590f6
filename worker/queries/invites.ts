import { type SQL, sql } from 'drizzle-orm'
import type { DateSettings } from '../../contract/date-settings.ts'
import type { Invite, InviteState, ListedState } from '../../contract/invites.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { InviteRole, Role } from '../../contract/policy.ts'
import { type Db, firstRow, firstRows, oneRow, present, rows } from '../db/client.ts'
import { lockCollection } from './collections.ts'
import { assigns, type Caller, fullNameOf, roleIn, rolesFor, uuids } from './permissions.ts'
import type { Languages } from './users.ts'

/** Until it is accepted without `i.user_id`: the inviter must not learn whether the address has an account. */
const INVITE = sql`json_build_object('id', i.id, 'collection_id', i.collection_id, 'email', i.email, 'role', i.role, 'state', i.state,
  'user_id', case when i.state = 'accepted' then i.user_id end, 'person_id', i.person_id, 'invited_by', i.invited_by, 'created_at', i.created_at, 'expires_at', i.expires_at)`

/** Newest first. Expired invitations are pending: they can be sent again or cancelled. */
export async function listInvites(
  db: Db,
  userId: string,
  { collectionId, state }: { collectionId: string; state: ListedState },
): Promise<{ role: Role | null; invites: Invite[] }> {
  return oneRow<{ role: Role | null; invites: Invite[] }>(
    db,
    sql`select me.role, (select coalesce(json_agg(${INVITE} order by i.created_at desc, i.id), '[]') from invites i
        where i.collection_id = ${collectionId} and i.state = ${state} and me.role = any(${rolesFor('invites.see')})) as invites
      from (select ${roleIn(collectionId, userId)} as role) me`,
  )
}

export interface InvitationToTell {
  collection: string
  /** Null if the inviter has given none. */
  inviterName: string | null
  inviterEmail: string
  expiresAt: string
  /** How the invited person reads and writes dates; null without an account. */
  dates: (DateSettings & Languages) | null
  inviter: Languages
}

/** The names, addresses and dates for the mail about a pending invitation. */
export async function findInvitation(db: Db, id: string): Promise<InvitationToTell | null> {
  return firstRow(
    db,
    sql`select c.name as collection, ${fullNameOf} as "inviterName",
        u.email::text as "inviterEmail", to_json(i.expires_at) as "expiresAt",
        (select json_build_object('displayLanguage', display_language, 'language', language, 'region', region, 'hours', hours, 'firstDay', first_day, 'timeZone', time_zone)
          from users where email = i.email and deleted_at is null) as dates,
        json_build_object('displayLanguage', u.display_language, 'language', u.language) as inviter
      from invites i
      join collections c on c.id = i.collection_id and c.deleted_at is null
      join users u on u.id = i.invited_by where i.id = ${id} and i.state = 'pending'`,
  )
}

export interface Invitation {
  id: string
  email: string
  role: InviteRole
  personId: string | null
}

/** The checks before the write, which tell why it was refused; `invite` is null if it was. */
export interface InviteWrite {
  invite: Invite | null
  /** The address belongs to a member. */
  member: boolean
  /** Role of a pending invitation to this address. */
  present: InviteRole | null
  full: boolean
  /** `unknown`: not in this collection. `linked`: linked to an account. */
  person: 'free' | 'linked' | 'unknown' | null
}

/**
 * Invites addresses, or changes the roles of their pending invitations, in order and in one transaction. A closed invitation becomes pending
 * again. An invitation that is refused is not written, and the others are. `role` is the caller's.
 */
export async function upsertInvites(
  caller: Caller<'members.manage'>,
  collectionId: string,
  invitations: Invitation[],
): Promise<{ role: Role | null; writes: InviteWrite[] }> {
  const people = invitations.flatMap(({ personId }) => personId ?? [])
  const [, , me, ...writes] = await firstRows<[unknown, unknown, { role: Role | null }, ...InviteWrite[]]>(
    caller.db,
    // Lock order: people before collections.
    sql`select from people where id = any(${uuids(people)}) and collection_id = ${collectionId} order by id for key share`,
    lockCollection(collectionId),
    sql`select ${roleIn(collectionId, caller.user.id)} as role`,
    ...invitations.map((invitation) => upsertOf(caller, collectionId, invitation)),
  )
  return { ...present(me), writes: writes.map(present) }
}

/** The request tells the invited person itself, unless it is cut off or the mail service fails. */
const RETRY_AFTER = sql.raw(`interval '5 minutes'`)

function upsertOf({ user, checks }: Caller<'members.manage'>, collectionId: string, { id, email, role, personId }: Invitation): SQL {
  return sql`with checks as materialized (
      select me.role, old.role as present,
        exists (select from members m join users u on u.id = m.user_id where m.collection_id = ${collectionId} and u.email = ${email}) as member,
        old.id is null and (select count(*) from invites where collection_id = ${collectionId} and state = 'pending')
          >= ${LIMITS.pendingInvitesPerCollection} as full,
        case when ${personId}::uuid is not null then coalesce((select case when user_id is null then 'free' else 'linked' end
          from people where id = ${personId}::uuid and collection_id = ${collectionId}), 'unknown') end as person
      from (select ${roleIn(collectionId, user.id)} as role) me
      left join invites old on old.collection_id = ${collectionId} and old.email = ${email} and old.state = 'pending'
    ),
    written as (
      insert into invites as i (id, collection_id, email, user_id, role, person_id, invited_by, expires_at)
      select ${id}, ${collectionId}, ${email}, (select u.id from users u where u.email = ${email}), ${role}, ${personId}::uuid, ${user.id},
        now() + make_interval(days => ${LIMITS.inviteDays}::int)
      from checks
      where ${assigns(checks, sql`checks.role`, sql`${role}::text`)} and ${assigns(checks, sql`checks.role`, sql`coalesce(checks.present, 'read')`)}
        and not checks.member and not checks.full and coalesce(checks.person, 'free') = 'free'
      on conflict (collection_id, email) do update set
        role = excluded.role, person_id = coalesce(excluded.person_id, case when i.state = 'pending' then i.person_id end),
        user_id = excluded.user_id, invited_by = excluded.invited_by, expires_at = excluded.expires_at, state = 'pending',
        created_at = case when i.state = 'pending' then i.created_at else now() end
      returning *
    ),
    to_tell as (
      insert into invites_to_tell (invite_id, due_at) select id, now() + ${RETRY_AFTER} from written
      on conflict (invite_id) do update set due_at = excluded.due_at
    )
    select member, present, "full", person, (select ${INVITE} from written i) as invite from checks`
}

/** The invited person has been told, or need not be. */
export async function recordInvitedTold(db: Db, id: string): Promise<void> {
  await firstRow(db, sql`delete from invites_to_tell where invite_id = ${id}`)
}

/**
 * Claims pending invitations of which nobody was told. Each is due again when as much time has passed as since it was sent, until it expires: a mail
 * service may be down for an hour, or refuse an address for ever.
 */
export async function claimInvitesToTell(db: Db, limit: number): Promise<Invite[]> {
  const open = sql`i.id = due.invite_id and i.state = 'pending' and i.expires_at > now()`
  const claimed = await rows<{ invite: Invite }>(
    db,
    sql`with due as materialized (
      select invite_id from invites_to_tell where due_at <= now() order by due_at limit ${limit}::int for update skip locked
    ),
    closed as (
      delete from invites_to_tell t using due where t.invite_id = due.invite_id and not exists (select from invites i where ${open})
    )
    update invites_to_tell t
      set due_at = now() + greatest(${RETRY_AFTER}, now() - (i.expires_at - make_interval(days => ${LIMITS.inviteDays}::int)))
      from due, invites i where t.invite_id = due.invite_id and ${open} returning ${INVITE} as invite`,
  )
  return claimed.map(({ invite }) => invite)
}

/** Cancels a pending invitation, if the caller may. `state` and `offered` (its role) are as before the write. */
export async function cancelInvite(
  { db, user, checks }: Caller<'members.manage'>,
  { collectionId, id }: { collectionId: string; id: string },
): Promise<{ role: Role | null; state: InviteState | null; offered: InviteRole | null; done: boolean }> {
  const userId = user.id
  const [, outcome] = await firstRows<[unknown, Awaited<ReturnType<typeof cancelInvite>>]>(
    db,
    lockCollection(collectionId),
    sql`with checks as materialized (
      select me.role, i.state, i.role as offered from (select ${roleIn(collectionId, userId)} as role) me
      left join invites i on i.id = ${id} and i.collection_id = ${collectionId}
    ),
    cancelled as (
      update invites set state = 'cancelled' from checks
      where id = ${id} and collection_id = ${collectionId} and invites.state = 'pending' and ${assigns(checks, sql`checks.role`, sql`checks.offered`)}
      returning id
    )
    select checks.*, exists (select from cancelled) as done from checks`,
  )
  return present(outcome)
}
