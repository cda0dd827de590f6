import { t } from '#say'
import { Moment } from './dates.ts'
import { endpoint, Success } from './endpoint.ts'
import { Id, NewId } from './ids.ts'
import { LIMITS } from './limits.ts'
import { line } from './text.ts'
import { NAME } from './text-words.ts'
import { oneOf, z } from './zod.ts'

/** `read` permits GET, `write` all methods, both within the roles of the user. */
export const TokenScope = oneOf(['read', 'write'])
export type TokenScope = z.infer<typeof TokenScope>

/** Prefix of all tokens, so that people and secret scanners recognise them. */
export const TOKEN_PREFIX = 'cairn_'

/** A personal access token, without its secret. `last_used_at` is exact to a minute. */
export const Token = z.object({
  id: Id,
  name: z.string(),
  scope: TokenScope,
  /** The only collection that it opens; null for all of the user's. */
  collection: z.object({ id: Id, name: z.string() }).nullable(),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
  expires_at: z.string().nullable(),
})
export type Token = z.infer<typeof Token>

export const NewToken = z.strictObject({
  id: NewId.optional(),
  name: line(LIMITS.tokenName, NAME),
  scope: TokenScope,
  /** The only collection that the token opens, until it is deleted; all of the user's without one. */
  collectionId: Id.nullable().optional(),
  /** After LIMITS.tokenDays by default; null for no end. */
  expiresAt: Moment.refine((moment) => Date.parse(moment) > Date.now(), { error: () => t`Choose a time in the future` })
    .nullable()
    .optional(),
})
export type NewToken = z.infer<typeof NewToken>

export const listTokens = endpoint({
  method: 'GET',
  path: '/api/users/tokens',
  summary: 'Your access tokens',
  sessionOnly: true,
  response: Success.extend({ tokens: z.array(Token) }),
})
/** `secret` is returned only once. A repeated call with the same id returns the token without it. */
export const createToken = endpoint({
  method: 'POST',
  path: '/api/users/tokens',
  summary: 'Create an access token, for all your collections or for one',
  sessionOnly: true,
  creates: true,
  body: NewToken,
  response: Success.extend({ token: Token, secret: z.string().optional() }),
})
export const deleteToken = endpoint({
  method: 'DELETE',
  path: '/api/users/tokens/{id}',
  summary: 'Revoke an access token',
  sessionOnly: true,
  response: Success,
})
