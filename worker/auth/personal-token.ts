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
  return base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** A new token: a secret behind the prefix. */
export function newTokenSecret(): string {
  return TOKEN_PREFIX + newSecret()
}

/** What is stored of it, SHA-256 in hex. Not a slow hash: there is nothing to guess. */
export function hashToken(secret: string): Promise<string> {
  return digest(secret)
}

/** Whether the request names its caller itself. Its cookies then count for nothing, whether the name is good or not. */
export function hasAuthorization(c: Context<AppEnv>): boolean {
  return c.req.raw.headers.has('authorization')
}

/** The person behind the token in Authorization. 401 where it is not, or no longer, good; 403 where its scope is too small. */
export async function requireBearer(c: Context<AppEnv>): Promise<AppEnv['Variables']['user']> {
  const secret = c.req.header('authorization')?.match(BEARER)?.[1]
  const bearer = secret && (await findBearer(c.var.db, await hashToken(secret)))
  if (!bearer) throw new AppError('unauthenticated', 'This access token is not known, or no longer good. Make a new one')
  const { scope, ...user } = bearer
  if (scope === 'read' && !SAFE.has(c.req.method)) throw forbidden('This access token may only read')
  return user
}

/** For what only a person at the app may do: sign in and out, change the account, make and revoke tokens. */
export const refuseTokens = createMiddleware<AppEnv>(async (c, next) => {
  if (hasAuthorization(c)) throw forbidden('This call takes no access token. Sign in to the app for it')
  await next()
})
