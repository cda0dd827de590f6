import { type Context, Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { say } from '#language'
import { msg, t } from '#say'
import { type SessionUser, SignIn, SignUp } from '../../contract/auth.ts'
import { spacedName } from '../../contract/full-name.ts'
import { GUARD } from '../../contract/guard.ts'
import { newId } from '../../contract/ids.ts'
import { ForgotPassword, ResetPassword } from '../../contract/mailed-links.ts'
import type { Profile } from '../../contract/users.ts'
import { anyone } from '../auth/checks.ts'
import { authProvider } from '../auth/choose-provider.ts'
import {
  type CurrentSession,
  currentSession,
  endSession,
  renewedSession,
  required,
  storeAuthenticatedSession,
  userOf,
} from '../auth/guard.ts'
import { knownDevice, rememberDevice } from '../auth/known-device.ts'
import { openDatabase } from '../auth/open-database.ts'
import { refuseTokens } from '../auth/personal-token.ts'
import type { Session } from '../auth/provider.ts'
import { clearCache, separateCaches } from '../auth/shared-device.ts'
import { signInUnavailable } from '../auth/upstream.ts'
import type { AppEnv } from '../context.ts'
import { AppError, fieldError, isAccessEnded } from '../http/errors.ts'
import { chosenLanguage, preferredLanguage } from '../http/preferred-language.ts'
import { body } from '../http/validate.ts'
import { checkAccess } from '../queries/access.ts'
import { findProfile } from '../queries/users.ts'
import { ensureUser, ensureUserAtSignIn } from '../services/accounts/ensure-user.ts'
import { refuseGuessable } from '../services/accounts/guessable-password.ts'
import { type LimitedAction, limitAttempts } from '../services/accounts/limit-attempts.ts'
import { type MailCaller, newMailedLink } from '../services/accounts/mailed-link.ts'
import { register } from '../services/accounts/register.ts'
import { requestReset, requestResetQuietly, resetPassword } from '../services/accounts/reset-password.ts'

/** Milliseconds that a sign-out waits for the service. The cookies are cleared in any case. */
const SIGN_OUT_TIMEOUT = 1_500

/** The message for a link in a mail that no longer works. */
export const LINK_VOID = msg`This link has expired, been used, or been replaced by a newer one. Ask for a new one`

/** For calls about passwords and the links that the sign-in service mails. Some services look after these on pages of their own. */
export const withPasswords = createMiddleware<AppEnv>(async (c, next) => {
  if (!authProvider(c.env).features.password)
    throw new AppError('not_found', t`There are no passwords here. Sign in with your sign-in service`)
  await next()
})

export const auth = new Hono<AppEnv>()
  .use(refuseTokens)
  .get('/config', (c) => c.json({ success: true, features: authProvider(c.env).features, guard: GUARD }))

  .post('/sign-up', withPasswords, anyone, body(SignUp), async (c) => {
    const { email, password, firstName, lastName } = c.req.valid('json')
    await refuseGuessable(password, { email, field: 'password' })
    // Registering with a known address checks its password, so it counts as an attempt to sign in, too.
    const attempts = await limitSignIn(c, email, ['signUp'])
    const name = spacedName(firstName, lastName) || email
    const [id, agent] = [newId(), agentOf(c)]
    const link = await newMailedLink(mailCaller(c), {
      kind: 'verification',
      address: email,
      account: email,
      session: id,
      agent: agent ?? null,
    })
    const session = await register(
      authProvider(c.env),
      { email, password, name, agent, asked: link.asked },
      {
        confirmation: () => link.store({ keepLive: true }),
        reset: () => c.executionCtx.waitUntil(requestResetQuietly(mailCaller(c), email, agent ?? null)),
      },
    )
    if (!session) return c.json({ success: true, verify: true }, 201)
    return c.json({ success: true, user: await beginHere(c, session, { id, firstName, lastName, attempts }) }, 201)
  })

  .post('/sign-in', withPasswords, anyone, body(SignIn), async (c) => {
    const { email, password } = c.req.valid('json')
    const attempts = await limitSignIn(c, email)
    const session = await authProvider(c.env).signIn(email, password, agentOf(c))
    if (!session) throw new AppError('unauthenticated', t`E-mail or password is wrong`)
    if (session === 'unconfirmed') {
      await limit(c, ['verification'], { email })
      // There is no session, so confirming takes the password.
      const asked = await verificationAsked(c, { address: email, account: email, session: newId() })
      await authProvider(c.env).sendVerification(null, email, asked)
      throw new AppError('forbidden', t`Confirm your e-mail address first. We sent a link to ${email}`)
    }
    return c.json({ success: true, user: await beginHere(c, session, { attempts }) })
  })

  .post('/sign-out', anyone, async (c) => {
    const session = await endSession(c)
    clearCache(c)
    if (!session) return c.json({ success: true })
    return c.json({ success: true, ...(await signedOutPage(c, authProvider(c.env).signOut(session))) })
  })

  .get('/session', async (c) => {
    const { session, profile } = await answerSession(c, await currentSession(c))
    return c.json({ success: true, ...session, profile })
  })

  .post('/refresh', anyone, async (c) => {
    const { session } = required(await renewedSession(c))
    await checkAccess(c.var.db)
    return c.json({ success: true, expiresAt: moment(session) })
  })

  .post('/forgot-password', withPasswords, anyone, body(ForgotPassword), async (c) => {
    const { email } = c.req.valid('json')
    await limit(c, ['reset'], { email })
    await requestReset(mailCaller(c), email, agentOf(c) ?? null)
    return c.json({ success: true })
  })

  .post('/reset-password', withPasswords, anyone, body(ResetPassword), async (c) => {
    const { token, newPassword } = c.req.valid('json')
    await limit(c, ['openLink'])
    const address = await resetPassword(mailCaller(c), { token, newPassword, agent: agentOf(c) ?? null })
    if (address === null) throw fieldError('invalid', 'token', say(LINK_VOID))
    await rememberDevice(c, address)
    return c.json({ success: true })
  })

/** What the browser is told about its session. `stored` is the row of the user, if it has been read already. */
export async function answerSession(c: Context<AppEnv>, current: CurrentSession | null, stored?: Profile | null) {
  const known = current && (await knownPerson(c, current, stored).catch(ifSignedOut))
  // The account was deleted, or the session ended, in another browser.
  if (current && !known) await endSession(c)
  await separateCaches(c, known?.user.id ?? null)
  if (!known) return { session: { user: null, expiresAt: null }, profile: undefined }
  const { profile } = known
  const user: SessionUser = { ...known.user, firstName: profile.firstName, lastName: profile.lastName }
  return { session: { user, expiresAt: moment(known.session) }, profile }
}

/**
 * The session with the user's profile. If the address in the token differs from the row, a renewed token decides, because this one may be
 * older than a change of address in another browser. A user who lost their address to another account gets it back only by signing in.
 */
async function knownPerson(
  c: Context<AppEnv>,
  current: CurrentSession,
  read?: Profile | null,
): Promise<(CurrentSession & { profile: Profile }) | null> {
  const stored = read === undefined ? await findProfile(c.var.db, current.user.id) : read
  const moved = stored !== null && stored.email !== current.user.email && !stored.email.endsWith('@moved.invalid')
  const now = moved ? await renewedSession(c) : current
  const known = now && (stored === null || (moved && now.user.emailVerified) ? await storeAddress(c, now) : stored)
  return now && known && { ...now, profile: known }
}

/** Stores the address in the token. A new one ends other sessions, whose rooms must hear of it although the call is a GET. */
export function storeAddress(c: Context<AppEnv>, { user, name, session }: CurrentSession): Promise<Profile | null> {
  const db = openDatabase(c, { access: c.var.access, writes: true })
  return ensureUser({ ...mailCaller(c), db }, { ...user, name, session: { id: session.id } })
}

export function ifSignedOut(error: unknown): null {
  if (isAccessEnded(error)) return null
  throw error
}

interface Beginning {
  /** Of the session; a new one by default. */
  id?: string
  firstName?: string | undefined
  lastName?: string | undefined
  /** Keys of attempts to forget, because this one succeeded. */
  attempts?: string[]
}

/**
 * The page where the service ends its own session too, if it has one and answers in time. `signedOut` is the end of the app's session there,
 * which may come after the answer.
 */
export async function signedOutPage(c: Context<AppEnv>, signedOut: Promise<string | undefined>): Promise<{ url?: string }> {
  const page = signedOut.catch((error: unknown) =>
    console.warn(JSON.stringify({ level: 'warn', request: c.var.requestId, error: String(error) })),
  )
  c.executionCtx.waitUntil(page)
  const url = await Promise.race([page, new Promise<undefined>((resolve) => setTimeout(resolve, SIGN_OUT_TIMEOUT))])
  return url ? { url } : {}
}

/** Begins a session: ensures that the user has a row, and sets the cookies. */
export async function beginSession(
  c: Context<AppEnv>,
  session: Session,
  { id = newId(), attempts = [], ...names }: Beginning = {},
): Promise<SessionUser> {
  const claims = await authProvider(c.env).verify(session)
  if (!claims) throw signInUnavailable(new Error('It signed a token that does not fit AUTH_ISSUER and AUTH_AUDIENCE'))
  const { user, name } = userOf(claims)
  const language = preferredLanguage(c.req.header('accept-language'))
  const person = { ...user, name, language, displayLanguage: chosenLanguage(c), session: { id, agent: agentOf(c) ?? null } }
  // The callback of OpenID Connect is a GET.
  const db = openDatabase(c, { access: c.var.access, writes: true })
  const { firstName, lastName } = await ensureUserAtSignIn({ ...mailCaller(c), db }, person, { names, forget: attempts })
  await storeAuthenticatedSession(c, { ...session, id })
  return { ...user, firstName, lastName }
}

/** The same after a password: strangers cannot use up this device's attempts from now on. */
async function beginHere(c: Context<AppEnv>, session: Session, beginning: Beginning): Promise<SessionUser> {
  const user = await beginSession(c, session, beginning)
  await rememberDevice(c, user.email)
  return user
}

/** The sealed part of a link that asks to confirm an address, which makes older ones of the account void. */
export async function verificationAsked(c: Context<AppEnv>, asked: { address: string; account: string; session: string }): Promise<string> {
  const link = await newMailedLink(mailCaller(c), { kind: 'verification', ...asked, agent: agentOf(c) ?? null })
  await link.store()
  return link.asked
}

export function mailCaller(c: Context<AppEnv>): MailCaller {
  return { env: c.env, db: c.var.db, later: (work) => c.executionCtx.waitUntil(work) }
}

/** The User-Agent, at most 300 characters. */
export function agentOf(c: Context<AppEnv>): string | undefined {
  return c.req.header('user-agent')?.slice(0, 300)
}

/** Counts an attempt for the caller's network address, and for the e-mail address and the user if given. */
export async function limit(c: Context<AppEnv>, actions: LimitedAction[], about: { email?: string; user?: string } = {}): Promise<void> {
  await limitAttempts(c.var.db, { actions, address: networkAddress(c), ...about, factor: c.env.RATE_LIMIT_FACTOR })
}

/** Counts an attempt to enter the password of this address. Returns the keys to forget if it succeeds. */
export async function limitSignIn(c: Context<AppEnv>, email: string, also: LimitedAction[] = []): Promise<string[]> {
  const device = await knownDevice(c, email)
  const actions: LimitedAction[] = [device ? 'knownSignIn' : 'signIn', ...also]
  return limitAttempts(c.var.db, { actions, address: networkAddress(c), email, device, factor: c.env.RATE_LIMIT_FACTOR })
}

const networkAddress = (c: Context<AppEnv>) => c.req.header('cf-connecting-ip')

function moment(session: Session): string {
  return new Date(session.expiresAt).toISOString()
}
