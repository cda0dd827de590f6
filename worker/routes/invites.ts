import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { t } from '#say'
import { listInvites as listEndpoint, NewInvite, PeopleInvites } from '../../contract/invites.ts'
import { checks, ownOnly } from '../auth/checks.ts'
import { requireVerifiedEmail, signedIn } from '../auth/guard.ts'
import type { AppEnv } from '../context.ts'
import { requireRole } from '../http/access.ts'
import { body, collectionParam, idParam, query } from '../http/validate.ts'
import { sendsMail } from '../mail.ts'
import { listInvites } from '../queries/invites.ts'
import { deleteOwnMembership } from '../queries/members.ts'
import { acceptInvite, declineInvite } from '../services/invites/accept-invite.ts'
import { cancelInvitation, invitePeople, invitePerson } from '../services/invites/invite-person.ts'
import { limitInvitations } from '../services/invites/limit-invitations.ts'
import { notifyInvited } from '../services/invites/notify-invited.ts'

/** For calls that send mail to others: an account whose address is not confirmed could be anybody's. */
const mailing = createMiddleware<AppEnv>(async (c, next) => {
  await requireVerifiedEmail(c)
  await next()
})

/** `decline` and `leave` must come before `:inviteId`, which would match them. */
export const invites = new Hono<AppEnv>()
  .get('/', signedIn, query(listEndpoint.query), async (c) => {
    const wanted = { collectionId: collectionParam(c), state: c.req.valid('query').state ?? 'pending' }
    const { role, invites } = await listInvites(c.var.db, c.var.user.id, wanted)
    requireRole(role, 'invites.see', t`Only admins and the owner see invitations`)
    return c.json({ success: true, invites })
  })
  .post('/invite', signedIn, checks('members.manage'), body(NewInvite), mailing, async (c) => {
    const collection = collectionParam(c)
    await limitInvitations(c.var.db, { user: c.var.user.id, collection, factor: c.env.RATE_LIMIT_FACTOR })
    const invite = await invitePerson(c.var, collection, c.req.valid('json'))
    c.executionCtx.waitUntil(notifyInvited(c.env, c.var.db, [invite]))
    return c.json({ success: true, invite, mailed: sendsMail(c.env) })
  })
  .post('/people', signedIn, checks('members.manage'), body(PeopleInvites), mailing, async (c) => {
    const { invites } = c.req.valid('json')
    const collection = collectionParam(c)
    await limitInvitations(c.var.db, { user: c.var.user.id, collection, factor: c.env.RATE_LIMIT_FACTOR }, invites.length)
    const results = await invitePeople(c.var, collection, invites)
    const made = results.flatMap((result) => ('invite' in result ? result.invite : []))
    c.executionCtx.waitUntil(notifyInvited(c.env, c.var.db, made))
    return c.json({ success: true, results, mailed: sendsMail(c.env) })
  })
  .post('/accept', signedIn, ownOnly, async (c) => {
    const id = idParam(c.req.param('id'), t`The invitation was not found`)
    await requireVerifiedEmail(c)
    const member = await acceptInvite(c.var, id)
    return c.json({ success: true, member })
  })
  .delete('/decline', signedIn, ownOnly, async (c) => {
    const id = idParam(c.req.param('id'), t`The invitation was not found`)
    await requireVerifiedEmail(c)
    await declineInvite(c.var, id)
    return c.json({ success: true })
  })
  .delete('/leave', signedIn, checks('collection.leave'), async (c) => {
    const role = await deleteOwnMembership(c.var, collectionParam(c))
    requireRole(role, c.var.checks['collection.leave'], t`You own this collection. Transfer the collection first, then leave it`)
    return c.json({ success: true })
  })
  .delete('/:inviteId', signedIn, checks('members.manage'), async (c) => {
    const key = {
      collectionId: collectionParam(c),
      id: idParam(c.req.param('inviteId'), t`The invitation was not found`),
    }
    await cancelInvitation(c.var, key)
    return c.json({ success: true })
  })
