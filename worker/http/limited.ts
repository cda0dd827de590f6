import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../context.ts'
import { type LimitedAction, limitAttempts } from '../services/accounts/limit-attempts.ts'

/** Use after `signedIn`. Throws 429 with Retry-After if the user makes too many attempts, successful or not. */
export const limited = (action: LimitedAction) =>
  createMiddleware<AppEnv>(async (c, next) => {
    await limitAttempts(c.var.db, { actions: [action], user: c.var.user.id, factor: c.env.RATE_LIMIT_FACTOR })
    await next()
  })
