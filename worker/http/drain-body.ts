import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../context.ts'
import { drain } from './read-body.ts'

/**
 * Takes the body even where the answer is a refusal that did not need it: answered earlier, the connection is closed under the
 * client's hands, and it sees a broken network instead of our words.
 */
export const drainBody = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  await drain(c.req.raw)
})
