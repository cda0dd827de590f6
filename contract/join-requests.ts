import { endpoint, Success } from './endpoint.ts'
import { Id, UserId } from './ids.ts'
import { Member } from './members.ts'
import { InviteRole } from './policy.ts'
import { z } from './zod.ts'

/** A request to become a member by a link, as admins and the owner see it. `role` is the one that the link offered. */
export const JoinRequest = z.object({
  id: Id,
  collection_id: Id,
  user_id: UserId,
  name: z.string(),
  /** Confirmed. */
  email: z.string(),
  role: InviteRole,
  created_at: z.string(),
})
export type JoinRequest = z.infer<typeof JoinRequest>

/** The caller's own request. */
export const OwnJoinRequest = z.object({
  id: Id,
  collection_id: Id,
  role: InviteRole,
  state: z.enum(['pending', 'accepted', 'declined']),
  created_at: z.string(),
})
export type OwnJoinRequest = z.infer<typeof OwnJoinRequest>

/** `link` is the id of a link that this browser has opened. Asking again changes nothing while an answer is due. */
export const askToJoin = endpoint({
  method: 'POST',
  path: '/api/collections/{id}/join-requests',
  summary: 'Ask to become a member of a collection to which you have a link',
  sessionOnly: true,
  creates: true,
  body: z.strictObject({ link: Id }),
  response: Success.extend({ request: OwnJoinRequest }),
})
export const listJoinRequests = endpoint({
  method: 'GET',
  path: '/api/collections/{id}/join-requests',
  summary: 'People who ask to become members',
  response: Success.extend({ requests: z.array(JoinRequest) }),
})
/** The caller's own, until an admin has answered it. A repeated call changes nothing. */
export const withdrawJoinRequest = endpoint({
  method: 'DELETE',
  path: '/api/collections/{id}/join-requests',
  summary: 'Take back your request to become a member',
  sessionOnly: true,
  response: Success,
})
/** Without a role, with the one that the link offered. */
export const acceptJoinRequest = endpoint({
  method: 'POST',
  path: '/api/collections/{id}/join-requests/{requestId}/accept',
  summary: 'Let somebody in who asks to become a member',
  body: z.strictObject({ role: InviteRole.optional() }),
  response: Success.extend({ member: Member }),
})
export const declineJoinRequest = endpoint({
  method: 'POST',
  path: '/api/collections/{id}/join-requests/{requestId}/decline',
  summary: 'Decline a request to become a member',
  response: Success,
})
