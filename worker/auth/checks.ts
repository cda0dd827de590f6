import type { MiddlewareHandler } from 'hono'
import type { Action } from '../../contract/policy.ts'
import type { AppEnv } from '../context.ts'
import { type Checks, checksOf } from '../queries/permissions.ts'

// Every unsafe route has one of these markers, which declares the actions that its SQL checks. A test covers all routes.

/** By handler: the actions that the route needs. Empty for routes that change nothing in a collection. */
const markers = new WeakMap<object, readonly Action[]>()

export interface ChecksEnv<A extends Action> {
  Bindings: AppEnv['Bindings']
  Variables: AppEnv['Variables'] & { checks: Checks<A> }
}

/** Declares the actions that the queries of this route check. Puts them into the context: queries cannot check others. */
export function checks<const A extends Action>(...actions: A[]): MiddlewareHandler<ChecksEnv<A>> {
  const named = checksOf(actions)
  return mark<ChecksEnv<A>>(actions, async (c, next) => {
    c.set('checks', named)
    await next()
  })
}

/** For calls about the caller's own account, device, invitation, live ticket or new collection. */
export const ownOnly = mark<AppEnv>([], (_c, next) => next())

/** For calls without a session, such as signing in. */
export const anyone = mark<AppEnv>([], (_c, next) => next())

/** The actions that this marker declares; undefined if the handler is not a marker. */
export function markerOf(handler: object): readonly Action[] | undefined {
  return markers.get(handler)
}

function mark<E extends AppEnv>(actions: readonly Action[], handler: MiddlewareHandler<E>): MiddlewareHandler<E> {
  markers.set(handler, actions)
  return handler
}
