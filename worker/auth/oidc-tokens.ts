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
import { UserId } from '../../contract/ids.ts'
import { Email } from '../../contract/text.ts'
import { verifySigned } from './access-token.ts'
import type { OidcService } from './oidc-service.ts'
import type { Claims, Session } from './provider.ts'

/** Public keys only: a secret that the client knows proves nothing, and `none` even less. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

/** Bounds of the time until the service is asked again, in milliseconds: its own word counts within them. */
const ASK_AGAIN = { soonest: 300_000, latest: 3_600_000, unsaid: 900_000 }
/** A session without a refresh token ends with its access token, or after a day. */
const MAX_LIFETIME = 86_400_000

const REFRESH = 'refresh:'

/** Some services write booleans as text. */
const Flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')])

const Person = z
  .object({ sub: UserId, email: Email, email_verified: Flag.optional().catch(undefined), name: z.string().optional().catch(undefined) })
  .transform(({ sub, email, email_verified, name }) => ({ id: sub, email, emailVerified: email_verified ?? false, name: name ?? null }))

/** Something is wrong with what the service said of a person, whatever the cause: never a session. */
class Refusal extends Error {}

/**
 * Whose tokens these are: from the ID token, and from the userinfo call where that does not name the address. `before` is who
 * it was at the last time; a refresh may come without an ID token. Throws Refusal where the ID token's signature is not the
 * service's, nobody with an address is named, or it is suddenly somebody else.
 */
export async function personOf(service: OidcService, tokens: TokenEndpointResponse, before?: Claims): Promise<Claims> {
  const said = getValidatedIdTokenClaims(tokens)
  if (said) await verifySignature(service, tokens.id_token ?? '')
  const sub = said?.sub ?? before?.id
  if (sub === undefined) throw new Refusal('There is no ID token')
  if (before && sub !== before.id) throw new Refusal('The refreshed tokens are of somebody else')
  const whole = said?.email === undefined ? { ...said, ...(await userInfo(service, tokens, sub)) } : said
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

/** `before` is the credential that these tokens were asked for with. A service that does not rotate answers without a new one. */
export function sessionOf(tokens: TokenEndpointResponse, claims: Claims, before?: string): Session {
  const fresh = tokens.refresh_token && REFRESH + tokens.refresh_token
  const credential = fresh ?? before ?? `none:${crypto.randomUUID()}`
  const said = tokens.expires_in === undefined ? ASK_AGAIN.unsaid : tokens.expires_in * 1000
  const lifetime = credential.startsWith(REFRESH)
    ? Math.min(Math.max(said, ASK_AGAIN.soonest), ASK_AGAIN.latest)
    : Math.min(Math.max(said, ASK_AGAIN.soonest), MAX_LIFETIME)
  return { accessToken: '', expiresAt: Date.now() + lifetime, credential, claims }
}

/** The refresh token inside a credential; null where the service gave none, or another provider made it. */
export function refreshTokenOf(credential: string): string | null {
  return credential.startsWith(REFRESH) ? credential.slice(REFRESH.length) : null
}

/** OAuth errors that say "no" to this person; others speak of the service or of our settings. */
const FINAL = ['invalid_grant', 'interaction_required', 'login_required', 'consent_required']
/** What oauth4webapi says of an answer that is not the service's, such as a proxy's page. */
const UNREADABLE = [PARSE_ERROR, RESPONSE_IS_NOT_JSON, RESPONSE_IS_NOT_CONFORM]

/** What a failed call means: somebody chose not to go on, the service's no (or something forged), or an outage. */
export function classifyFailure(error: unknown): 'cancelled' | 'refused' | 'unavailable' {
  if (error instanceof AuthorizationResponseError) {
    return ['server_error', 'temporarily_unavailable'].includes(error.error) ? 'unavailable' : 'cancelled'
  }
  if (error instanceof ResponseBodyError) return FINAL.includes(error.error) ? 'refused' : 'unavailable'
  if (error instanceof Refusal) return 'refused'
  if (error instanceof OperationProcessingError) return UNREADABLE.includes(error.code ?? '') ? 'unavailable' : 'refused'
  return 'unavailable'
}
