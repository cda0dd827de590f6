import { type Context, Hono } from 'hono'
import { say } from '#language'
import { msg } from '#say'
import { AccessKind } from '../../contract/access.ts'
import { ownOnly } from '../auth/checks.ts'
import { authProvider } from '../auth/choose-provider.ts'
import { forgetSession, requireSession, signedIn } from '../auth/guard.ts'
import { refuseTokens } from '../auth/personal-token.ts'
import type { Session } from '../auth/provider.ts'
import { clearCache } from '../auth/shared-device.ts'
import type { AppEnv } from '../context.ts'
import { notFound } from '../http/errors.ts'
import { idParam } from '../http/validate.ts'
import { listAccess, revokeAccess, revokeAllAccess } from '../queries/access.ts'
import { signedOutPage } from './sessions.ts'

const NOT_FOUND = msg`This access was not found`

/** Everything that opens a user's collections, listed and revoked. */
export const access = new Hono<AppEnv>()
  .use(refuseTokens)

  .get('/', signedIn, async (c) => c.json({ success: true, ...(await listAccess(c.var.db, c.var.user.id, c.var.access)) }))

  .delete('/', signedIn, ownOnly, async (c) => {
    const { session, user } = await requireSession(c)
    await revokeAllAccess(c.var.db, user.id)
    const provider = authProvider(c.env)
    const others = provider.account?.endOtherSessions(session) ?? Promise.resolve()
    return c.json({ success: true, ...(await leave(c, session, others)) })
  })

  .delete('/:kind/:id', signedIn, ownOnly, async (c) => {
    const { session, user } = await requireSession(c)
    const kind = AccessKind.safeParse(c.req.param('kind'))
    if (!kind.success) throw notFound(say(NOT_FOUND))
    const id = idParam(c.req.param('id'), say(NOT_FOUND))
    if (!(await revokeAccess(c.var.db, user.id, { kind: kind.data, id }))) throw notFound(say(NOT_FOUND))
    const left = kind.data === 'session' && id === session.id ? await leave(c, session) : {}
    return c.json({ success: true, ...left })
  })

/** This browser has been signed out. At the service its session ends after the others. */
function leave(c: Context<AppEnv>, session: Session, others: Promise<void> = Promise.resolve()): Promise<{ url?: string }> {
  forgetSession(c, session)
  clearCache(c)
  return signedOutPage(
    c,
    others.then(() => authProvider(c.env).signOut(session)),
  )
}
