import { type Context, Hono } from 'hono'
import { readVerification, VerifyEmail } from '../../contract/auth.ts'
import { anyone, ownOnly } from '../auth/checks.ts'
import { authProvider } from '../auth/choose-provider.ts'
import { type CurrentSession, currentSession, endSession, renewedSession, requireSession, userOf } from '../auth/guard.ts'
import { rememberDevice } from '../auth/known-device.ts'
import { refuseTokens } from '../auth/personal-token.ts'
import type { Session } from '../auth/provider.ts'
import type { AppEnv } from '../context.ts'
import { AppError, isAccessEnded } from '../http/errors.ts'
import { body, query } from '../http/validate.ts'
import { checkAccess } from '../queries/access.ts'
import { forgetAttempts } from '../queries/rate-limits.ts'
import { ensureUser } from '../services/accounts/ensure-user.ts'
import { openMailedLink, voidResetLinks } from '../services/accounts/mailed-link.ts'
import { agentOf, limit, limitSignIn, mailCaller, tellAddress, VOID, verificationAsked, withPasswords } from './auth.ts'

/** Confirming an e-mail address by the link in a mail: in the session that asked for it, or with the password. */
export const verification = new Hono<AppEnv>()
  .use(refuseTokens)
  .use(async (c, next) => {
    await next()
    c.header('cache-control', 'no-store')
  })

  .post('/send-verification', ownOnly, async (c) => {
    const { session, user } = await requireSession(c)
    await limit(c, ['verification'], undefined, user.id)
    const asked = await verificationAsked(c, { address: user.email, account: user.email, session: session.id })
    await authProvider(c.env).sendVerification(session, user.email, asked)
    return c.json({ success: true })
  })

  // Programs that read mail open the links in it, so opening one confirms nothing.
  .get('/verify-email', withPasswords, query(readVerification.query), async (c) => {
    const { link, isAsking } = await openVerification(c, c.req.valid('query').token)
    return c.json({ success: true, address: link.address, account: link.account, password: !isAsking })
  })

  .post('/verify-email', withPasswords, anyone, body(VerifyEmail), async (c) => {
    const { token, password } = c.req.valid('json')
    const { own, link, use, db, current, isAsking } = await openVerification(c, token)
    const provider = authProvider(c.env)
    const byPassword = isAsking ? null : await checkPassword(c, link.account, password)
    try {
      if (!(await provider.verifyEmail(own))) throw new AppError('gone', VOID)
      await use()
      if (link.address !== link.account) await voidResetLinks(db, link.account)
      // The browser's token still has the address as it was. If this fails, the next refresh updates it.
      if (current && (isAsking || current.user.email === link.account)) await tellRenewed(c).catch(() => null)
      else if (byPassword) await tellFrom(c, db, byPassword).catch(() => null)
    } finally {
      // Nobody has signed in with it.
      if (byPassword) c.executionCtx.waitUntil(provider.signOut(byPassword).catch(() => undefined))
    }
    await rememberDevice(c, link.address)
    return c.json({ success: true })
  })

/** Opens a link, and tells whether this browser's session asked for it. `db` is not in the name of a session. */
async function openVerification(c: Context<AppEnv>, token: string) {
  const { db } = c.var
  await limit(c, ['openLink'])
  const opened = await openMailedLink(mailCaller(c), 'verification', token)
  if (!opened) throw new AppError('gone', VOID)
  const current = await standingSession(c)
  return { ...opened, db, current, isAsking: current?.session.id === opened.link.session }
}

/** The session of this browser, or null if there is none or it has ended. */
async function standingSession(c: Context<AppEnv>): Promise<CurrentSession | null> {
  const { db } = c.var
  const current = await currentSession(c)
  try {
    if (current) await checkAccess(c.var.db)
    return current
  } catch (error) {
    if (!isAccessEnded(error)) throw error
    await endSession(c)
    // From now on nothing is done in the name of that session.
    c.set('db', db)
    return null
  }
}

/** Null if the password is right, but the service begins no session before the address is confirmed. */
async function checkPassword(c: Context<AppEnv>, account: string, password: string | undefined): Promise<Session | null> {
  if (password === undefined) {
    const message = `Enter the password of ${account}, or open the link in the browser in which you asked for it`
    throw new AppError('forbidden', message, { fields: { password: message } })
  }
  const forget = await limitSignIn(c, account)
  const session = await authProvider(c.env).signIn(account, password, agentOf(c))
  if (!session) throw new AppError('invalid', 'The password is wrong', { fields: { password: 'The password is wrong' } })
  c.executionCtx.waitUntil(forgetAttempts(c.var.db, forget))
  return session === 'unconfirmed' ? null : session
}

async function tellRenewed(c: Context<AppEnv>): Promise<void> {
  const renewed = await renewedSession(c)
  if (renewed) await tellAddress(c, renewed)
}

/** Stores the confirmed address, which the service tells the session that checked the password. */
async function tellFrom(c: Context<AppEnv>, db: AppEnv['Variables']['db'], session: Session): Promise<void> {
  const provider = authProvider(c.env)
  const renewed = await provider.refresh(session)
  const claims = renewed && (await provider.verify(renewed))
  if (!claims) return
  const { user, name } = userOf(claims)
  await ensureUser(db, { ...user, name })
}
