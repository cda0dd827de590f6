import { t } from '#say'
import { Id } from '../../contract/ids.ts'
import { isGuestUser } from '../../contract/links.ts'
import { userRoom } from '../../contract/live.ts'
import { type Handshake, handshakeRequest, ROOM_PATH } from '../../party/connection.ts'
import { connectAround, type Db } from '../db/client.ts'
import type { Env } from '../env.ts'
import { AppError, forbidden, notFound, unavailable } from '../http/errors.ts'
import { findRoomGuest } from '../queries/guests.ts'
import { findRoomPerson, type RoomPerson } from '../queries/live.ts'
import { readTicket } from './tickets.ts'

/** `seconds` until the access is over, of a guest's link or an access token that ends. Of a guest, also the link. */
type Entrant = RoomPerson & { link?: string; seconds?: number | null }

/** Seconds for which a socket may live: at most `life`, and not beyond the end of the access. */
export const lifeOf = ({ seconds }: Entrant, life: number) => Math.max(1, Math.min(life, seconds ?? life))

/** The user with this access as a person in this room. Null if they may not enter it: another user's own room, or a collection of which they are not a member. */
export async function findEntrant(db: Db, { userId, access }: { userId: string; access: string }, room: string): Promise<Entrant | null> {
  if (room === userRoom(userId)) return findRoomPerson(db, userId, null, access)
  const [kind, id = ''] = room.split(':')
  if (kind !== 'collection') return null
  // A collection must have one room, so its id has only one spelling.
  if (Id.safeParse(id).data !== id) return null
  if (isGuestUser(userId)) return findRoomGuest(db, id)
  const person = await findRoomPerson(db, userId, id, access)
  return person?.role ? person : null
}

/**
 * Opens a socket to a room for the owner of a ticket. The ticket identifies the user; their role is looked up again, since the ticket may be a
 * minute old. All other requests to rooms are refused: only the worker publishes, over RPC.
 */
export async function enterRoom(request: Request, env: Env): Promise<Response> {
  if (env.PARTY_HOST) throw notFound(t`The room was not found`)
  const url = new URL(request.url)
  if (request.method !== 'GET') throw forbidden(t`Rooms take nothing from outside`)
  if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket') throw new AppError('invalid', t`Open a room as a WebSocket`)
  const ticket = await readTicket(env, url.searchParams.get('ticket') ?? '')
  if (url.pathname !== ROOM_PATH + ticket.room) throw forbidden(t`The ticket is for another room`)
  const { room, sub, confirmed, access, life } = ticket
  const person = await findEntrant(connectAround(env.DATABASE_URL, env.NEON_PROXY, { access }), { userId: sub, access }, room)
  if (!person) throw forbidden(t`You no longer belong to this room`)
  return admit(env, room, { ...person, sub, access, confirmed, seconds: lifeOf(person, life) })
}

async function admit(env: Env, room: string, handshake: Handshake): Promise<Response> {
  try {
    return await env.Room.getByName(room).fetch(handshakeRequest('https://room', room, handshake))
  } catch (cause) {
    throw unavailable(t`The room does not answer just now. Try again in a moment`, cause)
  }
}
