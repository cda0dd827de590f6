import { atom } from 'jotai'
import * as auth from '../../contract/auth.ts'
import type { Profile } from '../../contract/users.ts'
import { ApiError, call } from '../lib/api.ts'
import { deviceUser, keepDeviceFor, openDevice } from '../lib/device/device.ts'
import { guestLink } from '../lib/guest/link.ts'
import { latestOnly } from '../lib/latest-only.ts'
import { endPush } from '../lib/pwa/push-end.ts'
import { dropPrefetched } from '../lib/start/prefetch.ts'
import { takeSession } from '../lib/start/prefetched.ts'
import { readLocal, writeLocal } from '../lib/storage.ts'
import { notifyTabs } from '../lib/tabs.ts'

export interface Session {
  user: auth.SessionUser | null
  /** Milliseconds since 1970. */
  expiresAt: number | null
  /** As the server knows it; undefined until it has answered. */
  profile?: Profile | undefined
  /** How the session ended: `left` by signing out, `lost` without a request of the user. */
  ended?: 'left' | 'lost'
  /** The server has not answered yet: this is the user who was last signed in on this device. */
  unconfirmed?: true
}

/** Milliseconds to wait for the first answer before the app continues with data from this device. */
const ANSWER_TIMEOUT = 1_500

/** `unknown` until the server has answered, and again while it cannot. */
const stateAtom = atom<Session | 'unknown'>('unknown')

const sessionKnownAtom = atom((get) => get(stateAtom) !== 'unknown')
export const sessionUserAtom = atom((get) => {
  const session = get(stateAtom)
  return session === 'unknown' ? null : session.user
})
/** The profile that came with the server's answer about the session. */
export const sessionProfileAtom = atom((get) => {
  const session = get(stateAtom)
  return session === 'unknown' ? undefined : session.profile
})
export const sessionUserIdAtom = atom((get) => get(sessionUserAtom)?.id ?? null)
/** The same, but undefined until it is known. */
export const knownUserIdAtom = atom((get) => (get(sessionKnownAtom) ? get(sessionUserIdAtom) : undefined))

/** Whether nobody is signed in, or, until that is known, nobody was when the app was last used on this device. */
export const visitorAtom = atom((get) => {
  const id = get(knownUserIdAtom)
  return id === undefined ? deviceUser() === null : id === null
})

/** Also false while no user is signed in. */
export const sessionConfirmedAtom = atom((get) => {
  const session = get(stateAtom)
  return session !== 'unknown' && session.user !== null && !session.unconfirmed
})

export const sessionEndedAtom = atom((get) => {
  const session = get(stateAtom)
  return session === 'unknown' ? undefined : session.ended
})

let asking: Promise<auth.SessionUser | null> | null = null

const requests = latestOnly()

/**
 * Resolves to the signed-in user; asks the server unless it is known. Without an answer, resolves to the user who was last signed in on
 * this device; if there was none, throws ApiError and leaves the state unknown.
 */
export const ensureSessionAtom = atom(null, (get, set): Promise<auth.SessionUser | null> => {
  const session = get(stateAtom)
  if (session !== 'unknown') return Promise.resolve(session.user)
  asking ??= set(guestLink ? askSessionAtom : askOrResumeAtom).finally(() => {
    asking = null
  })
  return asking
})

const askOrResumeAtom = atom(null, async (get, set): Promise<auth.SessionUser | null> => {
  const known = deviceUser()
  const early = takeSession()
  // There is nothing to show meanwhile, so a failure is reported at once; the error page retries.
  if (!known) return set(askSessionAtom, early, 0)
  const answer = set(askSessionAtom, early)
  openDevice(known.id)
  const late = new Promise<'late'>((resolve) => setTimeout(() => resolve('late'), ANSWER_TIMEOUT))
  // A sign-in on the pages of a sign-in service cannot notify other tabs itself.
  const announce = (user: auth.SessionUser | null) => user && user.id !== known.id && notifyTabs('signed-in')
  answer.then(announce, () => undefined)
  const outcome = await Promise.race([answer, late]).catch(() => 'failed' as const)
  if (outcome !== 'late' && outcome !== 'failed') return outcome
  // The state may have become known otherwise, such as by signing in.
  if (get(stateAtom) === 'unknown') set(stateAtom, { user: known, expiresAt: null, unconfirmed: true })
  // A later answer still updates the state.
  return get(sessionUserAtom)
})

