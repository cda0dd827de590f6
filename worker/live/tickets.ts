import { SignJWT } from 'jose'
import { t } from '#say'
import { ROOM_LIMITS } from '../../contract/limits.ts'
import { readTicket as readSigned, SOCKET_LIFE, TICKET_ALGORITHM, type TicketClaims, ticketKey } from '../../party/ticket.ts'
import type { Env } from '../env.ts'
import { AppError } from '../http/errors.ts'

/** Signs a ticket for one room, valid for 60 s. It opens a socket for `life` seconds. */
export async function signTicket(env: Pick<Env, 'LIVE_KEY'>, { sub, ...claims }: Omit<TicketClaims, 'life'>, life = spreadLife()) {
  const now = Math.floor(Date.now() / 1000)
  const expires = now + ROOM_LIMITS.ticketSeconds
  const ticket = await new SignJWT({ ...claims, life })
    .setProtectedHeader({ alg: TICKET_ALGORITHM })
    .setSubject(sub)
    .setIssuedAt(now)
    .setExpirationTime(expires)
    .sign(await ticketKey(env.LIVE_KEY))
  return { ticket, expiresAt: new Date(expires * 1000).toISOString() }
}

/** Throws `unauthenticated` for a ticket that is invalid or expired. */
export async function readTicket(env: Pick<Env, 'LIVE_KEY'>, ticket: string): Promise<TicketClaims> {
  try {
    return await readSigned(env.LIVE_KEY, ticket)
  } catch (cause) {
    throw new AppError('unauthenticated', t`Ask for a new ticket`, { cause })
  }
}

/** Random, so that sockets opened at the same time, such as after a restart, do not all reconnect at once. */
export function spreadLife(): number {
  return Math.round(SOCKET_LIFE * (0.9 + Math.random() * 0.1))
}
