import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../context.ts'
import type { Env } from '../env.ts'
import { socketOrigin } from '../live/party-host.ts'
import { REPORTS_PATH } from './policy-reports.ts'

/** Origins of a hosted map style; empty without one. */
function mapOrigins({ MAP_STYLE_URL, MAP_STYLE_URL_DARK, MAP_HOSTS }: Partial<Env>): string[] {
  if (!MAP_STYLE_URL) return []
  const styles = [MAP_STYLE_URL, MAP_STYLE_URL_DARK].flatMap((url) => (url ? [new URL(url).origin] : []))
  return [...new Set([...styles, ...(MAP_HOSTS ?? '').split(' ').filter(Boolean)])]
}

/** The EU host by default. */
export const analyticsHost = ({ ANALYTICS_HOST }: Partial<Env>): string => ANALYTICS_HOST || 'https://eu.i.posthog.com'

/** Origins of the analytics service; empty without a key. Its configuration is on a host of its own. */
function analyticsOrigins(env: Partial<Env>): string[] {
  if (!env.ANALYTICS_KEY) return []
  const host = analyticsHost(env)
  return [...new Set([host, host.replace(/(?=\.i\.posthog\.com$)/, '-assets')])]
}

/**
 * The browser accepts a string as HTML or as the URL of a script only from these policies: those of web/head/default-policy.ts,
 * web/lib/trusted-types.ts and the editor's library. Left out with analytics, whose experiments write HTML of the operator.
 */
const TRUSTED_TYPES = ["require-trusted-types-for 'script'", 'trusted-types default cairn ProseMirrorClipboard']

/**
 * No inline scripts, and no other origins except those of a hosted map, an image service, a host of live rooms and analytics, if configured.
 * `blob:` is for previews of files that are not uploaded yet, WebAssembly for hashing large files; it can do no more than the script that
 * starts it.
 */
export function contentSecurityPolicy(env: Partial<Env>): string {
  const map = mapOrigins(env)
    .map((origin) => ` ${origin}`)
    .join('')
  const analytics = analyticsOrigins(env)
    .map((origin) => ` ${origin}`)
    .join('')
  const images = env.IMAGE_PROVIDER === 'delivery' && env.IMAGE_DELIVERY ? ` ${new URL(env.IMAGE_DELIVERY).origin}` : ''
  const rooms = env.PARTY_HOST ? ` ${socketOrigin(env.PARTY_HOST)}` : ''
  return [
    "default-src 'self'",
    "script-src 'self' 'wasm-unsafe-eval'",
    `img-src 'self' blob: data:${map}${images}`,
    "media-src 'self' blob:",
    "style-src 'self' 'unsafe-inline'",
    "worker-src 'self' blob:",
    // Includes the origins of images, because the service worker fetches them.
    `connect-src 'self'${map}${rooms}${analytics}${images}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(env.ANALYTICS_KEY ? [] : TRUSTED_TYPES),
    // The old and the new directive for reports: each browser supports one of them.
    `report-uri ${REPORTS_PATH}`,
    'report-to policy',
  ].join('; ')
}

/** Responses of these calls are personal: no cache stores them unless the route sets its own cache-control. */
const PERSONAL = /^\/(api|_image)\//

/** Sets security headers on every response. Keeps headers that a route has set, such as the policy of files. */
export const secureHeaders = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  const response = new Response(c.res.body, c.res)
  const set = (name: string, value: string) => response.headers.has(name) || response.headers.set(name, value)
  set('content-security-policy', contentSecurityPolicy(c.env))
  set('reporting-endpoints', `policy="${REPORTS_PATH}"`)
  set('x-content-type-options', 'nosniff')
  set('referrer-policy', 'strict-origin-when-cross-origin')
  set('permissions-policy', 'camera=(), microphone=(), geolocation=(self), payment=(), usb=(), browsing-topics=()')
  // The policy of files has no frame-ancestors.
  set('x-frame-options', 'SAMEORIGIN')
  set('cross-origin-opener-policy', 'same-origin')
  set('cross-origin-resource-policy', 'same-origin')
  if (PERSONAL.test(c.req.path)) set('cache-control', 'private, no-store')
  if (c.env.APP_ORIGIN.startsWith('https:')) set('strict-transport-security', 'max-age=63072000; includeSubDomains')
  c.res = response
})
