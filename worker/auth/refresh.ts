import { AppError } from '../http/errors.ts'
import type { AuthProvider, Claims, Session } from './provider.ts'

/** Three ticks of 30 s (spec §9). */
const REFRESH_BEFORE = 3 * 30_000
/** How long a fresh session is handed to requests that were already on their way with the old cookie. */
const SHARED_FOR = 5_000
/** How long a request waits for another request's refresh before it asks itself, should that one have been cut off. */
const JOIN_TIMEOUT = 8_000
/** How long a token that still lives is used without asking again, once the service did not answer. */
const OUTAGE_COOLDOWN = 10_000

/** Longer than a refresh takes that was on its way when its person signed out. */
const ENDED_FOR = 30_000

type WaitUntil = (promise: Promise<unknown>) => void

interface OngoingRefresh {
  session: Promise<Session | null>
  doneAt?: number
}

/** By credential, so that a page's twenty calls at the refresh moment make one. Only a saving: losing it costs one refresh. */
const ongoing = new Map<string, OngoingRefresh>()

/** By credential: when its person signed out. */
const ended = new Map<string, number>()

/** By credential: when the service last did not answer. */
const outages = new Map<string, number>()

/**
 * The session as it can be used now, with what its token says; null where the service refuses it. While the service
 * does not answer, a token that still lives is used; otherwise `unavailable`.
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
  // Such as a token under a key that the service has since dropped: the credential decides.
  return renewSession(provider, given)
}

/** A new token at once, such as after the address was confirmed. */
export async function renewSession(provider: AuthProvider, given: Session): Promise<{ session: Session; claims: Claims } | null> {
  const session = await provider.refresh(given)
  const claims = session && (await provider.verify(session))
  return session && claims ? { session, claims } : null
}

/** The person signed out: what is still on its way with this credential must not reach the browser's cookies any more. */
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
  // Else every call of the last 90 seconds would wait for the service in vain.
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
  // Others wait for it, so it must not end with the request that happened to come first.
  waitUntil(settled)
  return refresh.session
}

async function joinRefresh(refresh: OngoingRefresh, provider: AuthProvider, session: Session): Promise<Session | null> {
  const { promise: late, resolve } = Promise.withResolvers<'late'>()
  const timer = setTimeout(() => resolve('late'), JOIN_TIMEOUT)
  const first = await Promise.race([refresh.session, late]).finally(() => clearTimeout(timer))
  return first === 'late' ? provider.refresh(session) : first
}
