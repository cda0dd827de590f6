import { type Context, Hono } from 'hono'
import { t } from '#say'
import { newId } from '../../contract/ids.ts'
import { deletePushSubscription, getPush, NewPushSubscription, NoticesEdit } from '../../contract/push.ts'
import { checks, ownOnly } from '../auth/checks.ts'
import { hasVerifiedEmail, requireReauthentication, requireVerifiedEmail, signedIn } from '../auth/guard.ts'
import { refuseTokens } from '../auth/personal-token.ts'
import type { AppEnv } from '../context.ts'
import { AppError, collectionNotFound } from '../http/errors.ts'
import { timeZoneOf } from '../http/time-zone-of.ts'
import { body, collectionParam, query } from '../http/validate.ts'
import { sendsMail } from '../mail.ts'
import { vapidOf } from '../push/vapid.ts'
import { deleteOwnSubscription, findNotices, hasOwnSubscription, isSubscribed, updateNotices } from '../queries/push.ts'
import { subscribe } from '../services/subscribe.ts'

export const push = new Hono<AppEnv>()
  .get('/', signedIn, query(getPush.query), async (c) => {
    const { endpoint } = c.req.valid('query')
    const subscribed = endpoint !== undefined && (await hasOwnSubscription(c.var.db, c.var.user.id, endpoint))
    return c.json({ success: true, key: vapidOf(c.env)?.publicKey ?? null, subscribed })
  })

  .post('/subscriptions', refuseTokens, signedIn, ownOnly, body(NewPushSubscription), async (c) => {
    const subscription = c.req.valid('json')
    // Notifications go on until the session ends, wherever its cookie was copied to.
    if (!(await isSubscribed(c.var.db, c.var.access, subscription))) await requireReauthentication(c)
    const verified = await hasVerifiedEmail(c)
    await subscribe({ ...c.var, env: c.env, verified }, subscription)
    return c.json({ success: true })
  })

  .delete('/subscriptions', refuseTokens, signedIn, ownOnly, body(deletePushSubscription.body), async (c) => {
    await deleteOwnSubscription(c.var.db, c.var.user.id, c.req.valid('json').endpoint)
    return c.json({ success: true })
  })

/** Notification settings of a member for a collection. */
export const notices = new Hono<AppEnv>()
  .get('/', signedIn, async (c) => {
    const notices = await findNotices(c.var.db, c.var.user.id, collectionParam(c))
    if (!notices) throw collectionNotFound()
    return c.json({ success: true, notices, sendsMail: sendsMail(c.env) })
  })

  .put('/', signedIn, checks('collection.see'), body(NoticesEdit), async (c) => {
    const { muted, weekly } = c.req.valid('json')
    if (weekly) {
      if (!sendsMail(c.env)) throw new AppError('not_found', t`This site sends no mail`)
      // The marker adds to the context.
      await requireVerifiedEmail(c as unknown as Context<AppEnv>)
    }
    const mail = weekly ? { id: newId(), verifiedEmail: c.var.user.email, timeZone: timeZoneOf(c) } : weekly === false ? null : undefined
    const notices = await updateNotices(c.var, { collectionId: collectionParam(c), muted, weekly: mail })
    if (!notices) throw collectionNotFound()
    return c.json({ success: true, notices })
  })
