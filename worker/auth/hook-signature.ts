import { base64url, createRemoteJWKSet, errors, flattenedVerify } from 'jose'

/** Where the sign-in service asks for mails to be sent. Not part of the API: it is signed by the service, and has no session. */
export const SIGN_IN_HOOK_PATH = '/_hooks/sign-in'

/** Milliseconds between signing and arrival; later, it may be a replay. */
const MAX_AGE = 5 * 60_000

/** By URL, for the life of the isolate. Keys are fetched at most every 30 seconds, because anybody can send an unknown key id. */
const keySets = new Map<string, ReturnType<typeof createRemoteJWKSet>>()

/**
 * Whether the sign-in service signed this body of a webhook, as Neon Auth does: a detached JWS of time and body, encoded twice. Throws if its keys cannot
 * be fetched.
 */
export async function isSignedHook(body: string, headers: Headers, jwksUrl: string): Promise<boolean> {
  const timestamp = headers.get('x-neon-timestamp') ?? ''
  const [header = '', payload, signature = ''] = (headers.get('x-neon-signature') ?? '').split('.')
  if (payload !== '' || !(Math.abs(Date.now() - Number(timestamp)) <= MAX_AGE)) return false
  const keys = keySets.get(jwksUrl) ?? createRemoteJWKSet(new URL(jwksUrl))
  keySets.set(jwksUrl, keys)
  const signed = { protected: header, payload: base64url.encode(hookPayload(timestamp, body)), signature }
  try {
    await flattenedVerify(signed, keys, { algorithms: ['EdDSA'] })
    return true
  } catch (error) {
    // These two codes mean that the keys could not be fetched.
    const isVerdict = error instanceof errors.JOSEError && !['ERR_JWKS_TIMEOUT', 'ERR_JOSE_GENERIC'].includes(error.code)
    if (isVerdict) return false
    throw error
  }
}

/** The payload of the signature. */
export function hookPayload(timestamp: string, body: string): string {
  return `${timestamp}.${base64url.encode(body)}`
}
