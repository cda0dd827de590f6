import {
  AuthorizationResponseError,
  getValidatedIdTokenClaims,
  OperationProcessingError,
  PARSE_ERROR,
  processUserInfoResponse,
  RESPONSE_IS_NOT_CONFORM,
  RESPONSE_IS_NOT_JSON,
  ResponseBodyError,
  type TokenEndpointResponse,
  userInfoRequest,
} from 'oauth4webapi'
import { z } from 'zod'
import { AccountId } from '../../contract/links.ts'
import { Email } from '../../contract/text.ts'
import { verifySigned } from './access-token.ts'
import type { OidcService } from './oidc-service.ts'
import type { Claims, Session } from './provider.ts'

/** Only algorithms with public keys: no HMAC, and not `none`. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

/** Bounds for `expires_in` of the service, and the default without it, in milliseconds. */
const REFRESH_AFTER = { min: 300_000, max: 3_600_000, default: 900_000 }
/** Upper bound for a session without a refresh token, in milliseconds: it ends with its access token, or after a day. */
const MAX_LIFETIME = 86_400_000

const REFRESH = 'refresh:'

/** Some services write booleans as text. */
const Flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')])

const Person = z
  .object({ sub: AccountId, email: Email, email_verified: Flag.optional().catch(undefined), name: z.string().optional().catch(undefined) })
  .transform(({ sub, email, email_verified, name }) => ({ id: sub, email, emailVerified: email_verified ?? false, name: name ?? null }))

/** The service's data about a user is missing, forged or contradictory. */
class Refusal extends Error {}

/**
 * The user of these tokens: from the ID token, and from the userinfo endpoint if the ID token has no address. `before` are the claims before
 * a refresh, whose response may have no ID token. Throws Refusal if the ID token is not signed by the service, if there is no address, or if
 * the user is not the one of `before`.
 */
export async function personOf(service: OidcService, tokens: TokenEndpointResponse, before?: Claims): Promise<Claims> {
  const idClaims = getValidatedIdTokenClaims(tokens)
  if (idClaims) await verifySignature(service, tokens.id_token ?? '')
  const sub = idClaims?.sub ?? before?.id
  if (sub === undefined) throw new Refusal('There is no ID token')
  if (before && sub !== before.id) throw new Refusal('The refreshed tokens belong to another user')
  const whole = idClaims?.email === undefined ? { ...idClaims, ...(await userInfo(service, tokens, sub)) } : idClaims
  const person = Person.safeParse(whole).data ?? before
  if (!person) throw new Refusal('The service names no e-mail address. Does it know the scope "email"?')
  return person
}

async function verifySignature({ server, client }: OidcService, idToken: string): Promise<void> {
  const jwksUrl = server.jwks_uri
  if (!jwksUrl || new URL(jwksUrl).protocol !== new URL(server.issuer).protocol)
    throw new Refusal('The service has no keys at a safe address')
  const rules = { jwksUrl, issuer: server.issuer, audience: client.client_id, algorithms: ALGORITHMS }
  if (!(await verifySigned(idToken, rules))) throw new Refusal('The ID token is not signed with a key of the service')
}

async function userInfo({ server, client, repeatable }: OidcService, tokens: TokenEndpointResponse, sub: string) {
  if (!server.userinfo_endpoint) return {}
  return processUserInfoResponse(server, client, sub, await userInfoRequest(server, client, tokens.access_token, repeatable))
}

/** `before` is the credential of the refresh. It is kept if the service does not rotate refresh tokens. */
export function sessionOf(tokens: TokenEndpointResponse, claims: Claims, before?: string): Session {
  const fresh = tokens.refresh_token && REFRESH + tokens.refresh_token
  const credential = fresh ?? before ?? `none:${crypto.randomUUID()}`
  const wanted = tokens.expires_in === undefined ? REFRESH_AFTER.default : tokens.expires_in * 1000
  const lifetime = credential.startsWith(REFRESH)
    ? Math.min(Math.max(wanted, REFRESH_AFTER.min), REFRESH_AFTER.max)
    : Math.min(Math.max(wanted, REFRESH_AFTER.min), MAX_LIFETIME)
  return { accessToken: '', expiresAt: Date.now() + lifetime, credential, claims }
}

/** The refresh token in a credential. Null if the service gave none, or if the credential is of another provider. */
export function refreshTokenOf(credential: string): string | null {
  return credential.startsWith(REFRESH) ? credential.slice(REFRESH.length) : null
}

/** OAuth errors that refuse this user. Others are about the service or our settings. */
const FINAL = ['invalid_grant', 'interaction_required', 'login_required', 'consent_required']
/** Error codes of oauth4webapi for responses that are not the service's, such as a proxy's page. */
const UNREADABLE = [PARSE_ERROR, RESPONSE_IS_NOT_JSON, RESPONSE_IS_NOT_CONFORM]

/** `cancelled`: the user or the service stopped the sign-in. `refused`: a final refusal, or forged data. `unavailable`: an outage. */
export function classifyFailure(error: unknown): 'cancelled' | 'refused' | 'unavailable' {
  if (error instanceof AuthorizationResponseError) {
    return ['server_error', 'temporarily_unavailable'].includes(error.error) ? 'unavailable' : 'cancelled'
  }
  if (error instanceof ResponseBodyError) return FINAL.includes(error.error) ? 'refused' : 'unavailable'
  if (error instanceof Refusal) return 'refused'
  if (error instanceof OperationProcessingError) return UNREADABLE.includes(error.code ?? '') ? 'unavailable' : 'refused'
  return 'unavailable'
}
