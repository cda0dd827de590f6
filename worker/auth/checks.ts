import type { MiddlewareHandler } from 'hono'
import type { Action } from '../../contract/policy.ts'
import type { AppEnv } from '../context.ts'
import { type Checks, checksOf } from '../queries/permissions.ts'

// Every unsafe route has one of these markers, so that the route says what the SQL behind it checks. A test walks all routes.

/** By handler, what the route needs: actions of the policy, or nothing of a collection. */
const markers = new WeakMap<object, readonly Action[]>()

export interface ChecksEnv<A extends Action> {
  Bindings: AppEnv['Bindings']
  Variables: AppEnv['Variables'] & { checks: Checks<A> }
}

/** Names the actions that the queries of this route check, and puts them into the context: they can check no others. */
export function checks<const A extends Action>(...actions: A[]): MiddlewareHandler<ChecksEnv<A>> {
  const named = checksOf(actions)
  return mark<ChecksEnv<A>>(actions, async (c, next) => {
    c.set('checks', named)
    await next()
  })
}

/** For calls that change nothing inside a collection of others: the caller's own account, device, invitation, live ticket or new collection. */
export const ownOnly = mark<AppEnv>([], (_c, next) => next())

/** For calls that come before there is a session, such as signing in. */
export const anyone = mark<AppEnv>([], (_c, next) => next())

/** What a handler marks its route with; undefined where it is no marker. */
export function markerOf(handler: object): readonly Action[] | undefined {
  return markers.get(handler)
}

function mark<E extends AppEnv>(actions: readonly Action[], handler: MiddlewareHandler<E>): MiddlewareHandler<E> {
  markers.set(handler, actions)
  return handler
}
