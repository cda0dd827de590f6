import { createLocalJWKSet, createRemoteJWKSet, customFetch, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { z } from 'zod'
import { AccountId } from '../../contract/links.ts'
import { foldEmail } from '../../contract/text.ts'
import type { Claims } from './provider.ts'
import { fetchRetrying, signInUnavailable } from './upstream.ts'

export interface TokenRules {
  jwksUrl: string
  issuer: string
  audience: string
  algorithms: string[]
}

/** Tolerated difference between the clocks of the worker and the service, in seconds. */
const CLOCK_TOLERANCE = 5
/** Milliseconds after an outage of the service in which the known keys are used without a request. */
const COOLDOWN = 30_000

/** The user id is `sub`, else `id`. Services use both spellings of "verified". */
const Payload = z
  .object({
    sub: AccountId.optional(),
    id: AccountId.optional(),
    email: z.string().min(1),
    emailVerified: z.boolean().optional(),
    email_verified: z.boolean().optional(),
    name: z.string().nullish(),
  })
  .transform(({ sub, id, email, emailVerified, email_verified, name }) => ({
    id: sub ?? id,
    email: foldEmail(email),
    emailVerified: emailVerified ?? email_verified ?? false,
    name: name ?? null,
  }))

interface KeySet {
  remote: ReturnType<typeof createRemoteJWKSet>
  /** No request for keys before this time, after an outage of the service. */
  cooldownUntil: number
}

/** By URL, for the life of the isolate. Keys are fetched again when they are old or a key id is unknown. */
const keySets = new Map<string, KeySet>()

function keySet(url: string): KeySet {
  const known = keySets.get(url)
  if (known) return known
  // Without a cool-down, key rotation takes effect at once. Safe, because tokens arrive sealed: a forged key id cannot cause a request.
  const remote = createRemoteJWKSet(new URL(url), { cooldownDuration: 0, [customFetch]: fetchRetrying })
  const made = { remote, cooldownUntil: 0 }
  keySets.set(url, made)
  return made
}

/** The claims of the token, or null if it is invalid or expired. Throws `unavailable` if the keys cannot be fetched. */
export async function verifyAccessToken(token: string, rules: Omit<TokenRules, 'algorithms'>): Promise<Claims | null> {
  const payload = await verifySigned(token, { ...rules, algorithms: ['EdDSA'] })
  const { data } = Payload.safeParse(payload)
  return data?.id === undefined ? null : { ...data, id: data.id }
}

/** The payload of a token signed by the service, or null if it is invalid or expired. Throws `unavailable` if the keys cannot be fetched. */
export async function verifySigned(token: string, rules: TokenRules): Promise<JWTPayload | null> {
  const keys = keySet(rules.jwksUrl)
  if (keys.cooldownUntil > Date.now()) {
    const payload = await checkWithKnownKeys(token, keys, rules)
    if (payload) return payload
  }
  try {
    return await checkToken(token, keys.remote, rules)
  } catch (error) {
    keys.cooldownUntil = Date.now() + COOLDOWN
    // Older keys are better than ending every session.
    const payload = await checkWithKnownKeys(token, keys, rules)
    if (!payload) throw signInUnavailable(error)
    return payload
  }
}

function checkWithKnownKeys(token: string, { remote }: KeySet, rules: TokenRules): Promise<JWTPayload | null> {
  const known = remote.jwks()
  return known ? checkToken(token, createLocalJWKSet(known), rules) : Promise.resolve(null)
}

/** Null for an invalid token. Throws any other error. */
async function checkToken(token: string, keys: JWTVerifyGetKey, rules: Omit<TokenRules, 'jwksUrl'>): Promise<JWTPayload | null> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      algorithms: rules.algorithms,
      issuer: rules.issuer,
      audience: rules.audience,
      clockTolerance: CLOCK_TOLERANCE,
      requiredClaims: ['exp'],
    })
    return payload
  } catch (error) {
    if (isRefusal(error)) return null
    throw error
  }
}

function isRefusal(error: unknown): boolean {
  return (
    error instanceof errors.JWTExpired ||
    error instanceof errors.JWTClaimValidationFailed ||
    error instanceof errors.JWTInvalid ||
    error instanceof errors.JWSInvalid ||
    error instanceof errors.JWSSignatureVerificationFailed ||
    error instanceof errors.JOSEAlgNotAllowed ||
    error instanceof errors.JOSENotSupported ||
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys
  )
}
