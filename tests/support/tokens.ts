import { createHash, randomBytes } from 'node:crypto'
import { newId } from '../../contract/ids.ts'
import { TOKEN_PREFIX, type TokenScope } from '../../contract/tokens.ts'
import { type Answer, type CallOptions, Client } from '../../dev/http-client.ts'
import type { Actor, World } from './world.ts'

/** A script, which authenticates with a token. */
export class TokenClient extends Client {
  readonly secret: string
  /** Method of the last call. */
  method = ''

  constructor(origin: string, secret: string) {
    super(origin)
    this.secret = secret
  }

  override call(method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<Answer> {
    this.method = method
    return super.call(method, path, body, { ...options, headers: { ...options.headers, authorization: `Bearer ${this.secret}` } })
  }
}

/** A script with a token of this user, for all of their collections or for one. */
export async function scriptOf(actor: Actor, scope: TokenScope, collectionId: string | null = null, id?: string): Promise<TokenClient> {
  const { status, body } = await actor.post('/api/users/tokens', { id, name: `${scope} script`, scope, collectionId })
  if (status !== 201) throw new Error(`The token could not be made: ${status} ${JSON.stringify(body)}`)
  return new TokenClient(actor.origin, body.secret)
}

/** As `scriptOf`, but written straight into the database, for more tokens than a user may have. */
export async function scriptRow({ sql, as, origin }: World, name: string, collectionId: string): Promise<TokenClient> {
  const { id, email } = as(name)
  const secret = TOKEN_PREFIX + randomBytes(32).toString('base64url')
  const hash = createHash('sha256').update(secret).digest('hex')
  await sql`insert into tokens (id, user_id, collection_id, name, scope, hash, verified_email)
    values (${newId()}, ${id}, ${collectionId}, 'T', 'write', ${hash}, ${email})`
  return new TokenClient(origin, secret)
}
