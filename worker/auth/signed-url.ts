import { createMiddleware } from 'hono/factory'
import { jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import { t } from '#say'
import { deriveKey } from '../../party/keys.ts'
import type { AppEnv } from '../context.ts'
import type { Env } from '../env.ts'
import { AppError } from '../http/errors.ts'
import { setAccess } from './guard.ts'
import { signedInOrGuest } from './guest.ts'

const ALGORITHM = 'HS256'
const HOUR = 60 * 60
const signatureKey = ({ LIVE_KEY }: Pick<Env, 'LIVE_KEY'>) => deriveKey(LIVE_KEY, 'cairn picture pass')

export interface Bearer {
  userId: string
  /** Id of the session or access token. */
  access: string
}

/**
 * Signs a path for one to two hours: the signature permits a GET of it as this user, for an image service that has no session. It is the same
 * within each hour, so that the service can cache the URL. The user's permissions are checked on every request, and that the session or access
 * token for which it was signed has not been revoked.
 */
export async function signPath(env: Pick<Env, 'LIVE_KEY'>, { userId, access }: Bearer, path: string): Promise<string> {
  const hour = Math.floor(Date.now() / 1000 / HOUR) * HOUR
  const signature = new SignJWT({ path, access })
    .setProtectedHeader({ alg: ALGORITHM })
    .setSubject(userId)
    .setExpirationTime(hour + 2 * HOUR)
  return signature.sign(await signatureKey(env))
}

/** As `signedInOrGuest`, but also accepts the signature of exactly this path in the query parameter `pass`. */
export const signedInOrSignedUrl = createMiddleware<AppEnv>(async (c, next) => {
  const signature = c.req.query('pass')
  if (signature === undefined) return signedInOrGuest(c, next)
  const found = await readSignature(c.env, signature)
  if (!found || found.path !== c.req.path || c.req.method !== 'GET')
    throw new AppError('unauthenticated', t`This address is no longer good. Ask for the picture again`)
  c.set('user', { id: found.userId, email: '', emailVerified: false })
  setAccess(c, found.access)
  await next()
})

async function readSignature(env: Pick<Env, 'LIVE_KEY'>, signature: string): Promise<(Bearer & { path: unknown }) | null> {
  try {
    const { payload } = await jwtVerify(signature, await signatureKey(env), { algorithms: [ALGORITHM], requiredClaims: ['exp', 'sub'] })
    return { userId: payload.sub ?? '', path: payload.path, access: z.uuid().parse(payload.access) }
  } catch {
    return null
  }
}
