import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { matchedRoutes } from 'hono/route'
import type { AppEnv } from '../context.ts'

/**
 * Logs each call as one line of JSON. Logs the route, not the path or the query, which contain ids and search terms of users.
 */
export const logRequest = createMiddleware<AppEnv>(async (c, next) => {
  const begin = Date.now()
  await next()
  const { method } = c.req
  const line = { level: 'info', request: c.var.requestId, method, route: routeOf(c), status: c.res.status, ms: Date.now() - begin }
  console.info(JSON.stringify(line))
})

/** The route of the request, such as `/api/post/:id`. Skips middleware, which is registered for all methods. */
export function routeOf(c: Context<AppEnv>): string {
  return matchedRoutes(c).find(({ method }) => method !== 'ALL')?.path ?? 'none'
}
