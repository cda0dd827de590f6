import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { matchedRoutes } from 'hono/route'
import type { AppEnv } from '../context.ts'

/**
 * One line of JSON for each call. It says which call it was by its route, never by its path: ids of people stand there, and what
 * they search for in the query.
 */
export const logRequest = createMiddleware<AppEnv>(async (c, next) => {
  const begin = Date.now()
  await next()
  const { method } = c.req
  const line = { level: 'info', request: c.var.requestId, method, route: routeOf(c), status: c.res.status, ms: Date.now() - begin }
  console.info(JSON.stringify(line))
})

/** The route that answers, such as `/api/post/:id`; middleware is registered for all methods and is none. */
export function routeOf(c: Context<AppEnv>): string {
  return matchedRoutes(c).find(({ method }) => method !== 'ALL')?.path ?? 'none'
}
