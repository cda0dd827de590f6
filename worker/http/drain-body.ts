import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../context.ts'
import { drain } from './read-body.ts'

/**
 * Reads the rest of the body even if the response does not need it: otherwise the connection closes while the client sends, and it reports
 * a network error instead of our response.
 */
export const drainBody = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  await drain(c.req.raw)
})
