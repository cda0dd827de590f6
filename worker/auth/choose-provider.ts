import { connect } from '../db/client.ts'
import type { Env } from '../env.ts'
import { betterAuth } from './better-auth.ts'
import { oidc } from './oidc.ts'
import type { AuthProvider } from './provider.ts'
import { parseSessionKeys } from './sealed.ts'
import { SharedRefresh } from './shared-refresh.ts'

/** `offline_access` requests a refresh token; without one a session ends with its access token. */
const SCOPES = 'openid email profile offline_access'

/** The provider that AUTH_PROVIDER names. An empty variable counts as not set. */
export function authProvider(env: Env): AuthProvider {
  const url = new URL(env.AUTH_URL)
  const appOrigin = new URL(env.APP_ORIGIN).origin
  if (env.AUTH_PROVIDER === 'oidc') {
    const settings = {
      url: env.AUTH_URL,
      issuer: env.AUTH_ISSUER || env.AUTH_URL,
      clientId: env.AUTH_CLIENT_ID ?? '',
      clientSecret: env.AUTH_CLIENT_SECRET ?? '',
      scopes: env.AUTH_SCOPES || SCOPES,
      appOrigin,
    }
    return oidc(settings, new SharedRefresh(connect(env.DATABASE_URL, env.NEON_PROXY), parseSessionKeys(env.SESSION_KEYS)))
  }
  return betterAuth({ url: url.href, issuer: env.AUTH_ISSUER || url.origin, audience: env.AUTH_AUDIENCE || url.origin, appOrigin })
}
