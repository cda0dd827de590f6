import type { Context } from 'hono'
import type { SessionUser } from '../../contract/auth.ts'
import { newId } from '../../contract/ids.ts'
import type { Profile } from '../../contract/users.ts'
import { authProvider } from '../auth/choose-provider.ts'
import { type CurrentSession, endSession, renewedSession, storeAuthenticatedSession, userOf } from '../auth/guard.ts'
import { knownDevice, rememberDevice } from '../auth/known-device.ts'
import { openDatabase } from '../auth/open-database.ts'
import type { Session } from '../auth/provider.ts'
import { separateCaches } from '../auth/shared-device.ts'
import { signInUnavailable } from '../auth/upstream.ts'
import type { AppEnv } from '../context.ts'
import { isAccessEnded } from '../http/errors.ts'
import { chosenLanguage, preferredLanguage } from '../http/preferred-language.ts'
import { findProfile } from '../queries/users.ts'
import { ensureUser, ensureUserAtSignIn } from '../services/accounts/ensure-user.ts'
import { type LimitedAction, limitAttempts } from '../services/accounts/limit-attempts.ts'
import { type MailCaller, newMailedLink } from '../services/accounts/mailed-link.ts'

/** Milliseconds that a sign-out waits for the service. The cookies are cleared in any case. */
const SIGN_OUT_TIMEOUT = 1_500

/** Tells the browser about its session. `stored` is the user's row, if it has been read already. */
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
export async function beginHere(c: Context<AppEnv>, session: Session, beginning: Beginning): Promise<SessionUser> {
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

export function moment(session: Session): string {
  return new Date(session.expiresAt).toISOString()
}
