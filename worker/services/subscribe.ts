import { newId } from '../../contract/ids.ts'
import type { PushSubscription } from '../../contract/push.ts'
import type { AppEnv } from '../context.ts'
import { AppError } from '../http/errors.ts'
import { vapidOf } from '../push/vapid.ts'
import { upsertSubscription } from '../queries/push.ts'

interface Caller extends Pick<AppEnv['Variables'], 'db' | 'user'> {
  env: AppEnv['Bindings']
  /** The address is confirmed. Otherwise the browser is not notified of invitations to it. */
  verified: boolean
}

/** Subscribes a browser to notifications. Throws `invalid` for a push service without https if the site is on https. */
export async function subscribe({ db, user, env, verified }: Caller, subscription: PushSubscription): Promise<void> {
  if (!vapidOf(env)) throw new AppError('not_found', 'This site sends no notifications')
  if (env.APP_ORIGIN.startsWith('https:') && !subscription.endpoint.startsWith('https:')) {
    throw new AppError('invalid', 'This push service cannot be used', { fields: { endpoint: 'A push service has an https address' } })
  }
  await upsertSubscription(db, user.id, { id: newId(), verifiedEmail: verified ? user.email : null, ...subscription })
}
