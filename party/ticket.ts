import { jwtVerify } from 'jose'
import { z } from 'zod'
import { ROOM_LIMITS } from '../contract/limits.ts'
import { RoomName, userRoom } from '../contract/live.ts'
import { Handshake } from './connection.ts'
import { deriveKey } from './keys.ts'

export const TICKET_ALGORITHM = 'HS256'

/** Maximum lifetime of a socket, in seconds. */
export const SOCKET_LIFE = ROOM_LIMITS.socketMinutes * 60

/** Claims of a ticket. `life` is the lifetime of the socket, in seconds. */
export const TicketClaims = Handshake.omit({ seconds: true }).extend({ room: RoomName, life: z.number().positive().max(SOCKET_LIFE) })
export type TicketClaims = z.infer<typeof TicketClaims>

/** The key of tickets, derived from LIVE_KEY, so that no other signature made with LIVE_KEY is a valid ticket. */
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

/** A user's own room is for that user; a collection's room is for its members. */
export function isEntitled({ room, sub, role }: TicketClaims): boolean {
  return room.startsWith('user:') ? room === userRoom(sub) : role !== null
}