/** Asks the server even if the session is known. */
export const askSessionAtom = atom(null, async (get, set, early?: Promise<unknown>, retries?: number) => {
  if (guestLink) return set(askGuestAtom)
  if (isSignOutPending()) {
    early = undefined
    await sendPendingSignOut()
  }
  if (!early) dropPrefetched()
  const request = requests.begin()
  const { user, expiresAt, profile } = await call(auth.getSession, { early, retries })
  if (!request.accept()) return get(sessionUserAtom)
  keepDeviceFor(user)
  set(stateAtom, (before) => ({ user, profile, expiresAt: expiresAt ? Date.parse(expiresAt) : null, ...endedOf(before, user) }))
  return user
})

/** Nothing of a guest is stored on the device. */
const askGuestAtom = atom(null, async (_get, set): Promise<auth.SessionUser> => {
  const user = await set((await import('./guest.ts')).fetchGuestAtom)
  set(stateAtom, { user, expiresAt: null })
  return user
})

/** An unconfirmed user unknown to the server was signed out involuntarily. */
function endedOf(before: Session | 'unknown', user: auth.SessionUser | null): Pick<Session, 'ended'> {
  return before !== 'unknown' && before.unconfirmed && !user ? { ended: 'lost' } : {}
}

/** Clears the session here, after a sign-out in another tab or when the server no longer knows it, also while it is being asked. */
export const forgetSessionAtom = atom(null, (get, set, ended: 'left' | 'lost') => {
  const session = get(stateAtom)
  if (session !== 'unknown' && !session.user) return
  requests.dropAll()
  dropPrefetched()
  // The stored data belongs to whoever has signed in, even if this page is a guest's.
  if (!guestLink) keepDeviceFor(null, ended)
  set(stateAtom, { user: null, expiresAt: null, ended })
})

let leaving: Promise<unknown> = Promise.resolve()
/** Resolves when no sign-out is under way: its answer would delete the cookie of a session that begins meanwhile. */
export const signedOut = () => leaving.catch(() => undefined)

/** Signs out locally first, so that a slow network does not delay it on a shared computer. */
export const signOutAtom = atom(null, async (_get, set) => {
  setSignOutPending(true)
  globalThis.addEventListener?.('online', () => void sendPendingSignOut().catch(() => undefined), { once: true })
  const done = call(auth.signOut, { keepalive: true })
  leaving = done
  set(forgetSessionAtom, 'left')
  notifyTabs('signed-out')
  const { url } = await done
  setSignOutPending(false)
  // Also ends the sign-in service's own session; otherwise the next user of this browser could sign in to this account with one click.
  if (url) location.assign(url)
})

const PENDING_SIGN_OUT = 'sign-out-owed'
const isSignOutPending = () => readLocal(PENDING_SIGN_OUT) === '1'
export const setSignOutPending = (pending: boolean) => writeLocal(PENDING_SIGN_OUT, pending ? '1' : null)

/** Repeats a sign-out that did not reach the server: the cookie would sign the same user in again on the next page. Throws ApiError. */
async function sendPendingSignOut(): Promise<void> {
  if (!isSignOutPending()) return
  const done = call(auth.signOut)
  leaving = done
  const { url } = await done
  setSignOutPending(false)
  void endPush()
  if (url) location.assign(url)
}

/** A tick every 30 s; the session is renewed when less than 3 ticks are left. */
export const REFRESH_TICK = 30_000
const REFRESH_THRESHOLD = 3 * REFRESH_TICK

/** Renews the session in the background before it expires. An outage is not a sign-out: the next tick tries again. */
export const refreshTickAtom = atom(null, async (get, set, now: number) => {
  if (isSignOutPending()) return void (await sendPendingSignOut().catch(() => undefined))
  const session = get(stateAtom)
  if (session !== 'unknown' && session.unconfirmed) return void (await set(askSessionAtom).catch(() => undefined))
  if (session === 'unknown' || !session.user || !session.expiresAt || session.expiresAt - now >= REFRESH_THRESHOLD) return
  try {
    const { expiresAt } = await call(auth.refreshSession)
    // A late answer must not restore a session that has ended or was replaced.
    if (get(stateAtom) === session) set(stateAtom, { user: session.user, expiresAt: Date.parse(expiresAt) })
  } catch (error) {
    if (get(stateAtom) === session && error instanceof ApiError && error.code === 'unauthenticated') set(forgetSessionAtom, 'lost')
  }
})
