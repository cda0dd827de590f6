import { Hono } from 'hono'
import { t } from '#say'
import { isGuestUser } from '../../contract/links.ts'
import { createTicket } from '../../contract/live.ts'
import { ownOnly } from '../auth/checks.ts'
import { hasVerifiedEmail } from '../auth/guard.ts'
import { signedInOrGuest } from '../auth/guest.ts'
import { refuseOneCollection } from '../auth/personal-token.ts'
import type { AppEnv } from '../context.ts'
import { notFound } from '../http/errors.ts'
import { body } from '../http/validate.ts'
import { findEntrant, lifeOf } from '../live/admission.ts'
import { roomUrl } from '../live/party-host.ts'
import { signTicket, spreadLife } from '../live/tickets.ts'

export const live = new Hono<AppEnv>().post('/ticket', signedInOrGuest, ownOnly, body(createTicket.body), async (c) => {
  const { room } = c.req.valid('json')
  if (room.startsWith('user:')) refuseOneCollection(c.var)
  if (isGuestUser(c.var.user.id) && !room.startsWith('collection:')) throw notFound(t`The room was not found`)
  const person = await findEntrant(c.var.db, { userId: c.var.user.id, access: c.var.access }, room)
  if (!person) throw notFound(t`The room was not found`)
  // Only the user's own room gets changes of invitations to their address.
  const confirmed = room.startsWith('user:') && (await hasVerifiedEmail(c))
  const { seconds: _, ...claims } = person
  const ticket = await signTicket(
    c.env,
    { ...claims, room, sub: c.var.user.id, access: c.var.access, confirmed },
    lifeOf(person, spreadLife()),
  )
  return c.json({ success: true, ...ticket, url: roomUrl(c.env, room) })
})
