import { type Context, Hono } from 'hono'
import { ForgotPassword, ResetPassword, type SessionUser, SignIn, SignUp } from '../../contract/auth.ts'
import { GUARD } from '../../contract/guard.ts'
import { newId } from '../../contract/ids.ts'
import type { Profile } from '../../contract/users.ts'
import { anyone, ownOnly } from '../auth/checks.ts'
import { authProvider } from '../auth/choose-provider.ts'
import {
  type CurrentSession,
  currentSession,
  endSession,
  renewedSession,
  required,
  requireSession,
  storeAuthenticatedSession,
  userOf,
} from '../auth/guard.ts'
import { refuseTokens } from '../auth/personal-token.ts'
import type { Session } from '../auth/provider.ts'
import { clearCache, separateCaches } from '../auth/shared-device.ts'
import type { AppEnv } from '../context.ts'
import { AppError, isAccessEnded, unavailable } from '../http/errors.ts'
import { preferredLanguage } from '../http/preferred-language.ts'
import { body } from '../http/validate.ts'
import { relayChanges } from '../live/change-relay.ts'
import { checkAccess } from '../queries/access.ts'
import { findProfile } from '../queries/users.ts'
import { ensureUser, ensureUserAtSignIn } from '../services/accounts/ensure-user.ts'
import { type LimitedAction, limitAttempts } from '../services/accounts/limit-attempts.ts'
import { register } from '../services/accounts/register.ts'
import { requestReset, resetPassword } from '../services/accounts/reset-password.ts'

/** Milliseconds that a sign-out waits for the service. The cookies are cleared in any case. */
const SIGN_OUT_TIMEOUT = 1_500

export const auth = new Hono<AppEnv>()
  .use(refuseTokens)
  .use(async (c, next) => {
    await next()
    c.header('cache-control', 'no-store')
  })
  .get('/config', (c) => c.json({ success: true, features: authProvider(c.env).features, guard: GUARD }))

  .post('/sign-up', anyone, body(SignUp), async (c) => {
    const { email, password, firstName, lastName } = c.req.valid('json')
    // Registering with a known address checks its password, so it counts as an attempt to sign in, too.
    await limit(c, ['signUp', 'signIn'], email)
    const name = [firstName, lastName].filter(Boolean).join(' ') || email
    const session = await register(authProvider(c.env), { email, password, name, agent: agentOf(c) }, () =>
      c.executionCtx.waitUntil(requestReset({ env: c.env, db: c.var.db }, email).catch(() => {})),
    )
    if (!session) return c.json({ success: true, verify: true }, 201)
    return c.json({ success: true, user: await beginSession(c, session, { firstName, lastName }) }, 201)
  })

  .post('/sign-in', anyone, body(SignIn), async (c) => {
    const { email, password } = c.req.valid('json')
    await limit(c, ['signIn'], email)
    const session = await authProvider(c.env).signIn(email, password, agentOf(c))
    if (!session) throw new AppError('unauthenticated', 'E-mail or password is wrong')
    return c.json({ success: true, user: await beginSession(c, session) })
  })

  .post('/sign-out', anyone, async (c) => {
    const session = await endSession(c)
    clearCache(c)
    if (!session) return c.json({ success: true })
    const signedOut = authProvider(c.env)
      .signOut(session)
      .catch((error: unknown) => console.warn(JSON.stringify({ level: 'warn', request: c.var.requestId, error: String(error) })))
    c.executionCtx.waitUntil(signedOut)
    const url = await Promise.race([signedOut, new Promise<undefined>((resolve) => setTimeout(resolve, SIGN_OUT_TIMEOUT))])
    return c.json({ success: true, ...(url && { url }) })
  })

  .get('/session', async (c) => {
    const current = await currentSession(c)
    const known = current && (await knownPerson(c, current).catch(ifSignedOut))
    // The account was deleted, or the session ended, in another browser.
    if (current && !known) await endSession(c)
    await separateCaches(c, known?.user.id ?? null)
    if (!known) return c.json({ success: true, user: null, expiresAt: null })
    const { firstName, lastName } = known.profile
    return c.json({ success: true, user: { ...known.user, firstName, lastName }, expiresAt: moment(known.session) })
  })

  .post('/refresh', anyone, async (c) => {
    const { session } = required(await renewedSession(c))
    await checkAccess(c.var.db)
    return c.json({ success: true, expiresAt: moment(session) })
  })

  .post('/forgot-password', anyone, body(ForgotPassword), async (c) => {
    const { email } = c.req.valid('json')
    await limit(c, ['reset'], email)
    await requestReset({ env: c.env, db: c.var.db }, email)
    return c.json({ success: true })
  })

  .post('/reset-password', anyone, body(ResetPassword), async (c) => {
    const { token, newPassword } = c.req.valid('json')
    await limit(c, ['reset'])
    if (!(await resetPassword({ env: c.env, db: c.var.db }, token, newPassword))) {
      const message = 'This link has been used or is too old. Ask for a new one'
      throw new AppError('invalid', message, { fields: { token: message } })
    }
    return c.json({ success: true })
  })

  .post('/send-verification', ownOnly, async (c) => {
    const { session, user } = await requireSession(c)
    await limit(c, ['verification'], user.email)
    await authProvider(c.env).sendVerification(session, user.email)
    return c.json({ success: true })
  })

  // Opened from a link in a mail, so it redirects to a page.
  .get('/verify-email', async (c) => {
    const token = c.req.query('token')
    const verified = token ? await authProvider(c.env).verifyEmail(token) : false
    // The browser's token still says that the address is unconfirmed. If this fails, the next refresh updates it.
    const renewed = verified ? await renewedSession(c).catch(() => null) : null
    if (renewed) await tellAddress(c, renewed).catch(() => null)
    return c.redirect(`/collections?verified=${verified ? 1 : 0}`)
  })

