import { listAssets } from './assets.ts'
import { getSession } from './auth.ts'
import { listCollections, listInvitedCollections } from './collections.ts'
import { endpoint, Success } from './endpoint.ts'
import { Id } from './ids.ts'
import { listInvites } from './invites.ts'
import { createTicket, RoomName } from './live.ts'
import { listMembers } from './members.ts'
import { listPeople } from './people.ts'
import { listPosts } from './posts.ts'
import { getUserTheme, Profile } from './users.ts'
import { z } from './zod.ts'

const { theme } = getUserTheme.response.shape
const { collections } = listCollections.response.shape
const { invitedCollections } = listInvitedCollections.response.shape

/**
 * The answers of the calls that the app begins with, under the names that they have there. Only `session` is always there: without a session nothing
 * else, without a confirmed address no invitations and no ticket for the user's own room, and nothing of a collection of which the caller is not a
 * member. A client that lacks a part makes that part's call.
 */
export const bootstrap = endpoint({
  method: 'GET',
  path: '/api/bootstrap',
  public: true,
  sessionOnly: true,
  summary: 'What the app needs first, in one answer',
  query: z.strictObject({
    /** The collection that is opened. */
    collection_id: Id.optional(),
    /** `false` leaves out the posts and assets. */
    content: z.stringbool({ truthy: ['true'], falsy: ['false'] }).optional(),
  }),
  response: Success.extend({
    session: getSession.response.pick({ user: true, expiresAt: true }),
    ...z.object({ profile: Profile, theme, collections, invitedCollections }).partial().shape,
    /** For the user's own room and that of the collection. */
    tickets: z.array(createTicket.response.omit({ success: true }).extend({ room: RoomName })).optional(),
    // Of the collection from here on. `revision` is that of its members, people and invitations.
    revision: z.number().int().optional(),
    members: listMembers.response.shape.members.optional(),
    people: listPeople.response.shape.people.optional(),
    /** For those who may see them. */
    invites: listInvites.response.shape.invites.optional(),
    /** The first pages of both lists, as columns. */
    content: z.object({ posts: listPosts.columns.omit({ success: true }), assets: listAssets.columns.omit({ success: true }) }).optional(),
  }),
})
export type Bootstrap = z.input<typeof bootstrap.response>
