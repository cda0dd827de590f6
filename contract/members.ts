import { endpoint, Success } from './endpoint.ts'
import { Id, UserId } from './ids.ts'
import { InviteRole, Role } from './policy.ts'
import { oneOf, z } from './zod.ts'

/** `email` is only sent to admins and the owner. */
export const Member = z.object({
  collection_id: Id,
  user_id: UserId,
  role: Role,
  joined_at: z.string(),
  name: z.string(),
  /** Version of the member's picture; null without one. */
  avatar: z.string().nullable(),
  email: z.string().optional(),
})
export type Member = z.infer<typeof Member>

export const MemberEdit = z.strictObject({ role: InviteRole })

/** Whether the items that a removed member added stay in the collection, which is the default, or go too. */
export const RemovalQuery = z.strictObject({ items: oneOf(['leave', 'remove']).optional() })

export const listMembers = endpoint({
  method: 'GET',
  path: '/api/collections/{id}/members',
  summary: 'Members',
  response: Success.extend({ members: z.array(Member) }),
})
export const updateMember = endpoint({
  method: 'PUT',
  path: '/api/collections/{id}/members/{userId}',
  summary: 'Change a role',
  body: MemberEdit,
  response: Success.extend({ member: Member }),
})
export const removeMember = endpoint({
  method: 'DELETE',
  path: '/api/collections/{id}/members/{userId}',
  summary: 'Remove a member; with items=remove also what they added, which `changeId` undoes',
  query: RemovalQuery,
  response: Success.extend({ changeId: Id.optional() }),
})
