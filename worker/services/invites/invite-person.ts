import { newId } from '../../../contract/ids.ts'
import type { Invite, NewInvite } from '../../../contract/invites.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { mayAssign } from '../../../contract/policy.ts'
import { foldEmail } from '../../../contract/text.ts'
import { requireRole } from '../../http/access.ts'
import { AppError, forbidden, notFound } from '../../http/errors.ts'
import { cancelInvite, upsertInvite } from '../../queries/invites.ts'
import type { Caller } from '../../queries/permissions.ts'

type ManageCaller = Caller<'members.manage'>

/**
 * Invites an address with a role that the caller may grant, or changes its pending invitation. With a person, the role is always read. Throws
 * 404 if the caller is not a member, 403 if their role is too low, 409 if the address is a member's or there are too many invitations.
 */
export async function invitePerson(
  caller: ManageCaller & { user: { email: string } },
  collectionId: string,
  input: NewInvite,
): Promise<Invite> {
  const { email, personId = null } = input
  const role = personId ? 'read' : input.role
  const outcome = await upsertInvite(caller, { id: newId(), collectionId, email, role, personId })
  requireRole(outcome.role, caller.checks['members.manage'], 'Only admins and the owner may invite')
  if (outcome.invite) return outcome.invite
  if (foldEmail(caller.user.email) === email)
    throw new AppError('invalid', 'You are already a member', { fields: { email: 'This is your own address' } })
  if (outcome.member) throw new AppError('conflict', 'This person is already a member', { fields: { email: 'A member has this address' } })
  if (!mayAssign(outcome.role, role)) throw forbidden('Only the owner may invite an admin')
  if (outcome.present && !mayAssign(outcome.role, outcome.present)) throw forbidden('Only the owner may change an invitation as admin')
  if (outcome.person === 'unknown') throw notFound('The person')
  if (outcome.person === 'linked') throw new AppError('conflict', 'This person already has an account')
  if (outcome.full) {
    throw new AppError(
      'conflict',
      `${LIMITS.pendingInvitesPerCollection} invitations are waiting for an answer. Cancel some before you send more`,
    )
  }
  throw new AppError('conflict', 'The invitation was changed at the same time. Check the list and try again')
}

/** Cancels a pending invitation. A closed one is unchanged; an accepted one is a conflict. */
export async function cancelInvitation(caller: ManageCaller, key: { collectionId: string; id: string }): Promise<void> {
  const { role, state, offered, done } = await cancelInvite(caller, key)
  requireRole(role, caller.checks['members.manage'], 'Only admins and the owner may cancel invitations')
  if (!state || !offered) throw notFound('The invitation')
  if (done || state === 'cancelled' || state === 'declined') return
  if (state === 'accepted') throw new AppError('conflict', 'This invitation was accepted. Remove the member instead')
  throw forbidden('Only the owner may cancel an invitation as admin')
}
