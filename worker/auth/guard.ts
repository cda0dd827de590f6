import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import { createMiddleware } from 'hono/factory'
import { CALLER_HEADER } from '../../contract/auth.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { AppEnv } from '../context.ts'
import { AppError, forbidden } from '../http/errors.ts'
import { authProvider } from './choose-provider.ts'
import { hasAuthorization, requireBearer } from './personal-token.ts'
import type { Claims, Session } from './provider.ts'
import { endCredential, hasEnded, liveSession, renewSession } from './refresh.ts'
import { parseSessionKeys } from './sealed.ts'
import { SessionCookies, sealSession, unsealSession } from './session-cookie.ts'

export interface CurrentSession {
  session: Session
  user: { id: string; email: string; emailVerified: boolean }
  /** The name that the sign-in service knows, for an account we have not seen. */
  name: string | null
}

/** Lets signed-in people and their access tokens pass and sets `c.var.user`; 401 for everybody else. */
export const signedIn = createMiddleware<AppEnv>(async (c, next) => {
  c.set('user', hasAuthorization(c) ? await requireBearer(c) : (await requireSession(c)).user)
  await next()
})

/**
 * Who calls, or null. A cookie that is not ours, was tampered with or is refused by the service is cleared; a session
 * that was refreshed or sealed with a retired key is stored again. Throws `unavailable` where it cannot be known.
 */
export async function currentSession(c: Context<AppEnv>): Promise<CurrentSession | null> {
  const opened = await openCookies(c)
  if (!opened) {
    clearSession(c)
    return null
  }
  const live = await liveSession(authProvider(c.env), opened.session, (promise) => c.executionCtx.waitUntil(promise))
  if (!live) {
    clearSession(c)
    return null
  }
  if (opened.retired || live.session !== opened.session) await storeSession(c, live.session, opened.session)
  return asCurrent(live)
}

/** Throws 401 where nobody is signed in, and where it is not the person whose screen calls. */
export async function requireSession(c: Context<AppEnv>): Promise<CurrentSession> {
  const current = required(await currentSession(c))
  const caller = c.req.header(CALLER_HEADER)
  if (caller !== undefined && caller !== current.user.id) {
    c.header(CALLER_HEADER, 'another')
    throw new AppError('unauthenticated', 'Somebody else has signed in in this browser')
  }
  return current
}

export function required(current: CurrentSession | null): CurrentSession {
  if (!current) throw new AppError('unauthenticated', 'Sign in first')
  return current
}

/** A new token at once, whatever is left of the old one; null where nobody is signed in or the service refuses. */
export async function renewedSession(c: Context<AppEnv>): Promise<CurrentSession | null> {
  const opened = await openCookies(c)
  const renewing = opened && renewSession(authProvider(c.env), opened.session)
  // A credential may be good once: whoever goes away meanwhile must not take the new one along.
  c.executionCtx.waitUntil(Promise.resolve(renewing).catch(() => {}))
  const live = await renewing
  if (opened && live) await storeSession(c, live.session, opened.session)
  else clearSession(c)
  return live && asCurrent(live)
}

/**
 * The caller's session, for what a stolen cookie must not be enough for: the service still knows it, and its person signed in, or gave
 * the password once more, a few minutes ago.
 */
export async function requireReauthentication(c: Context<AppEnv>): Promise<CurrentSession> {
  const opened = await openCookies(c)
  const current = required(await renewedSession(c))
  const age = Date.now() - (opened?.session.provenAt ?? 0)
  if (age > LIMITS.reauthenticationMinutes * 60_000) throw reauthenticationRequired()
  return current
}

/** The field tells the app what to ask for. */
export function reauthenticationRequired(): AppError {
  const message = 'Confirm first that it is you'
  return new AppError('forbidden', message, { fields: { password: message } })
}

/** Behind `signedIn`. The token may be older than the confirmation, so a fresh one is asked for before anybody is refused. */
export async function requireVerifiedEmail(c: Context<AppEnv>): Promise<void> {
  if (c.var.user.emailVerified) return
  if (hasAuthorization(c)) throw forbidden('Confirm your e-mail address first, then make a new access token')
  const { user } = required(await renewedSession(c))
  if (!user.emailVerified) {
    const how = authProvider(c.env).features.password ? `We sent a link to ${user.email}` : 'Your sign-in service tells you how'
    throw forbidden(`Confirm your e-mail address first. ${how}`)
  }
  c.set('user', user)
}

/** As `requireVerifiedEmail`, for what is left out and not refused. */
export async function hasVerifiedEmail(c: Context<AppEnv>): Promise<boolean> {
  try {
    await requireVerifiedEmail(c)
    return true
  } catch (error) {
    // A service that does not answer has not confirmed anything either.
    if (error instanceof AppError) return false
    throw error
  }
}

/** `given` is the one that it came of, which may have ended since the browser sent it. */
async function storeSession(c: Context<AppEnv>, session: Session, given = session): Promise<void> {
  const kept = { ...session, provenAt: session.provenAt ?? given.provenAt }
  const sealed = await sealSession(kept, parseSessionKeys(c.env.SESSION_KEYS))
  if (hasEnded(given) || hasEnded(session)) return
  send(c, (cookies, sent) => cookies.store(sealed, sent))
}

/** Stores a session whose person has just proved who they are. */
export function storeAuthenticatedSession(c: Context<AppEnv>, session: Session): Promise<void> {
  return storeSession(c, { ...session, provenAt: Date.now() })
}

/** Ends the session in this browser, and gives what it was, so that the service can be told. */
export async function endSession(c: Context<AppEnv>): Promise<Session | null> {
  const opened = await openCookies(c)
  if (opened) endCredential(opened.session)
  clearSession(c)
  return opened?.session ?? null
}

/** What a verified session says of its person. */
export function asCurrent({ session, claims }: { session: Session; claims: Claims }): CurrentSession {
  const { id, email, emailVerified, name } = claims
  return { session, user: { id, email, emailVerified }, name }
}

function openCookies(c: Context<AppEnv>): Promise<{ session: Session; retired: boolean } | null> {
  const sealed = new SessionCookies(c.env.APP_ORIGIN).join(getCookie(c))
  return sealed === null ? Promise.resolve(null) : unsealSession(sealed, parseSessionKeys(c.env.SESSION_KEYS))
}

function clearSession(c: Context<AppEnv>): void {
  send(c, (cookies, sent) => cookies.clear(sent))
}

/** The answer's last word on our cookies: an earlier Set-Cookie of this request is replaced, never contradicted. */
function send(c: Context<AppEnv>, lines: (cookies: SessionCookies, sent: Record<string, string>) => string[]): void {
  const cookies = new SessionCookies(c.env.APP_ORIGIN)
  // c.res exists from here on, so that the cookies also reach a Response that a route makes by hand.
  const { headers } = c.res
  const others = headers.getSetCookie().filter((line) => cookies.sent({ [line.slice(0, line.indexOf('='))]: '' }).length === 0)
  headers.delete('set-cookie')
  for (const line of [...others, ...lines(cookies, getCookie(c))]) headers.append('set-cookie', line)
}
