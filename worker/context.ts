import type { SessionUser } from '../contract/auth.ts'
import type { TokenScope } from '../contract/tokens.ts'
import type { Db } from './db/client.ts'
import type { Env } from './env.ts'
import type { Change } from './queries/changes.ts'

/**
 * Context of every route. `user` and `access` are only set behind the `signedIn` guard, which makes `db` check the access: the id of the
 * session or access token of the request; `link` is that of a guest. `tokenScope` is that of an access token, and `onlyCollection` the one collection to which
 * it, and with it `db`, may be limited. `changeId` is that of CHANGE_HEADER. `written` are the changes that the request has made so far, to be published after its answer.
 */
export interface AppEnv {
  Bindings: Env
  Variables: {
    db: Db
    user: SessionUser
    access: string
    link?: string
    tokenScope?: TokenScope
    onlyCollection?: string
    changeId?: string
    requestId: string
    written: Change[]
  }
}
