import { sql } from 'drizzle-orm'
import type { InviteState } from '../../contract/invites.ts'
import type { Member } from '../../contract/members.ts'
import { type Db, firstRows } from '../db/client.ts'
import { lockCollection } from './collections.ts'
import { memberJson } from './members.ts'
import { rolesFor } from './permissions.ts'

/** The person who answers an invitation. Their address must be confirmed by the sign-in service. */
export interface Invitee {
  userId: string
  email: string
}

/** The invitation before the write, and the membership after it. `expired` is also true if the collection is deleted. */
export interface Acceptance {
  state: InviteState | null
  expired: boolean
  member: Member | null
}

const invitationOf = (collectionId: string, email: string) => sql`
  select i.id, i.collection_id, i.role, i.person_id, i.state, c.deleted_at is not null or i.expires_at <= now() as expired
  from invites i join collections c on c.id = i.collection_id where i.collection_id = ${collectionId} and i.email = ${email}`

/**
 * Makes the invitee a member by a pending invitation. Writes to the members of one collection wait for the lock on its row, so concurrent
 * accepts and cancels run one after the other.
 */
export async function acceptInvitation(db: Db, { userId, email }: Invitee, collectionId: string): Promise<Acceptance> {
  const [, , before, after] = await firstRows<[unknown, unknown, Omit<Acceptance, 'member'>, { member: Member }]>(
    db,
    // Lock order: people before collections.
    sql`select from people p join invites i on i.person_id = p.id where i.collection_id = ${collectionId} and i.email = ${email}
      for no key update of p`,
    lockCollection(collectionId),
    sql`with invitation as materialized (${invitationOf(collectionId, email)}),
    open as materialized (select * from invitation where state = 'pending' and not expired),
    joined as (
      insert into members (collection_id, user_id, role) select collection_id, ${userId}, role from open on conflict do nothing
    ),
    unasked as (
      update join_requests r set state = 'accepted' from open where r.collection_id = open.collection_id and r.user_id = ${userId} and r.state <> 'accepted'
    ),
    accepted as (update invites set state = 'accepted', user_id = ${userId} from open where invites.id = open.id),
    linked as (
      update people set user_id = ${userId} from open where people.id = open.person_id and people.user_id is null
        and not exists (select from people other where other.collection_id = ${collectionId} and other.user_id = ${userId})
    )
    select state, expired from invitation`,
    sql`select ${memberJson(sql`m.role = any(${rolesFor('members.seeEmails')})`)} as member
      from members m join users u on u.id = m.user_id join collections c on c.id = m.collection_id
      where m.collection_id = ${collectionId} and m.user_id = ${userId} and c.deleted_at is null`,
  )
  return { state: before?.state ?? null, expired: before?.expired ?? false, member: after?.member ?? null }
}

/** Declines a pending invitation. Returns its state before, or null if there is none. */
export async function declineInvitation(db: Db, email: string, collectionId: string): Promise<InviteState | null> {
  const [, before] = await firstRows<[unknown, { state: InviteState }]>(
    db,
    lockCollection(collectionId),
    sql`with invitation as materialized (${invitationOf(collectionId, email)}),
    declined as (update invites set state = 'declined' from invitation i where invites.id = i.id and i.state = 'pending')
    select state from invitation`,
  )
  return before?.state ?? null
}
