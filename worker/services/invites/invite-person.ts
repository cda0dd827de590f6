import { say } from '#language'
import { msg, t } from '#say'
import { newId } from '../../../contract/ids.ts'
import type { Invite, NewInvite, PeopleInvites, PersonInviteResult } from '../../../contract/invites.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { mayAssign, type Role } from '../../../contract/policy.ts'
import { Email, foldEmail } from '../../../contract/text.ts'
import { requireRole } from '../../http/access.ts'
import { AppError, fieldError, forbidden, notFound, refusalOf } from '../../http/errors.ts'
import { cancelInvite, type Invitation, type InviteWrite, upsertInvites } from '../../queries/invites.ts'
import type { Caller } from '../../queries/permissions.ts'

type ManageCaller = Caller<'members.manage'>
type InvitingCaller = ManageCaller & { user: { email: string } }

const MAY_NOT_INVITE = msg`Only admins and the owner may invite`

/**
 * Invites an address with a role that the caller may grant, or changes its pending invitation. With a person, the role is always read. Throws
 * 404 if the caller is not a member, 403 if their role is too low, 409 if the address is a member's or there are too many invitations.
 */
export async function invitePerson(caller: InvitingCaller, collectionId: string, input: NewInvite): Promise<Invite> {
  const { email, role: offered = 'read', personId = null } = input
  const invitation: Invitation = { id: newId(), email, role: personId ? 'read' : offered, personId }
  const { role, writes } = await upsertInvites(caller, collectionId, [invitation])
  requireRole(role, caller.checks['members.manage'], say(MAY_NOT_INVITE))
  const [write] = writes
  if (!write?.invite) throw reasonAgainst(caller, role, invitation, write)
  return write.invite
}

/** Invites people without an account as readers. Returns one result per line, in order; a refused line changes nothing for the others. */
export async function invitePeople(
  caller: InvitingCaller,
  collectionId: string,
  lines: PeopleInvites['invites'],
): Promise<PersonInviteResult[]> {
  const read = readLines(lines)
  const invitations = read.flatMap((line) => ('invitation' in line ? line.invitation : []))
  const { role, writes } = await upsertInvites(caller, collectionId, invitations)
  requireRole(role, caller.checks['members.manage'], say(MAY_NOT_INVITE))
  return read.map((line): PersonInviteResult => {
    const { personId } = line
    if ('problem' in line) return { personId, error: refusalOf(line.problem) }
    const write = writes[invitations.indexOf(line.invitation)]
    if (write?.invite) return { personId, invite: write.invite }
    return { personId, error: refusalOf(reasonAgainst(caller, role, line.invitation, write)) }
  })
}

type Line = { personId: string } & ({ invitation: Invitation } | { problem: AppError })

/** The second line with the same address would take the invitation from the first, so it is refused. */
function readLines(lines: PeopleInvites['invites']): Line[] {
  const seen = new Set<string>()
  return lines.map(({ personId, email: text }) => {
    const email = Email.safeParse(text)
    if (!email.success)
      return { personId, problem: fieldError('invalid', 'email', email.error.issues[0]?.message ?? t`Enter an e-mail address`) }
    if (seen.has(email.data)) return { personId, problem: fieldError('invalid', 'email', t`This address is in the list twice`) }
    seen.add(email.data)
    return { personId, invitation: { id: newId(), email: email.data, role: 'read', personId } }
  })
}

/** Why the invitation was not written. */
function reasonAgainst(caller: InvitingCaller, role: Role, invitation: Invitation, write: InviteWrite | undefined): AppError {
  if (foldEmail(caller.user.email) === invitation.email)
    return new AppError('invalid', t`You are already a member`, { fields: { email: t`This is your own address` } })
  if (write?.member)
    return new AppError('conflict', t`This person is already a member`, { fields: { email: t`A member has this address` } })
  if (!mayAssign(role, invitation.role)) return forbidden(t`Only the owner may invite an admin`)
  if (write?.present && !mayAssign(role, write.present)) return forbidden(t`Only the owner may change an invitation as admin`)
  if (write?.person === 'unknown') return notFound(t`The person was not found`)
  if (write?.person === 'linked') return new AppError('conflict', t`This person already has an account`)
  if (write?.full) {
    return new AppError(
      'conflict',
      t`${{ count: LIMITS.pendingInvitesPerCollection }} invitations are waiting for an answer. Cancel some before you send more`,
    )
  }
  return new AppError('conflict', t`The invitation was changed at the same time. Check the list and try again`)
}

/** Cancels a pending invitation. A closed one is unchanged; an accepted one is a conflict. */
export async function cancelInvitation(caller: ManageCaller, key: { collectionId: string; id: string }): Promise<void> {
  const { role, state, offered, done } = await cancelInvite(caller, key)
  requireRole(role, caller.checks['members.manage'], t`Only admins and the owner may cancel invitations`)
  if (!state || !offered) throw notFound(t`The invitation was not found`)
  if (done || state === 'cancelled' || state === 'declined') return
  if (state === 'accepted') throw new AppError('conflict', t`This invitation was accepted. Remove the member instead`)
  throw forbidden(t`Only the owner may cancel an invitation as admin`)
}
