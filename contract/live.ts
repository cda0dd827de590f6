import { t } from '#say'
import { endpoint, Success } from './endpoint.ts'
import { Id, UserId } from './ids.ts'
import { z } from './zod.ts'

export const RoomName = z.string().regex(/^(collection|user):[A-Za-z0-9_.-]{1,765}$/, {
  error: () => t`Rooms are ${{ collection: 'collection:{id}' }} and ${{ user: 'user:{id}' }}`,
})

export const collectionRoom = (id: string) => `collection:${id}`

/** A user's own room. Characters of the id other than letters, digits, `_` and `-` are written as `.` and two hexadecimal digits. */
export function userRoom(id: string): string {
  return `user:${id.replaceAll(/[^A-Za-z0-9_-]/g, (other) => `.${other.charCodeAt(0).toString(16).padStart(2, '0')}`)}`
}

/** The view reported by users who are in none of the views: they receive changes but are not shown as present. */
export const ELSEWHERE = 'elsewhere'

/** Guests of a link get the names alone. `guest`: a guest, of whom nobody gets views and items. */
export const Present = z.object({
  id: UserId.optional(),
  name: z.string(),
  guest: z.literal(true).optional(),
  view: z.string().optional(),
  itemId: Id.optional(),
})
export type Present = z.infer<typeof Present>

/** `more`: people who are shown as present and not listed, if there are any. */
const presence = { present: z.array(Present), more: z.number().int().positive().optional() }

/**
 * One number for everything that a user's own room announces: the sum of their collections' revisions, and their invitations with a weight, so
 * that an invitation does not look like one more change. The `hello` of that room carries it, so that a client knows whether its lists are complete.
 */
export function ownRevision(collections: readonly { revision: number }[], invitations: number): number {
  return collections.reduce((sum, { revision }) => sum + revision, invitations * INVITATION_WEIGHT)
}
export const INVITATION_WEIGHT = 1_000_003

/** `users`: a profile changed. Never ignored by its revision, which is 0 in the user's own room. */
export const ChangeTable = z.enum([
  'collections',
  'asset_collections',
  'post_collections',
  'invites',
  'members',
  'users',
  'groups',
  'comments',
  'links',
  'join_requests',
  'contributions',
])
export type ChangeTable = z.infer<typeof ChangeTable>
export const ChangeEvent = z.enum(['INSERT', 'UPDATE', 'DELETE'])

/** A row changed. Without content: clients request it with `since`. */
export const ChangeMessage = z.object({
  type: z.literal('change'),
  /** A `ChangeTable`; one that a client does not know yet says that the collection changed. */
  table: z.string(),
  event: ChangeEvent,
  id: z.string().optional(),
  collection_id: Id.optional(),
  user_id: UserId.optional(),
  revision: z.number().int(),
})
export type ChangeMessage = z.infer<typeof ChangeMessage>

/**
 * Reasons for which the server closes a socket: the `reason` of its `bye`, and the close code. A client closes at `bye`, the server soon
 * after. After `expired`, `role` and `signed_out` the client reconnects at once with a new ticket, which it does not get any more once it is
 * signed out; after `removed` and `deleted` it does not reconnect; after the others it waits as after a lost connection.
 */
export const BYE_CODES = {
  expired: 4000,
  role: 4001,
  removed: 4003,
  deleted: 4004,
  signed_out: 4005,
  too_many: 4008,
  too_fast: 1008,
  too_large: 1009,
  binary: 1003,
} as const
export type ByeReason = keyof typeof BYE_CODES

export const ServerMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hello'), room: RoomName, revision: z.number().int(), ...presence }),
  ChangeMessage,
  z.object({ type: z.literal('presence'), ...presence }),
  z.object({ type: z.literal('bye'), reason: z.string() }),
])
export type ServerMessage = z.infer<typeof ServerMessage>

export const ClientMessage = z.strictObject({ type: z.literal('presence'), view: z.string().max(40), itemId: Id.optional() })
export type ClientMessage = z.infer<typeof ClientMessage>

/** Claims of a ticket for one room; signed with HS256, valid for 60 s. */
export const Ticket = z.object({ room: RoomName, sub: UserId, name: z.string() })
export type Ticket = z.infer<typeof Ticket>

export const createTicket = endpoint({
  method: 'POST',
  path: '/api/live/ticket',
  guests: true,
  summary: 'A ticket that opens a live room',
  body: z.strictObject({ room: RoomName }),
  response: Success.extend({ ticket: z.string(), expiresAt: z.string(), url: z.string() }),
})
