import { endpoint, Success } from './endpoint.ts'
import { Id, UserId } from './ids.ts'
import { Member } from './members.ts'
import { InviteRole } from './policy.ts'
import { Email } from './text.ts'
import { z } from './zod.ts'

/** A pending invitation. `user_id` is always null: only the owner of an address may learn that it has an account. */
export const Invite = z.object({
  id: Id,
  collection_id: Id,
  email: z.string(),
  role: InviteRole,
  user_id: z.null(),
  person_id: Id.nullable(),
  invited_by: UserId,
  created_at: z.string(),
  expires_at: z.string(),
})
export type Invite = z.infer<typeof Invite>

/** With `personId` the role is always `read`. */
export const NewInvite = z.strictObject({ email: Email, role: InviteRole, personId: Id.optional() })
export type NewInvite = z.infer<typeof NewInvite>

export const listInvites = endpoint({
  method: 'GET',
  path: '/api/collections/{id}/invites',
  summary: 'Pending invitations',
  response: Success.extend({ invites: z.array(Invite) }),
})
export const createInvite = endpoint({
  method: 'POST',
  path: '/api/collections/{id}/invites/invite',
  summary: 'Invite somebody, or change what a pending invitation offers',
  body: NewInvite,
  response: Success.extend({
    invite: Invite,
    mailed: z.boolean().describe('Whether this site writes to who is invited. Where it does not, tell them yourself'),
  }),
})
export const acceptInvite = endpoint({
  method: 'POST',
  path: '/api/collections/{id}/invites/accept',
  summary: 'Accept your invitation',
  response: Success.extend({ member: Member }),
})
export const declineInvite = endpoint({
  method: 'DELETE',
  path: '/api/collections/{id}/invites/decline',
  summary: 'Decline your invitation',
  response: Success,
})
export const leaveCollection = endpoint({
  method: 'DELETE',
  path: '/api/collections/{id}/invites/leave',
  summary: 'Leave a collection',
  response: Success,
})
export const cancelInvite = endpoint({
  method: 'DELETE',
  path: '/api/collections/{id}/invites/{inviteId}',
  summary: 'Cancel an invitation',
  response: Success,
})
