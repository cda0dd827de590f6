import { Hono } from 'hono'
import { createTicket } from '../../contract/live.ts'
import { ownOnly } from '../auth/checks.ts'
import { hasVerifiedEmail, signedIn } from '../auth/guard.ts'
import { refuseOneCollection } from '../auth/personal-token.ts'
import type { AppEnv } from '../context.ts'
import { notFound } from '../http/errors.ts'
import { body } from '../http/validate.ts'
import { findEntrant } from '../live/admission.ts'
import { roomUrl } from '../live/party-host.ts'
import { signTicket } from '../live/tickets.ts'

export const live = new Hono<AppEnv>().post('/ticket', signedIn, ownOnly, body(createTicket.body), async (c) => {
  const { room } = c.req.valid('json')
  if (room.startsWith('user:')) refuseOneCollection(c.var)
  const person = await findEntrant(c.var.db, c.var.user.id, room)
  if (!person) throw notFound('The room')
  // Only the user's own room gets changes of invitations to their address.
  const confirmed = room.startsWith('user:') && (await hasVerifiedEmail(c))
  const ticket = await signTicket(c.env, { ...person, room, sub: c.var.user.id, access: c.var.access, confirmed })
  return c.json({ success: true, ...ticket, url: roomUrl(c.env, room) })
})
