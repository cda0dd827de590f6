import { createMiddleware } from 'hono/factory'
import { t } from '#say'
import type { AppEnv } from '../context.ts'
import type { AttemptLimit, LimitName } from '../queries/rate-limits.ts'
import { type LimitedAction, limitAttempts, limitsOf } from '../services/accounts/limit-attempts.ts'
import { TOO_MANY } from './errors.ts'

const SENTENCES: Partial<Record<LimitedAction, (wait: string) => string>> = {
  ...TOO_MANY,
  collectionsOfDay: (wait) => t`Too many new collections for one day. Try again in ${wait}`,
  export: (wait) => t`Too many exports for now. Try again in ${wait}`,
}

/** Use after `signedIn`. Throws 429 with Retry-After if the user makes too many attempts, successful or not. */
export const limited = (...actions: LimitedAction[]) =>
  createMiddleware<AppEnv>(async (c, next) => {
    await limitAttempts(c.var.db, {
      actions,
      user: c.var.user.id,
      factor: c.env.RATE_LIMIT_FACTOR,
      what: actions.map((action) => SENTENCES[action]).find(Boolean),
    })
    await next()
  })

/** The same for the transaction of the action itself, which saves a round trip. What the database refuses with an error is not counted. */
export async function attemptLimit({ var: { user, link }, env }: LimitedContext, ...actions: LimitedAction[]): Promise<AttemptLimit> {
  const attempts = await limitsOf({ actions, user: user.id, link, factor: env.RATE_LIMIT_FACTOR })
  return { attempts, what: actions.find(hasName) ?? 'tries' }
}

interface LimitedContext {
  var: Pick<AppEnv['Variables'], 'user' | 'link'>
  env: Pick<AppEnv['Bindings'], 'RATE_LIMIT_FACTOR'>
}

const hasName = (action: string): action is LimitedAction & LimitName => Object.hasOwn(TOO_MANY, action)
