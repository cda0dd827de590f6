import { type Context, Hono } from 'hono'
import { say } from '#language'
import { t } from '#say'
import { readVerification, VerifyEmail } from '../../contract/mailed-links.ts'
import { anyone, ownOnly } from '../auth/checks.ts'
import { authProvider } from '../auth/choose-provider.ts'
import { type CurrentSession, currentSession, endSession, renewedSession, requireSession, userOf } from '../auth/guard.ts'
import { rememberDevice } from '../auth/known-device.ts'
import { refuseTokens } from '../auth/personal-token.ts'
import type { Session } from '../auth/provider.ts'
import type { AppEnv } from '../context.ts'
import { AppError, fieldError, isAccessEnded } from '../http/errors.ts'
import { body, query } from '../http/validate.ts'
import { checkAccess } from '../queries/access.ts'
import { forgetAttempts } from '../queries/rate-limits.ts'
import { ensureUser } from '../services/accounts/ensure-user.ts'
import { openMailedLink, voidResetLinks } from '../services/accounts/mailed-link.ts'
import { LINK_VOID, withPasswords } from './auth.ts'
import { agentOf, limit, limitSignIn, mailCaller, storeAddress, verificationAsked } from './sessions.ts'

/** Confirming an e-mail address by the link in a mail: in the session that asked for it, or with the password. */
export const verification = new Hono<AppEnv>()
  .use(refuseTokens)

  .post('/send-verification', ownOnly, async (c) => {
    const { session, user } = await requireSession(c)
    await limit(c, ['verification'], { user: user.id })
    const asked = await verificationAsked(c, { address: user.email, account: user.email, session: session.id })
    await authProvider(c.env).sendVerification(session, user.email, asked)
    return c.json({ success: true })
  })

  // Programs that read mail open the links in it, so opening one confirms nothing.
  .get('/verify-email', withPasswords, query(readVerification.query), async (c) => {
    const { link, isAskingSession } = await openVerification(c, c.req.valid('query').token)
    return c.json({ success: true, address: link.address, account: link.account, needsPassword: !isAskingSession })
  })

  .post('/verify-email', withPasswords, anyone, body(VerifyEmail), async (c) => {
    const { token, password } = c.req.valid('json')
    const { own, link, use, db, current, isAskingSession } = await openVerification(c, token)
    const provider = authProvider(c.env)
    const byPassword = isAskingSession ? null : await checkPassword(c, link.account, password)
    try {
      if (!(await provider.verifyEmail(own))) throw new AppError('gone', say(LINK_VOID))
      await use()
      if (link.address !== link.account) await voidResetLinks(db, link.account)
      // The browser's token still has the address as it was. If this fails, the next refresh updates it.
      if (current && (isAskingSession || current.user.email === link.account)) await storeRenewedAddress(c).catch(() => null)
      else if (byPassword) await storeAddressFrom(c, db, byPassword).catch(() => null)
    } finally {
      // This session was only begun to check the password; no browser has it.
      if (byPassword) c.executionCtx.waitUntil(provider.signOut(byPassword).catch(() => undefined))
    }
    await rememberDevice(c, link.address)
    return c.json({ success: true })
  })

/** Opens a link, and tells whether this browser's session asked for it. `db` works even if that session has ended. */
async function openVerification(c: Context<AppEnv>, token: string) {
  const { db } = c.var
  await limit(c, ['openLink'])
  const opened = await openMailedLink(mailCaller(c), 'verification', token)
  if (!opened) throw new AppError('gone', say(LINK_VOID))
  const current = await standingSession(c)
  return { ...opened, db, current, isAskingSession: current?.session.id === opened.link.session }
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

/** Returns a session begun to check the password; null if it is right, but the service begins none until the address is confirmed. Throws if it is wrong or missing. */
async function checkPassword(c: Context<AppEnv>, account: string, password: string | undefined): Promise<Session | null> {
  if (password === undefined) {
    const message = t`Enter the password of ${account}, or open the link in the browser in which you asked for it`
    throw fieldError('forbidden', 'password', message)
  }
  const attempts = await limitSignIn(c, account)
  const session = await authProvider(c.env).signIn(account, password, agentOf(c))
  if (!session) throw fieldError('invalid', 'password', t`The password is wrong`)
  c.executionCtx.waitUntil(forgetAttempts(c.var.db, attempts))
  return session === 'unconfirmed' ? null : session
}

async function storeRenewedAddress(c: Context<AppEnv>): Promise<void> {
  const renewed = await renewedSession(c)
  if (renewed) await storeAddress(c, renewed)
}

/** Stores the confirmed address, read from the session that was begun to check the password. */
async function storeAddressFrom(c: Context<AppEnv>, db: AppEnv['Variables']['db'], session: Session): Promise<void> {
  const provider = authProvider(c.env)
  const renewed = await provider.refresh(session)
  const claims = renewed && (await provider.verify(renewed))
  if (!claims) return
  const { user, name } = userOf(claims)
  await ensureUser({ ...mailCaller(c), db }, { ...user, name })
}
