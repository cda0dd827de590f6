import { t } from '#say'
import { newId } from '../../contract/ids.ts'
import type { Member } from '../../contract/members.ts'
import { type InviteRole, mayAssign, type Role } from '../../contract/policy.ts'
import { requireRole } from '../http/access.ts'
import { type AppError, forbidden, notFound } from '../http/errors.ts'
import { deleteMember, updateMember } from '../queries/members.ts'
import type { Caller } from '../queries/permissions.ts'

type ManageCaller = Caller<'members.manage'>
type Target = { collectionId: string; memberId: string }

/** Changes the role of a member whom the caller outranks. Throws 404 if one of them is not a member, else 403. */
export async function changeRole(caller: ManageCaller, target: Target, role: InviteRole): Promise<Member> {
  const { done, member, ...before } = await updateMember(caller, { ...target, role })
  if (!done || !member) throw refusal(caller, before, target, role)
  return member
}

/** Removes a member; `withItems` also what they put into the collection. Returns the id that undoes the latter. */
export async function removeFromCollection(caller: ManageCaller, target: Target, withItems: boolean): Promise<string | undefined> {
  const changeId = withItems ? newId() : undefined
  const { done, ...before } = await deleteMember(caller, { ...target, changeId })
  if (!done) throw refusal(caller, before, target)
  return changeId
}

function refusal(
  { user, checks }: ManageCaller,
  { role, target }: { role: Role | null; target: Role | null },
  { memberId }: Target,
  wanted?: InviteRole,
): AppError {
  requireRole(role, checks['members.manage'], t`Only admins and the owner may manage members`)
  if (!target) return notFound(t`The member was not found`)
  if (target === 'owner') return forbidden(t`The owner stays the owner. Transfer the collection to change that`)
  if (memberId === user.id) return forbidden(wanted ? t`Nobody changes their own role` : t`To go yourself, leave the collection`)
  if (!mayAssign(role, target)) return forbidden(t`Only the owner may change or remove an admin`)
  return forbidden(t`Only the owner may make a member an admin`)
}
