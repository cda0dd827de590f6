import { Hono } from 'hono'
import { t } from '#say'
import { acceptJoinRequest, askToJoin as askEndpoint } from '../../contract/join-requests.ts'
import { checks, ownOnly } from '../auth/checks.ts'
import { requireVerifiedEmail, signedIn } from '../auth/guard.ts'
import { openGuest } from '../auth/guest.ts'
import { refuseTokens } from '../auth/personal-token.ts'
import type { AppEnv } from '../context.ts'
import { requireRole } from '../http/access.ts'
import { AppError } from '../http/errors.ts'
import { body, collectionParam, idParam, type WithParam } from '../http/validate.ts'
import { checkAccess } from '../queries/access.ts'
import { listJoinRequests } from '../queries/join-requests.ts'
import { acceptRequest, askToJoin, declineRequest, tellAdmins, tellJoined, withdrawRequest } from '../services/join-requests.ts'

const keyOf = (c: WithParam<'id' | 'requestId'>) => ({
  collectionId: collectionParam(c),
  id: idParam(c.req.param('requestId'), t`The request was not found`),
})

export const joinRequests = new Hono<AppEnv>()
  .get('/', signedIn, async (c) => {
    const { role, requests } = await listJoinRequests(c.var.db, c.var.user.id, collectionParam(c))
    requireRole(role, 'invites.see', t`Only admins and the owner see requests`)
    return c.json({ success: true, requests })
  })
  .post('/', refuseTokens, signedIn, ownOnly, body(askEndpoint.body), async (c) => {
    const holder = await openGuest(c, c.req.valid('json').link)
    if (!holder) {
      await checkAccess(c.var.db)
      throw new AppError('forbidden', t`Open the link first, in this browser`)
    }
    await requireVerifiedEmail(c)
    const asking = { userId: c.var.user.id, collectionId: collectionParam(c), holder, factor: c.env.RATE_LIMIT_FACTOR }
    const { made, request } = await askToJoin(c.var.db, asking)
    if (made) c.executionCtx.waitUntil(tellAdmins(c.env, c.var.db, request.id))
    return c.json({ success: true, request }, made ? 201 : 200)
  })
  .delete('/', refuseTokens, signedIn, ownOnly, async (c) => {
    await withdrawRequest(c.var.db, c.var.user.id, collectionParam(c))
    return c.json({ success: true })
  })
  .post('/:requestId/accept', signedIn, checks('members.manage'), body(acceptJoinRequest.body), async (c) => {
    const { done, member, collection } = await acceptRequest(c.var, keyOf(c), c.req.valid('json').role)
    if (done) c.executionCtx.waitUntil(tellJoined(c.env, collection, member))
    return c.json({ success: true, member })
  })
  .post('/:requestId/decline', signedIn, checks('members.manage'), async (c) => {
    await declineRequest(c.var, keyOf(c))
    return c.json({ success: true })
  })