/**
 * The session with the user's profile. If the address in the token differs from the row, a renewed token decides, because this one may be
 * older than a change of address in another browser. A user who lost their address to another account gets it back only by signing in.
 */
async function knownPerson(c: Context<AppEnv>, current: CurrentSession): Promise<(CurrentSession & { profile: Profile }) | null> {
  const stored = await findProfile(c.var.db, current.user.id)
  const moved = stored !== null && stored.email !== current.user.email && !stored.email.endsWith('@moved.invalid')
  const now = moved ? await renewedSession(c) : current
  const known = now && (stored === null || (moved && now.user.emailVerified) ? await tellAddress(c, now) : stored)
  return now && known && { ...now, profile: known }
}

/** Stores the address in the token. A new one ends other sessions, whose rooms must hear of it although the call is a GET. */
async function tellAddress(c: Context<AppEnv>, { user, name, session }: CurrentSession): Promise<Profile | null> {
  const profile = await ensureUser(c.var.db, { ...user, name, session: { id: session.id } })
  c.executionCtx.waitUntil(relayChanges(c.env).catch(() => 0))
  return profile
}

function ifSignedOut(error: unknown): null {
  if (isAccessEnded(error)) return null
  throw error
}

type Names = { firstName?: string | undefined; lastName?: string | undefined }

/** Begins a session: ensures that the user has a row, and sets the cookies. */
export async function beginSession(c: Context<AppEnv>, session: Session, names: Names = {}): Promise<SessionUser> {
  const claims = await authProvider(c.env).verify(session)
  if (!claims) throw unavailable('The sign-in service', new Error('It signed a token that does not fit AUTH_ISSUER and AUTH_AUDIENCE'))
  const { user, name } = userOf(claims)
  const language = preferredLanguage(c.req.header('accept-language'))
  const stored = { ...session, id: newId() }
  const person = { ...user, name, language, session: { id: stored.id, agent: agentOf(c) ?? null } }
  const { firstName, lastName } = await ensureUserAtSignIn(c.var.db, person, names)
  await storeAuthenticatedSession(c, stored)
  return { ...user, firstName, lastName }
}

/** The User-Agent, at most 300 characters. */
export function agentOf(c: Context<AppEnv>): string | undefined {
  return c.req.header('user-agent')?.slice(0, 300)
}

/** Counts an attempt for the caller's network address, and for the e-mail address if given. */
export function limit(c: Context<AppEnv>, actions: LimitedAction[], email?: string): Promise<void> {
  const address = c.req.header('cf-connecting-ip')
  return limitAttempts(c.var.db, { actions, address, ...(email && { email }), factor: c.env.RATE_LIMIT_FACTOR })
}

function moment(session: Session): string {
  return new Date(session.expiresAt).toISOString()
}
