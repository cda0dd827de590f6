import { jwtVerify } from 'jose'
import { z } from 'zod'
import { ROOM_LIMITS } from '../contract/limits.ts'
import { RoomName, userRoom } from '../contract/live.ts'
import { Handshake } from './connection.ts'
import { deriveKey } from './keys.ts'

export const TICKET_ALGORITHM = 'HS256'

/** The longest that a socket may stay, in seconds. */
export const SOCKET_LIFE = ROOM_LIMITS.socketMinutes * 60

/** What a ticket says: which room, and who comes in as what. `life` is how long the socket may stay, in seconds. */
export const TicketClaims = Handshake.omit({ seconds: true }).extend({ room: RoomName, life: z.number().positive().max(SOCKET_LIFE) })
export type TicketClaims = z.infer<typeof TicketClaims>

/** The key of tickets, made from LIVE_KEY: what else LIVE_KEY may sign one day is no ticket. */
export function ticketKey(liveKey: string): Promise<Uint8Array> {
  return deriveKey(liveKey, 'cairn ticket')
}

/** Throws for a ticket that is missing, expired, altered or signed with anything but the ticket key. */
export async function readTicket(liveKey: string, ticket: string): Promise<TicketClaims> {
  const { payload } = await jwtVerify(ticket, await ticketKey(liveKey), {
    algorithms: [TICKET_ALGORITHM],
    requiredClaims: ['exp', 'iat', 'sub'],
    maxTokenAge: ROOM_LIMITS.ticketSeconds,
  })
  return TicketClaims.parse(payload)
}

/** A room of one's own is for its owner, a collection's room for whoever has a role there. */
export function isEntitled({ room, sub, role }: TicketClaims): boolean {
  return room.startsWith('user:') ? room === userRoom(sub) : role !== null
}
