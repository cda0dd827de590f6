import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../context.ts'
import type { Env } from '../env.ts'
import { socketOrigin } from '../live/party-host.ts'

/** Where a map that is drawn from a hosted style loads from; nowhere else without one. */
function mapOrigins({ MAP_STYLE_URL, MAP_STYLE_URL_DARK, MAP_HOSTS }: Partial<Env>): string[] {
  if (!MAP_STYLE_URL) return []
  const styles = [MAP_STYLE_URL, MAP_STYLE_URL_DARK].flatMap((url) => (url ? [new URL(url).origin] : []))
  return [...new Set([...styles, ...(MAP_HOSTS ?? '').split(' ').filter(Boolean)])]
}

/** The EU's, where a site names none (spec §7). */
export const analyticsHost = ({ ANALYTICS_HOST }: Partial<Env>): string => ANALYTICS_HOST || 'https://eu.i.posthog.com'

/** Where analytics ask and tell; nowhere without a key. The service keeps its configuration on a host beside its own. */
function analyticsOrigins(env: Partial<Env>): string[] {
  if (!env.ANALYTICS_KEY) return []
  const host = analyticsHost(env)
  return [...new Set([host, host.replace(/(?=\.i\.posthog\.com$)/, '-assets')])]
}

/**
 * The policy that the app runs under: nothing inline, and nothing from elsewhere but what a hosted map needs, and analytics where there are any. Blobs are previews of files not yet uploaded;
 * WebAssembly, which can do no more than the script that starts it, hashes large files.
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
    // Pictures too: the service worker fetches them on, and what it fetches counts as a connection.
    `connect-src 'self'${map}${rooms}${analytics}${images}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Security headers of every response. A route's own policy (files) stays. */
export const secureHeaders = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  const response = new Response(c.res.body, c.res)
  const set = (name: string, value: string) => response.headers.has(name) || response.headers.set(name, value)
  set('content-security-policy', contentSecurityPolicy(c.env))
  set('x-content-type-options', 'nosniff')
  set('referrer-policy', 'strict-origin-when-cross-origin')
  set('permissions-policy', 'camera=(), microphone=(), geolocation=(self), payment=(), usb=(), browsing-topics=()')
  // Files have a policy of their own, which does not speak of frames; nobody else may show them in one.
  set('x-frame-options', 'SAMEORIGIN')
  set('cross-origin-opener-policy', 'same-origin')
  set('cross-origin-resource-policy', 'same-origin')
  if (c.env.APP_ORIGIN.startsWith('https:')) set('strict-transport-security', 'max-age=63072000; includeSubDomains')
  c.res = response
})
