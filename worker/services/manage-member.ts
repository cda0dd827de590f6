import type { Member } from '../../contract/members.ts'
import { type InviteRole, mayAssign, type Role } from '../../contract/policy.ts'
import type { AppEnv } from '../context.ts'
import { requireRole } from '../http/access.ts'
import { type AppError, forbidden, notFound } from '../http/errors.ts'
import { deleteMember, updateMember } from '../queries/members.ts'

type Caller = Pick<AppEnv['Variables'], 'db' | 'user'>
type Target = { collectionId: string; memberId: string }

/** Gives another role to a member whom the caller outranks. Throws 404 for strangers and who is no member, else 403. */
export async function changeRole({ db, user }: Caller, target: Target, role: InviteRole): Promise<Member> {
  const { done, member, ...before } = await updateMember(db, user.id, { ...target, role })
  if (!done || !member) throw refusal(before, user.id === target.memberId, role)
  return member
}

export async function removeFromCollection({ db, user }: Caller, target: Target): Promise<void> {
  const { done, ...before } = await deleteMember(db, user.id, target)
  if (!done) throw refusal(before, user.id === target.memberId)
}

function refusal({ role, target }: { role: Role | null; target: Role | null }, self: boolean, wanted?: InviteRole): AppError {
  requireRole(role, 'members.manage', 'Only admins and the owner may manage members')
  if (!target) return notFound('The member')
  if (target === 'owner') return forbidden('The owner stays the owner. Transfer the collection to change that')
  if (self) return forbidden(wanted ? 'Nobody changes their own role' : 'To go yourself, leave the collection')
  if (!mayAssign(role, target)) return forbidden('Only the owner may change or remove an admin')
  return forbidden('Only the owner may make somebody an admin')
}
