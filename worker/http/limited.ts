import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../context.ts'
import type { AttemptLimit } from '../queries/rate-limits.ts'
import { type LimitedAction, limitAttempts, limitsOf } from '../services/accounts/limit-attempts.ts'

const WHAT: Partial<Record<LimitedAction, string>> = {
  upload: 'files for now',
  comment: 'comments for now',
  reaction: 'reactions for now',
  importedAnswer: 'imported comments for now',
  collectionsOfDay: 'new collections for one day',
  export: 'exports for now',
}

/** Use after `signedIn`. Throws 429 with Retry-After if the user makes too many attempts, successful or not. */
export const limited = (...actions: LimitedAction[]) =>
  createMiddleware<AppEnv>(async (c, next) => {
    await limitAttempts(c.var.db, {
      actions,
      user: c.var.user.id,
      factor: c.env.RATE_LIMIT_FACTOR,
      what: whatOf(actions),
    })
    await next()
  })

/** The same for the transaction of the action itself, which saves a round trip. What the database refuses with an error is not counted. */
export async function limitOf({ var: { user }, env }: LimitedContext, ...actions: LimitedAction[]): Promise<AttemptLimit> {
  const attempts = await limitsOf({ actions, user: user.id, factor: env.RATE_LIMIT_FACTOR })
  return { attempts, what: whatOf(actions) ?? 'tries' }
}

interface LimitedContext {
  var: Pick<AppEnv['Variables'], 'user'>
  env: Pick<AppEnv['Bindings'], 'RATE_LIMIT_FACTOR'>
}

const whatOf = (actions: LimitedAction[]) => actions.map((action) => WHAT[action]).find(Boolean)
