import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import { createMiddleware } from 'hono/factory'
import { t } from '#say'
import { CALLER_HEADER } from '../../contract/auth.ts'
import { LINK_PARAM } from '../../contract/guest.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { AppEnv } from '../context.ts'
import { AppError, fieldError, forbidden } from '../http/errors.ts'
import { deleteSession } from '../queries/access.ts'
import { authProvider } from './choose-provider.ts'
import { openDatabase } from './open-database.ts'
import { hasAuthorization, requireBearer } from './personal-token.ts'
import type { Claims, Session } from './provider.ts'
import { endCredential, hasEnded, liveSession, renewSession } from './refresh.ts'
import { parseSessionKeys } from './sealed.ts'
import { SessionCookies, sealSession, unsealSession } from './session-cookie.ts'

export interface CurrentSession {
  session: StoredSession
  user: { id: string; email: string; emailVerified: boolean }
  /** The name in the sign-in service, for accounts that have no row yet. */
  name: string | null
}

/** A session with a row in the database. */
export type StoredSession = Session & { id: string }

/** Requires a session or an access token, and sets `c.var.user`, `access` and `db`. Throws 401 otherwise. */
export const signedIn = createMiddleware<AppEnv>(async (c, next) => {
  refuseGuests(c)
  if (hasAuthorization(c)) {
    const { user, tokenId, scope, collectionId } = await requireBearer(c)
    c.set('user', user)
    c.set('tokenScope', scope)
    if (collectionId) c.set('onlyCollection', collectionId)
    setAccess(c, tokenId)
  } else c.set('user', (await requireSession(c)).user)
  await next()
})

/** Calls that guests may make have another guard (guest.ts). A member's session must not answer a guest's page. */
function refuseGuests(c: Context<AppEnv>): void {
  if (c.req.query(LINK_PARAM) !== undefined) throw new AppError('unauthenticated', t`Guests of a link may not do this. Sign in for it`)
}

/**
 * The session of the request, or null. Clears cookies that are forged, damaged or refused by the service. Stores the session again if it was
 * refreshed, or sealed with a retired key. Throws `unavailable` if the service does not answer and the token has expired.
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
  const session = continued(live.session, opened.session)
  if (opened.retired || live.session !== opened.session) await storeSession(c, session, opened.session)
  return asCurrent({ ...live, session })
}

/** Throws 401 without a session, and if CALLER_HEADER names another user than the session. */
export async function requireSession(c: Context<AppEnv>): Promise<CurrentSession> {
  const current = required(await currentSession(c))
  const caller = c.req.header(CALLER_HEADER)
  if (caller !== undefined && caller !== current.user.id) {
    c.header(CALLER_HEADER, 'another')
    throw new AppError('unauthenticated', t`Somebody else has signed in in this browser`)
  }
  return current
}

export function required(current: CurrentSession | null): CurrentSession {
  if (!current) throw new AppError('unauthenticated', t`Sign in first`)
  return current
}

/** Renews the access token even if it has not expired. Null without a session, or if the service refuses. */
export async function renewedSession(c: Context<AppEnv>): Promise<CurrentSession | null> {
  const opened = await openCookies(c)
  const renewing = opened && renewSession(authProvider(c.env), opened.session)
  // A credential may be valid only once, so the refresh must finish even if the client disconnects.
  c.executionCtx.waitUntil(Promise.resolve(renewing).catch(() => {}))
  const live = await renewing
  if (!opened || !live) {
    clearSession(c)
    return null
  }
  const session = continued(live.session, opened.session)
  await storeSession(c, session, opened.session)
  return asCurrent({ ...live, session })
}

/**
 * For calls that a stolen cookie must not permit. Requires that the service still accepts the session, and that the user signed in or entered
 * the password within LIMITS.reauthenticationMinutes. Throws 403 with `fields.password` otherwise.
 */
export async function requireReauthentication(c: Context<AppEnv>): Promise<CurrentSession> {
  const opened = await openCookies(c)
  const current = required(await renewedSession(c))
  const age = Date.now() - (opened?.session.provenAt ?? 0)
  if (age > LIMITS.reauthenticationMinutes * 60_000) throw reauthenticationRequired()
  return current
}

/** As requireReauthentication, for routes. Use after `signedIn`. */
export const reauthenticated = createMiddleware<AppEnv>(async (c, next) => {
  await requireReauthentication(c)
  await next()
})

/** The app asks for the password because of this field. */
function reauthenticationRequired(): AppError {
  return fieldError('forbidden', 'password', t`Confirm first that it is you`)
}

