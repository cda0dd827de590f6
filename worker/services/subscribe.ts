import { t } from '#say'
import { newId } from '../../contract/ids.ts'
import type { NewPushSubscription } from '../../contract/push.ts'
import type { AppEnv } from '../context.ts'
import { AppError, fieldError } from '../http/errors.ts'
import { isPushService } from '../push/push-services.ts'
import { vapidOf } from '../push/vapid.ts'
import { upsertSubscription } from '../queries/push.ts'

interface Caller extends Pick<AppEnv['Variables'], 'db' | 'user' | 'access'> {
  env: AppEnv['Bindings']
  /** The address is confirmed. Otherwise the browser is not notified of invitations to it. */
  verified: boolean
}

/** Subscribes a browser to notifications. Throws `invalid` for an unknown push service, and for one without https if the site is on https. */
export async function subscribe({ db, user, access, env, verified }: Caller, subscription: NewPushSubscription): Promise<void> {
  if (!vapidOf(env)) throw new AppError('not_found', t`This site sends no notifications`)
  const { endpoint } = subscription
  if (env.APP_ORIGIN.startsWith('https:') && !endpoint.startsWith('https:'))
    throw fieldError('invalid', 'endpoint', t`A push service has an https address`)
  if (!isPushService(endpoint, env.PUSH_SERVICES))
    throw fieldError('invalid', 'endpoint', t`This site does not know this push service. Use another browser`)
  await upsertSubscription(db, user.id, { id: newId(), verifiedEmail: verified ? user.email : null, sessionId: access, ...subscription })
}
