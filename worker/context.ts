import type { SessionUser } from '../contract/auth.ts'
import type { Db } from './db/client.ts'
import type { Env } from './env.ts'

/** What every route can rely on. `user` is there behind the `signedIn` guard. */
export interface AppEnv {
  Bindings: Env
  Variables: { db: Db; user: SessionUser; requestId: string }
}
