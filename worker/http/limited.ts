import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../context.ts'
import { type LimitedAction, limitAttempts } from '../services/accounts/limit-attempts.ts'

const WHAT: Partial<Record<LimitedAction, string>> = {
  upload: 'files for now',
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
      what: actions.map((action) => WHAT[action]).find(Boolean),
    })
    await next()
  })
