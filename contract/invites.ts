import { plural, t } from '#say'
import { endpoint, Success } from './endpoint.ts'
import { Refusal } from './errors.ts'
import { Id, UserId } from './ids.ts'
import { LIMITS } from './limits.ts'
import { Member } from './members.ts'
import { InviteRole } from './policy.ts'
import { choices } from './sentences.ts'
import { Email } from './text.ts'
import { z } from './zod.ts'

const InviteState = z.enum(['pending', 'accepted', 'declined', 'cancelled'])
export type InviteState = z.infer<typeof InviteState>
/** Invitations that are listed. */
const ListedState = InviteState.extract(['pending', 'accepted'])
export type ListedState = z.infer<typeof ListedState>

/**
 * An invitation as seen by admins. `user_id` is who accepted it, and null before: only the owner of an address may learn that it has an
 * account.
 */
export const Invite = z.object({
  id: Id,
  collection_id: Id,
  email: z.string(),
  role: InviteRole,
  state: InviteState,
  user_id: UserId.nullable(),
  person_id: Id.nullable(),
  invited_by: UserId,
  created_at: z.string(),
  expires_at: z.string(),
})
export type Invite = z.infer<typeof Invite>

/** With `personId` the role is always `read`, and need not be sent. */
export const NewInvite = z
  .strictObject({ email: Email, role: InviteRole.optional(), personId: Id.optional() })
  .superRefine(({ role, personId }, ctx) => {
    if (!role && !personId) ctx.addIssue({ code: 'custom', path: ['role'], message: choices(InviteRole.options) })
  })
export type NewInvite = z.infer<typeof NewInvite>

/** The role is always `read`. An address that is none is an error of its line. */
const PersonInvite = z.strictObject({ personId: Id, email: z.string().max(1_000), role: InviteRole.optional() })
export const PeopleInvites = z.strictObject({
  invites: z
    .array(PersonInvite)
    .min(1, { error: () => t`Choose at least one person` })
    .max(LIMITS.invitesPerCall, {
      error: () =>
        t`${plural({ count: LIMITS.invitesPerCall }, { one: 'Invite at most # person at once', other: 'Invite at most # people at once' })}`,
    }),
})
export type PeopleInvites = z.infer<typeof PeopleInvites>

export const PersonInviteResult = z.union([z.object({ personId: Id, invite: Invite }), z.object({ personId: Id, error: Refusal })])
export type PersonInviteResult = z.infer<typeof PersonInviteResult>

const mailed = z.boolean().describe('Whether this site writes to who is invited. Where it does not, tell them yourself')

export const listInvites = endpoint({
  method: 'GET',
  path: '/api/collections/{id}/invites',
  summary: 'Invitations: the pending ones, or those that were accepted',
  query: z.strictObject({ state: ListedState.optional() }),
  response: Success.extend({ invites: z.array(Invite) }),
})
export const createInvite = endpoint({
  method: 'POST',
  path: '/api/collections/{id}/invites/invite',
  summary: 'Invite somebody, or change what a pending invitation offers',
  body: NewInvite,
  response: Success.extend({ invite: Invite, mailed }),
})
/** One result per line, in order. A line that is refused changes nothing for the others. */
export const invitePeople = endpoint({
  method: 'POST',
  path: '/api/collections/{id}/invites/people',
  summary: 'Invite people without an account, as readers',
  body: PeopleInvites,
  response: Success.extend({ results: z.array(PersonInviteResult), mailed }),
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
