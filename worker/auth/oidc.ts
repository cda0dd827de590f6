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
import { AppError, unavailable } from '../http/errors.ts'
import { type OidcService, type OidcSettings, oidcService } from './oidc-service.ts'
import { classifyFailure, personOf, refreshTokenOf, sessionOf } from './oidc-tokens.ts'
import type { AuthProvider, Claims, Session } from './provider.ts'
import type { SharedRefresh } from './shared-refresh.ts'

/** Where the service sends the browser back to; it has to be registered there. */
const CALLBACK = '/api/auth/callback'

const Memory = z.strictObject({ state: z.string(), nonce: z.string(), verifier: z.string() })

/** Any OpenID Connect service: people sign in on its pages, with code, PKCE, state and nonce. */
export function oidc(settings: OidcSettings, shared: SharedRefresh): AuthProvider {
  const redirectUri = settings.appOrigin + CALLBACK
  const upstream = { ask: (session: Session) => refreshAt(settings, session), revoke: (session: Session) => revokeAt(settings, session) }

  return {
    features: { password: false, social: ['oidc'], reset: false },

    async begin() {
      const { server } = await oidcService(settings)
      if (!server.authorization_endpoint) throw unavailable('The sign-in service', new Error('It names no authorization_endpoint'))
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
        // Without it this scope has no effect (OpenID Connect Core §11).
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
      // Nothing to refresh with: it lasts as long as it lasts.
      return session.claims && session.expiresAt > Date.now() ? session : null
    },

    async signOut(session) {
      // Told of the newest credential alone, a service may let an older one live.
      const told = shared.end(session).then((ended) => Promise.all(ended.map(upstream.revoke)))
      const page = await logoutPage(settings).catch(() => undefined)
      await told
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
      throw new AppError('not_found', 'Addresses are confirmed at your sign-in service. Confirm yours there, then sign in again')
    },
    verifyEmail: async () => false,
  }
}

async function noPassword(): Promise<never> {
  throw new AppError('not_found', 'There are no passwords here. Sign in with your sign-in service')
}

/** The session, or how the service decided otherwise. An outage is thrown. */
async function decided(work: () => Promise<Session>): Promise<Session | 'cancelled' | 'refused'> {
  try {
    return await work()
  } catch (error) {
    const meaning = classifyFailure(error)
    if (meaning === 'unavailable') throw unavailable('The sign-in service', error)
    // Names the reason and nobody: what was forged, or which setting does not fit.
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
    if (classifyFailure(error) === 'unavailable') throw unavailable('The sign-in service', error)
    return null
  }
}

/** Once the service has taken the old credential, a part of it that is down must not cost the new one. */
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
 * Where the browser ends the service's own session (RP-Initiated Logout). Without an ID token as a hint, which would show a
 * token to the browser: the service asks the person, who may want to stay signed in elsewhere.
 */
async function logoutPage(settings: OidcSettings): Promise<string | undefined> {
  const { end_session_endpoint } = (await oidcService(settings)).server
  if (!end_session_endpoint) return undefined
  const url = new URL(end_session_endpoint)
  url.searchParams.set('client_id', settings.clientId)
  url.searchParams.set('post_logout_redirect_uri', `${settings.appOrigin}/login`)
  return url.href
}
