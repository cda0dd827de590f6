import { jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import { digest } from '../contract/bytes.ts'
import { RoomName } from '../contract/live.ts'
import { deriveKey } from './keys.ts'

const ALGORITHM = 'HS256'
const TYPE = 'publication+jwt'
/** Seconds in which a publication must have arrived. */
const LIFE = 30
/** Seconds that two clocks may differ. */
const TOLERANCE = 5

/** What is vouched for: this body, for this room, once. `exp` in seconds since 1970. */
const PublicationClaims = z.object({ room: RoomName, body: z.string(), jti: z.uuid(), exp: z.number() })

const publishKey = (secret: string) => deriveKey(secret, 'cairn publication')

/** Vouches for a publication on its way to rooms on another platform: the `Authorization` of its request. */
export async function signPublication(secret: string, room: string, body: string): Promise<string> {
  const claims = new SignJWT({ room, body: await digest(body) }).setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
  const signed = claims.setJti(crypto.randomUUID()).setIssuedAt().setExpirationTime(`${LIFE} s`)
  return `Bearer ${await signed.sign(await publishKey(secret))}`
}

/**
 * Reads what was vouched for, null where nobody of ours did. Of the body only the digest is known here: it is not read for strangers.
 * `until` is when the signature expires, in milliseconds: it must be remembered as used until then.
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
