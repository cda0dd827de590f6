import { AppError } from '../http/errors.ts'
import type { AuthProvider, Claims, Session } from './provider.ts'

/** Three ticks of 30 s. */
const REFRESH_BEFORE = 3 * 30_000
/** Milliseconds for which requests with the old cookie get the new session, because they were sent before it arrived. */
const SHARED_FOR = 5_000
/** Milliseconds that a request waits for another request's refresh, which may have been aborted, before its own. */
const JOIN_TIMEOUT = 8_000
/** Milliseconds after an outage in which a token that has not expired is used without another refresh. */
const OUTAGE_COOLDOWN = 10_000

/** Milliseconds; longer than a refresh that began before the sign-out can take. */
const ENDED_FOR = 30_000

type WaitUntil = (promise: Promise<unknown>) => void

interface OngoingRefresh {
  session: Promise<Session | null>
  doneAt?: number
}

/** By credential, so that concurrent calls of a page share one refresh. Only an optimisation: if it is lost, one more refresh runs. */
const ongoing = new Map<string, OngoingRefresh>()

/** Time of sign-out, by credential. */
const ended = new Map<string, number>()

/** Time of the last outage of the service, by credential. */
const outages = new Map<string, number>()

/**
 * The session, refreshed if necessary, with its claims. Null if the service refuses it. During an outage of the service, a token that has not
 * expired is used; without one, throws `unavailable`.
 */
export async function liveSession(
  provider: AuthProvider,
  given: Session,
  waitUntil: WaitUntil,
): Promise<{ session: Session; claims: Claims } | null> {
  const session = given.expiresAt - Date.now() < REFRESH_BEFORE ? await refreshedOrStillValid(provider, given, waitUntil) : given
  const claims = session && (await provider.verify(session))
  if (session && claims) return { session, claims }
  if (session !== given) return null
  // The token may be signed with a key that the service has dropped since, so the credential decides.
  return renewSession(provider, given)
}

/** Renews the token even if it has not expired, for example after the address was confirmed. */
export async function renewSession(provider: AuthProvider, given: Session): Promise<{ session: Session; claims: Claims } | null> {
  const session = await provider.refresh(given)
  const claims = session && (await provider.verify(session))
  return session && claims ? { session, claims } : null
}

/** Called on sign-out: a refresh with this credential that is still running must not set the browser's cookies. */
export function endCredential({ credential }: Session): void {
  for (const [other, since] of ended) if (passed(since, ENDED_FOR)) ended.delete(other)
  ended.set(credential, Date.now())
  ongoing.delete(credential)
}

export function hasEnded({ credential }: Session): boolean {
  const since = ended.get(credential)
  return since !== undefined && !passed(since, ENDED_FOR)
}

async function refreshedOrStillValid(provider: AuthProvider, session: Session, waitUntil: WaitUntil): Promise<Session | null> {
  const alive = session.expiresAt > Date.now()
  const outage = outages.get(session.credential)
  // Otherwise every call in the last 90 seconds of the token would wait for the service's timeout.
  if (alive && outage !== undefined && !passed(outage, OUTAGE_COOLDOWN)) return session
  try {
    return await refreshOnce(provider, session, waitUntil)
  } catch (error) {
    if (!alive || !(error instanceof AppError) || error.code !== 'unavailable') throw error
    outages.set(session.credential, Date.now())
    return session
  }
}

function passed(since: number | undefined, time: number): boolean {
  return since !== undefined && since + time < Date.now()
}

function refreshOnce(provider: AuthProvider, session: Session, waitUntil: WaitUntil): Promise<Session | null> {
  for (const [credential, { doneAt }] of ongoing) if (passed(doneAt, SHARED_FOR)) ongoing.delete(credential)
  for (const [credential, since] of outages) if (passed(since, OUTAGE_COOLDOWN)) outages.delete(credential)
  const known = ongoing.get(session.credential)
  return known ? joinRefresh(known, provider, session) : startRefresh(provider, session, waitUntil)
}

function startRefresh(provider: AuthProvider, session: Session, waitUntil: WaitUntil): Promise<Session | null> {
  const refresh: OngoingRefresh = { session: provider.refresh(session) }
  ongoing.set(session.credential, refresh)
  const settled = refresh.session.then(
    (fresh) => {
      if (fresh) refresh.doneAt = Date.now()
      else if (ongoing.get(session.credential) === refresh) ongoing.delete(session.credential)
    },
    () => {
      if (ongoing.get(session.credential) === refresh) ongoing.delete(session.credential)
    },
  )
  // Other requests wait for it, so it must outlive the request that started it.
  waitUntil(settled)
  return refresh.session
}

async function joinRefresh(refresh: OngoingRefresh, provider: AuthProvider, session: Session): Promise<Session | null> {
  const { promise: late, resolve } = Promise.withResolvers<'late'>()
  const timer = setTimeout(() => resolve('late'), JOIN_TIMEOUT)
  const first = await Promise.race([refresh.session, late]).finally(() => clearTimeout(timer))
  return first === 'late' ? provider.refresh(session) : first
}
