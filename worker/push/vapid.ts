import { importJWK, SignJWT } from 'jose'
import type { Settings } from '../settings.ts'

/** Push services refuse what is good for longer than a day (RFC 8292). */
const LIFE = '12 h'

export interface Vapid {
  /** What browsers subscribe with, base64url. */
  publicKey: string
  privateKey: string
  /** Whom a push service can turn to. */
  subject: string
}

/** Null where this site sends no notifications. */
export function vapidOf({ VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY, VAPID_SUBJECT, APP_ORIGIN }: Settings): Vapid | null {
  if (!VAPID_PUBLIC_KEY || !VAPID_PRIVATE_KEY) return null
  return { publicKey: VAPID_PUBLIC_KEY, privateKey: VAPID_PRIVATE_KEY, subject: VAPID_SUBJECT || APP_ORIGIN }
}

/** The `Authorization` of a message to the push service at `endpoint`: who we are, signed for that service alone. */
export async function vapidAuthorization({ publicKey, privateKey, subject }: Vapid, endpoint: string): Promise<string> {
  const token = new SignJWT({}).setProtectedHeader({ alg: 'ES256', typ: 'JWT' }).setAudience(new URL(endpoint).origin)
  const signed = await token
    .setSubject(subject)
    .setIssuedAt()
    .setExpirationTime(LIFE)
    .sign(await keyOf(publicKey, privateKey))
  return `vapid t=${signed}, k=${publicKey}`
}

/** Both halves as `web-push generate-vapid-keys` writes them: the point with its leading byte, and the number. */
function keyOf(publicKey: string, privateKey: string) {
  const point = atob(publicKey.replaceAll('-', '+').replaceAll('_', '/'))
  const part = (from: number) =>
    btoa(point.slice(from, from + 32))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replaceAll('=', '')
  return importJWK({ kty: 'EC', crv: 'P-256', x: part(1), y: part(33), d: privateKey }, 'ES256')
}
