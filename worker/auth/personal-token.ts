import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { say } from '#language'
import { msg, t } from '#say'
import { TOKEN_PREFIX } from '../../contract/tokens.ts'
import type { AppEnv } from '../context.ts'
import { AppError, fieldError, forbidden } from '../http/errors.ts'
import { findBearer, type TokenBearer } from '../queries/tokens.ts'
import { hashSecret } from './secret.ts'

const SAFE = new Set(['GET', 'HEAD'])
const BEARER = new RegExp(`^Bearer +(${TOKEN_PREFIX}[\\w-]{43})$`, 'i')

/**
 * Calls that a token for one collection may make. Calls of other paths are refused, new ones too. The SQL of these shows and changes only that
 * collection (`memberships`, queries/permissions.ts). Answering an invitation is left out, because it makes a member, and so is copying, which makes items
 * that are in no collection.
 */
const IN_ONE_COLLECTION = [
  /^(GET|HEAD) \/api\/collections$/,
  /^[A-Z]+ \/api\/collections\/[\da-f-]{36}(?!\/invites\/(accept|decline)$)(\/|$)/i,
  /^[A-Z]+ \/api\/(post|asset|comments)(?!\/[^/]+\/copy$)(\/|$)/,
  /^[A-Z]+ \/(api\/undo|_image)\//,
  /^POST \/api\/live\/ticket$/,
]
const ONE_COLLECTION = msg`This access token is for one collection, and this call reaches beyond it. Use a token for all your collections`

/** True if the request has an Authorization header. Its cookies are then ignored, even if the token is invalid. */
export function hasAuthorization(c: Context<AppEnv>): boolean {
  return c.req.raw.headers.has('authorization')
}

/**
 * The owner, id, scope and collection of the access token in Authorization. Throws 401 if it is invalid or expired, 403 if its scope does not permit the
 * method, or it is for one collection and the call is not.
 */
export async function requireBearer(
  c: Context<AppEnv>,
): Promise<{ user: AppEnv['Variables']['user'] } & Pick<TokenBearer, 'tokenId' | 'scope' | 'collectionId'>> {
  const secret = c.req.header('authorization')?.match(BEARER)?.[1]
  const bearer = secret && (await findBearer(c.var.db, await hashSecret(secret)))
  if (!bearer) throw new AppError('unauthenticated', t`This access token is not known, or no longer good. Make a new one`)
  const { scope, tokenId, collectionId, ...user } = bearer
  if (scope === 'read' && !SAFE.has(c.req.method)) throw forbidden(t`This access token may only read`)
  if (collectionId && !IN_ONE_COLLECTION.some((call) => call.test(`${c.req.method} ${c.req.path}`))) throw forbidden(say(ONE_COLLECTION))
  return { user, tokenId, scope, collectionId }
}

/** Throws 403 if a token for one collection would add an item that is in none. Other collections are not found. */
export function requireCollection({ onlyCollection }: AppEnv['Variables'], collectionIds: readonly string[] = []): void {
  if (!onlyCollection || collectionIds.length > 0) return
  const message = t`This access token is for one collection. Add to it: send "collectionIds": ["${{ id: onlyCollection }}"]`
  throw fieldError('forbidden', 'collectionIds', message)
}

/** Throws 403 for a token for one collection. */
export function refuseOneCollection({ onlyCollection }: AppEnv['Variables']): void {
  if (onlyCollection) throw forbidden(say(ONE_COLLECTION))
}

/** Refuses access tokens, for calls about sign-in, the account and access tokens themselves. */
export const refuseTokens = createMiddleware<AppEnv>(async (c, next) => {
  if (hasAuthorization(c)) throw forbidden(t`This call takes no access token. Sign in to the app for it`)
  await next()
})
