import type { TokenScope } from '../../contract/tokens.ts'
import { type Answer, type CallOptions, Client } from '../../dev/http-client.ts'
import type { Actor } from './world.ts'

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

/** A script with a token of this user. */
export async function scriptOf(actor: Actor, scope: TokenScope): Promise<TokenClient> {
  const { status, body } = await actor.post('/api/users/tokens', { name: `${scope} script`, scope })
  if (status !== 201) throw new Error(`The token could not be made: ${status} ${JSON.stringify(body)}`)
  return new TokenClient(actor.origin, body.secret)
}
