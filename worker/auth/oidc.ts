import {
  authorizationCodeGrantRequest,
  calculatePKCECodeChallenge,
  generateRandomCodeVerifier,
  generateRandomNonce,
  generateRandomState,
  processAuthorizationCodeResponse,
  processRefreshTokenResponse,
  processRevocationResponse,
  refreshTokenGrantRequest,
  revocationRequest,
  type TokenEndpointResponse,
  validateAuthResponse,
} from 'oauth4webapi'
import { z } from 'zod'
import { t } from '#say'
import { AppError } from '../http/errors.ts'
import { type OidcService, type OidcSettings, oidcService } from './oidc-service.ts'
import { classifyFailure, personOf, refreshTokenOf, sessionOf } from './oidc-tokens.ts'
import type { AuthProvider, Claims, Session } from './provider.ts'
import type { SharedRefresh } from './shared-refresh.ts'
import { signInUnavailable } from './upstream.ts'

/** Redirect URI of the app, which must be registered at the service. */
const CALLBACK = '/api/auth/callback'

const Memory = z.strictObject({ state: z.string(), nonce: z.string(), verifier: z.string() })

/** Any OpenID Connect service. Users sign in on its pages: authorization code with PKCE, state and nonce. */
export function oidc(settings: OidcSettings, shared: SharedRefresh): AuthProvider {
  const redirectUri = settings.appOrigin + CALLBACK
  const upstream = { ask: (session: Session) => refreshAt(settings, session), revoke: (session: Session) => revokeAt(settings, session) }

  return {
    features: { password: false, social: ['oidc'], reset: false },

    async begin() {
      const { server } = await oidcService(settings)
      if (!server.authorization_endpoint) throw signInUnavailable(new Error('It names no authorization_endpoint'))
      const memory = { state: generateRandomState(), nonce: generateRandomNonce(), verifier: generateRandomCodeVerifier() }
      const url = new URL(server.authorization_endpoint)
      const parameters = {
        client_id: settings.clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: settings.scopes,
        state: memory.state,
        nonce: memory.nonce,
        code_challenge: await calculatePKCECodeChallenge(memory.verifier),
        code_challenge_method: 'S256',
        // `offline_access` has no effect without this prompt (OpenID Connect Core §11).
        ...(settings.scopes.split(' ').includes('offline_access') && { prompt: 'consent' }),
      }
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
      return { url: url.href, state: memory.state, memory: JSON.stringify(memory) }
    },

    async finish(answer, remembered) {
      const { state, nonce, verifier } = Memory.parse(JSON.parse(remembered))
      const service = await oidcService(settings)
      const { server, client, clientAuth, once } = service
      return decided(async () => {
        const code = validateAuthResponse(server, client, answer, state)
        const response = await authorizationCodeGrantRequest(server, client, clientAuth, code, redirectUri, verifier, once)
        const checks = { expectedNonce: nonce, requireIdToken: true }
        const tokens = await processAuthorizationCodeResponse(server, client, response, checks)
        return sessionOf(tokens, await personOf(service, tokens))
      })
    },

    async refresh(session) {
      if (refreshTokenOf(session.credential) !== null) return shared.refresh(session, upstream)
      // Without a refresh token, the session is valid until it expires.
      return session.claims && session.expiresAt > Date.now() ? session : null
    },

    async signOut(session) {
      // Revokes every credential of the chain: a service may keep older ones valid after the newest is revoked.
      const revoked = shared.end(session).then((ended) => Promise.all(ended.map(upstream.revoke)))
      const page = await logoutPage(settings).catch(() => undefined)
      await revoked
      return page
    },

    async verify({ claims, expiresAt }) {
      return claims && expiresAt > Date.now() ? claims : null
    },

    signUp: noPassword,
    signIn: noPassword,
    requestReset: noPassword,
    resetPassword: noPassword,
    async sendVerification() {
      throw new AppError('not_found', t`Addresses are confirmed at your sign-in service. Confirm yours there, then sign in again`)
    },
    verifyEmail: async () => false,
  }
}

async function noPassword(): Promise<never> {
  throw new AppError('not_found', t`There are no passwords here. Sign in with your sign-in service`)
}

/** The session, or the kind of failure. Throws `unavailable` for an outage. */
async function decided(work: () => Promise<Session>): Promise<Session | 'cancelled' | 'refused'> {
  try {
    return await work()
  } catch (error) {
    const meaning = classifyFailure(error)
    if (meaning === 'unavailable') throw signInUnavailable(error)
    // Logs the reason, such as a forged token or a wrong setting, but no user.
    console.warn(JSON.stringify({ level: 'warn', signIn: meaning, error: String(error) }))
    return meaning
  }
}

async function refreshAt(settings: OidcSettings, session: Session): Promise<Session | null> {
  const refreshToken = refreshTokenOf(session.credential)
  if (refreshToken === null || !session.claims) return null
  const service = await oidcService(settings)
  const { server, client, clientAuth, once } = service
  try {
    const response = await refreshTokenGrantRequest(server, client, clientAuth, refreshToken, once)
    const tokens = await processRefreshTokenResponse(server, client, response)
    return sessionOf(tokens, await personOrBefore(service, tokens, session.claims), session.credential)
  } catch (error) {
    if (classifyFailure(error) === 'unavailable') throw signInUnavailable(error)
    return null
  }
}

/** The old credential is used up by now, so an outage of another endpoint must not lose the new one: keeps the claims of `before`. */
async function personOrBefore(service: OidcService, tokens: TokenEndpointResponse, before: Claims): Promise<Claims> {
  try {
    return await personOf(service, tokens, before)
  } catch (error) {
    if (classifyFailure(error) !== 'unavailable' && !(error instanceof AppError)) throw error
    return before
  }
}

async function revokeAt(settings: OidcSettings, session: Session): Promise<void> {
  const refreshToken = refreshTokenOf(session.credential)
  const { server, client, clientAuth, repeatable } = await oidcService(settings)
  if (refreshToken === null || !server.revocation_endpoint) return
  const parameters = { additionalParameters: { token_type_hint: 'refresh_token' } }
  await processRevocationResponse(await revocationRequest(server, client, clientAuth, refreshToken, { ...repeatable, ...parameters }))
}

/**
 * The page where the browser ends the service's own session (RP-Initiated Logout). Sends no `id_token_hint`, which would show a token to the
 * browser. So the service asks the user, who may want to stay signed in elsewhere.
 */
async function logoutPage(settings: OidcSettings): Promise<string | undefined> {
  const { end_session_endpoint } = (await oidcService(settings)).server
  if (!end_session_endpoint) return undefined
  const url = new URL(end_session_endpoint)
  url.searchParams.set('client_id', settings.clientId)
  url.searchParams.set('post_logout_redirect_uri', `${settings.appOrigin}/login`)
  return url.href
}
