import { plural, t } from '#say'
import { newId } from '../../../contract/ids.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { type NewToken, TOKEN_PREFIX, type Token } from '../../../contract/tokens.ts'
import { hashSecret, newSecret } from '../../auth/secret.ts'
import type { AppEnv } from '../../context.ts'
import { unknownIds } from '../../http/access.ts'
import { AppError } from '../../http/errors.ts'
import { insertToken } from '../../queries/tokens.ts'

const DAY = 24 * 60 * 60_000

type Caller = Pick<AppEnv['Variables'], 'db' | 'user'>

/** Makes a token for the caller, whose address must be confirmed. `secret` is only returned by the call that made it. */
export async function makeToken({ db, user }: Caller, input: NewToken): Promise<{ token: Token; secret?: string }> {
  const secret = TOKEN_PREFIX + newSecret()
  const collectionId = input.collectionId ?? null
  const { made, full, seen, token } = await insertToken(db, user.id, {
    id: input.id ?? newId(),
    name: input.name,
    scope: input.scope,
    collectionId,
    hash: await hashSecret(secret),
    verifiedEmail: user.email,
    expiresAt: input.expiresAt === undefined ? new Date(Date.now() + LIMITS.tokenDays * DAY).toISOString() : input.expiresAt,
  })
  if (token) return made ? { token, secret } : { token }
  if (collectionId && !seen) throw unknownIds((ids) => t`Collection not found: ${ids}`, 'collectionId', [collectionId])
  if (full)
    throw new AppError(
      'conflict',
      t`You have ${plural({ count: LIMITS.tokensPerUser }, { one: '# access token', other: '# access tokens' })}. Revoke one that you no longer need`,
    )
  throw new AppError('conflict', t`This id is taken. Send another one`)
}
