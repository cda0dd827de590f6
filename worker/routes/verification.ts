import { type Context, Hono } from 'hono'
import { readVerification, VerifyEmail } from '../../contract/auth.ts'
import { anyone, ownOnly } from '../auth/checks.ts'
import { authProvider } from '../auth/choose-provider.ts'
import { type CurrentSession, currentSession, renewedSession, requireSession, userOf } from '../auth/guard.ts'
import { refuseTokens } from '../auth/personal-token.ts'
import type { Session } from '../auth/provider.ts'
import type { AppEnv } from '../context.ts'
import { AppError, isAccessEnded } from '../http/errors.ts'
import { body, query } from '../http/validate.ts'
import { checkAccess } from '../queries/access.ts'
import { ensureUser } from '../services/accounts/ensure-user.ts'
import { newMailedLink, openMailedLink } from '../services/accounts/mailed-link.ts'
import { agentOf, limit, limitSignIn, mailCaller, tellAddress, VOID, withPasswords } from './auth.ts'

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
    const asked = { kind: 'verification', address: user.email, account: user.email, session: session.id } as const
    const link = await newMailedLink(mailCaller(c), { ...asked, agent: agentOf(c) ?? null })
    await link.store()
    await authProvider(c.env).sendVerification(session, user.email, link.asked)
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
    const byPassword = isAsking ? null : await checkPassword(c, link.account, password)
    if (!(await authProvider(c.env).verifyEmail(own))) throw new AppError('gone', VOID)
    await use()
    // The browser's token still has the address as it was. If this fails, the next refresh updates it.
    if (current && (isAsking || current.user.email === link.account)) await tellRenewed(c).catch(() => null)
    else if (byPassword) await tellAndEnd(c, db, byPassword).catch(() => null)
    return c.json({ success: true })
  })

/** Opens a link, and tells whether this browser's session asked for it. `db` is not in the name of a session. */
async function openVerification(c: Context<AppEnv>, token: string) {
  const { db } = c.var
  await limit(c, ['verification'])
  const opened = await openMailedLink(mailCaller(c), 'verification', token)
  if (!opened) throw new AppError('gone', VOID)
  const current = await standingSession(c)
  return { ...opened, db, current, isAsking: current?.session.id === opened.link.session }
}

/** The session of this browser, or null if there is none or it has ended. */
async function standingSession(c: Context<AppEnv>): Promise<CurrentSession | null> {
  const current = await currentSession(c)
  try {
    if (current) await checkAccess(c.var.db)
    return current
  } catch (error) {
    if (isAccessEnded(error)) return null
    throw error
  }
}

/** Null if the password is right, but the service begins no session before the address is confirmed. */
async function checkPassword(c: Context<AppEnv>, account: string, password: string | undefined): Promise<Session | null> {
  if (password === undefined) {
    const message = `Enter the password of ${account}, or open the link in the browser in which you asked for it`
    throw new AppError('forbidden', message, { fields: { password: message } })
  }
  await limitSignIn(c, account)
  try {
    const session = await authProvider(c.env).signIn(account, password, agentOf(c))
    if (session) return session
  } catch (error) {
    if (error instanceof AppError && error.code === 'forbidden') return null
    throw error
  }
  throw new AppError('invalid', 'The password is wrong', { fields: { password: 'The password is wrong' } })
}

async function tellRenewed(c: Context<AppEnv>): Promise<void> {
  const renewed = await renewedSession(c)
  if (renewed) await tellAddress(c, renewed)
}

/** Stores the confirmed address, and ends the session that checked the password: nobody has signed in. */
async function tellAndEnd(c: Context<AppEnv>, db: AppEnv['Variables']['db'], session: Session): Promise<void> {
  const provider = authProvider(c.env)
  const renewed = await provider.refresh(session)
  const claims = renewed && (await provider.verify(renewed))
  if (claims) {
    const { user, name } = userOf(claims)
    await ensureUser(db, { ...user, name })
  }
  await provider.signOut(session)
}