/** Use after `signedIn`. Renews the token before it refuses, because the token may be older than the confirmation. */
export async function requireVerifiedEmail(c: Context<AppEnv>): Promise<void> {
  if (c.var.user.emailVerified) return
  if (hasAuthorization(c)) throw forbidden(t`Confirm your e-mail address first, then make a new access token`)
  const { user } = required(await renewedSession(c))
  if (!user.emailVerified) {
    throw forbidden(
      authProvider(c.env).features.password
        ? t`Confirm your e-mail address first. We sent a link to ${{ email: user.email }}`
        : t`Confirm your e-mail address first. Your sign-in service tells you how`,
    )
  }
  c.set('user', user)
}

/** As `requireVerifiedEmail`, but returns false instead of refusing. */
export async function hasVerifiedEmail(c: Context<AppEnv>): Promise<boolean> {
  try {
    await requireVerifiedEmail(c)
    return true
  } catch (error) {
    // During an outage of the service, the address counts as unconfirmed.
    if (error instanceof AppError) return false
    throw error
  }
}

/** Another session of the sign-in service takes the place of `before` in this browser. */
function continued(session: Session, { id, provenAt }: StoredSession): StoredSession {
  return { ...session, id, provenAt: session.provenAt ?? provenAt }
}

/** `before` is the session before the refresh, which may have ended since the browser sent it. */
async function storeSession(c: Context<AppEnv>, session: StoredSession, before: Session = session): Promise<void> {
  const sealed = await sealSession(session, parseSessionKeys(c.env.SESSION_KEYS))
  if (hasEnded(before) || hasEnded(session)) return
  send(c, (cookies, sent) => cookies.store(sealed, sent))
}

/** Stores the session of a user who has just signed in or entered the password. */
export function storeAuthenticatedSession(c: Context<AppEnv>, session: StoredSession): Promise<void> {
  return storeSession(c, { ...session, provenAt: Date.now() })
}

/** Ends the session of this browser. Returns it, so that the caller can end it at the service. */
export async function endSession(c: Context<AppEnv>): Promise<Session | null> {
  const opened = await openCookies(c)
  if (!opened) {
    clearSession(c)
    return null
  }
  // It may have ended already, so nothing is checked.
  await deleteSession(openDatabase(c, { writes: true }), opened.session.id)
  forgetSession(c, opened.session)
  return opened.session
}

/** Removes the session, which has ended, from this browser. */
export function forgetSession(c: Context<AppEnv>, session: Session): void {
  endCredential(session)
  clearSession(c)
}

/** From now on, the request's database refuses everything once this session or access token is revoked. */
export function setAccess(c: Context<AppEnv>, access: string): void {
  c.set('access', access)
  c.set('db', openDatabase(c, { access }))
}

function asCurrent({ session, claims }: { session: StoredSession; claims: Claims }): CurrentSession {
  return { session, ...userOf(claims) }
}

export function userOf({ id, email, emailVerified, name }: Claims): Omit<CurrentSession, 'session'> {
  return { user: { id, email, emailVerified }, name }
}

/** Null without a session that this version of the app began. The request's database then checks its row. */
async function openCookies(c: Context<AppEnv>): Promise<{ session: StoredSession; retired: boolean } | null> {
  refuseGuests(c)
  const sealed = new SessionCookies(c.env.APP_ORIGIN).join(getCookie(c))
  const opened = sealed === null ? null : await unsealSession(sealed, parseSessionKeys(c.env.SESSION_KEYS))
  const id = opened?.session.id
  if (!opened || id === undefined) return null
  setAccess(c, id)
  return { ...opened, session: { ...opened.session, id } }
}

function clearSession(c: Context<AppEnv>): void {
  send(c, (cookies, sent) => cookies.clear(sent))
}

/** Replaces earlier Set-Cookie headers of the session in this response. */
function send(c: Context<AppEnv>, lines: (cookies: SessionCookies, sent: Record<string, string>) => string[]): void {
  const cookies = new SessionCookies(c.env.APP_ORIGIN)
  // Reading c.res creates it, so that the cookies are also added to a Response that the route creates itself.
  const { headers } = c.res
  const others = headers.getSetCookie().filter((line) => cookies.sent({ [line.slice(0, line.indexOf('='))]: '' }).length === 0)
  headers.delete('set-cookie')
  for (const line of [...others, ...lines(cookies, getCookie(c))]) headers.append('set-cookie', line)
}
