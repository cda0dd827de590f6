import { createMiddleware } from 'hono/factory'
import { t } from '#say'
import type { AppEnv } from '../context.ts'
import { forbidden } from '../http/errors.ts'

/** Methods of calls that change nothing. */
export const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Mail programs call it without an Origin (RFC 8058). What it does is decided by the secret in the address alone, never by a cookie. */
const UNSUBSCRIBE = /^\/s\/weekly\/end\/[\w.-]+$/

/**
 * Protects against cross-site request forgery: unsafe calls must come from the app's own pages. The session cookie is SameSite=Lax, but a
 * sibling subdomain is same-site, so Origin and Fetch Metadata are checked as well. Calls with a bearer token are exempt: another site cannot
 * make a browser send one (its CORS preflight fails), and cookies are ignored beside it.
 */
export const guardOrigin = createMiddleware<AppEnv>(async (c, next) => {
  const byToken = /^bearer /i.test(c.req.header('authorization') ?? '')
  const unsubscribes = c.req.method === 'POST' && UNSUBSCRIBE.test(c.req.path)
  if (!SAFE_METHODS.has(c.req.method) && !byToken && !unsubscribes) {
    const site = c.req.header('sec-fetch-site')
    const own = new URL(c.env.APP_ORIGIN).origin
    if (c.req.header('origin') !== own || (site !== undefined && site !== 'same-origin')) {
      throw forbidden(t`This call must come from ${{ origin: own }}`)
    }
  }
  await next()
})
