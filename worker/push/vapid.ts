import { base64url, importJWK, SignJWT } from 'jose'
import type { Settings } from '../settings.ts'

/** Push services refuse tokens that are valid for more than a day (RFC 8292). */
const LIFE = '12 h'

export interface Vapid {
  /** base64url; browsers subscribe with it. */
  publicKey: string
  privateKey: string
  /** Contact for push services, a URL. */
  subject: string
}

/** Null if this site sends no notifications. */
export function vapidOf({ VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY, VAPID_SUBJECT, APP_ORIGIN }: Settings): Vapid | null {
  if (!VAPID_PUBLIC_KEY || !VAPID_PRIVATE_KEY) return null
  return { publicKey: VAPID_PUBLIC_KEY, privateKey: VAPID_PRIVATE_KEY, subject: VAPID_SUBJECT || APP_ORIGIN }
}

/** The Authorization header for a message to `endpoint`: a token signed for the origin of this push service. */
export async function vapidAuthorization({ publicKey, privateKey, subject }: Vapid, endpoint: string): Promise<string> {
  const token = new SignJWT({}).setProtectedHeader({ alg: 'ES256', typ: 'JWT' }).setAudience(new URL(endpoint).origin)
  const signed = await token
    .setSubject(subject)
    .setIssuedAt()
    .setExpirationTime(LIFE)
    .sign(await keyOf(publicKey, privateKey))
  return `vapid t=${signed}, k=${publicKey}`
}

/** Imports a key pair in the format of `web-push generate-vapid-keys`: the uncompressed point with its leading byte, and the scalar. */
function keyOf(publicKey: string, privateKey: string) {
  const point = base64url.decode(publicKey)
  const part = (from: number) => base64url.encode(point.slice(from, from + 32))
  return importJWK({ kty: 'EC', crv: 'P-256', x: part(1), y: part(33), d: privateKey }, 'ES256')
}
