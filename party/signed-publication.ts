import { jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import { digest } from '../contract/bytes.ts'
import { RoomName } from '../contract/live.ts'
import { deriveKey } from './keys.ts'

const ALGORITHM = 'HS256'
const TYPE = 'publication+jwt'
/** Seconds for which the signature is valid. */
const LIFE = 30
/** Tolerated difference between two clocks, in seconds. */
const TOLERANCE = 5

/** `body` is the digest of the body; `jti` can be used once. `exp` in seconds since 1970. */
const PublicationClaims = z.object({ room: RoomName, body: z.string(), jti: z.uuid(), exp: z.number() })

const publishKey = (secret: string) => deriveKey(secret, 'cairn publication')

/** Signs a publication to a room on another host. Returns the Authorization header of its request. */
export async function signPublication(secret: string, room: string, body: string): Promise<string> {
  const claims = new SignJWT({ room, body: await digest(body) }).setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
  const signed = claims.setJti(crypto.randomUUID()).setIssuedAt().setExpirationTime(`${LIFE} s`)
  return `Bearer ${await signed.sign(await publishKey(secret))}`
}

/**
 * Verifies the Authorization header of a publication; null if it is invalid. Returns the digest that the body must have, so that the body is
 * only read after a valid signature. `nonce` must be stored as used until `until`, in milliseconds.
 */
export async function readSignedPublication(secret: string, authorization: string | null) {
  const [, token = ''] = /^Bearer (\S+)$/.exec(authorization ?? '') ?? []
  try {
    const options = {
      algorithms: [ALGORITHM],
      typ: TYPE,
      requiredClaims: ['exp', 'iat', 'jti'],
      maxTokenAge: LIFE,
      clockTolerance: TOLERANCE,
    }
    const { payload } = await jwtVerify(token, await publishKey(secret), options)
    const { room, body, jti, exp } = PublicationClaims.parse(payload)
    return { room, digest: body, nonce: jti, until: (exp + TOLERANCE) * 1000 }
  } catch {
    return null
  }
}
