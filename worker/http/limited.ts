import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../context.ts'
import { type LimitedAction, limitAttempts } from '../services/accounts/limit-attempts.ts'

/** Behind `signedIn`: 429 with Retry-After for a person who does this too often, whatever comes of it. */
export const limited = (action: LimitedAction) =>
  createMiddleware<AppEnv>(async (c, next) => {
    await limitAttempts(c.var.db, { actions: [action], user: c.var.user.id, factor: c.env.RATE_LIMIT_FACTOR })
    await next()
  })
