import type { SessionUser } from '../contract/auth.ts'
import type { Db } from './db/client.ts'
import type { Env } from './env.ts'

/** Context of every route. `user` is only set behind the `signedIn` guard. */
export interface AppEnv {
  Bindings: Env
  Variables: { db: Db; user: SessionUser; requestId: string }
}
