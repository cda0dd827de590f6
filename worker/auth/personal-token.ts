import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { digest } from '../../contract/bytes.ts'
import { TOKEN_PREFIX } from '../../contract/tokens.ts'
import type { AppEnv } from '../context.ts'
import { AppError, forbidden } from '../http/errors.ts'
import { findBearer } from '../queries/tokens.ts'

const SAFE = new Set(['GET', 'HEAD'])
const BEARER = new RegExp(`^Bearer +(${TOKEN_PREFIX}[\\w-]{43})$`, 'i')

/** 256 random bits in base64url. */
export function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  const base64 = btoa(String.fromCharCode(...bytes))
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

export function newTokenSecret(): string {
  return TOKEN_PREFIX + newSecret()
}

/** SHA-256 in hex, which is stored in place of the token. Not a slow hash, because 256 random bits cannot be guessed. */
export function hashToken(secret: string): Promise<string> {
  return digest(secret)
}

/** True if the request has an Authorization header. Its cookies are then ignored, even if the token is invalid. */
export function hasAuthorization(c: Context<AppEnv>): boolean {
  return c.req.raw.headers.has('authorization')
}

/** The owner and id of the access token in Authorization. Throws 401 if it is invalid or expired, 403 if its scope does not permit the method. */
export async function requireBearer(c: Context<AppEnv>): Promise<{ user: AppEnv['Variables']['user']; tokenId: string }> {
  const secret = c.req.header('authorization')?.match(BEARER)?.[1]
  const bearer = secret && (await findBearer(c.var.db, await hashToken(secret)))
  if (!bearer) throw new AppError('unauthenticated', 'This access token is not known, or no longer good. Make a new one')
  const { scope, tokenId, ...user } = bearer
  if (scope === 'read' && !SAFE.has(c.req.method)) throw forbidden('This access token may only read')
  return { user, tokenId }
}

/** Refuses access tokens, for calls about sign-in, the account and access tokens themselves. */
export const refuseTokens = createMiddleware<AppEnv>(async (c, next) => {
  if (hasAuthorization(c)) throw forbidden('This call takes no access token. Sign in to the app for it')
  await next()
})
