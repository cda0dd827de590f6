import { atom } from 'jotai'
import { t } from '#say'
import { displayName, getProfile, Profile } from '../../contract/users.ts'
import { ApiError, call } from '../lib/api.ts'
import { messageOf } from '../lib/message-of.ts'
import { parseJson, readLocal, writeLocal } from '../lib/storage.ts'
import { sessionConfirmedAtom, sessionProfileAtom, sessionUserAtom } from './session.ts'

const KEY = 'profile'
const stateAtom = atom<Profile | null>(null)
const errorAtom = atom<string | null>(null)
const loadingAtom = atom(false)
/** Whether the profile comes from the server, not only from this device. */
const freshAtom = atom(false)

export const profileAtom = atom((get) => get(stateAtom))
export const profileErrorAtom = atom((get) => get(errorAtom))
export const profileLoadingAtom = atom((get) => get(loadingAtom))

/** The reader's date settings as one value; what shows dates is rendered again when it changes. */
export const dateSettingsKeyAtom = atom((get) => {
  const { region, hours, firstDay, timeZone } = get(stateAtom) ?? {}
  return [region, hours, firstDay, timeZone].join(' ').trim()
})

/** The language that the user chose; null for none, undefined until it is known. */
export const displayLanguageAtom = atom((get) => get(stateAtom)?.displayLanguage)

/** The display name of the signed-in user, from the session until the profile is loaded. */
export const personNameAtom = atom((get) => {
  const user = get(sessionUserAtom)
  const profile = get(stateAtom) ?? (user && { email: user.email, firstName: user.firstName ?? null, lastName: user.lastName ?? null })
  return profile ? displayName(profile) : ''
})

/** Fetches the profile if none is here or it belongs to another user, unless it came with the session. Clears it after sign-out. */
export const followUserAtom = atom(null, async (get, set, userId: string | null) => {
  if (userId === null) {
    set(clearProfileAtom)
    return
  }
  const existing = get(stateAtom) ?? parseJson(readLocal(KEY), Profile)
  if (existing?.id !== userId) {
    const told = get(sessionProfileAtom)
    return told?.id === userId ? set(setProfileAtom, told) : void (await set(fetchProfileAtom).catch(() => undefined))
  }
  set(stateAtom, existing)
  await set(compareProfileAtom)
})

/** Fetches the profile again if the server's answer about the session shows that it was changed elsewhere. */
export const compareProfileAtom = atom(null, async (get, set) => {
  const [profile, user] = [get(stateAtom), get(sessionUserAtom)]
  if (profile?.id !== user?.id || !profile || !user || !get(sessionConfirmedAtom)) return
  const now: Partial<Profile> = get(sessionProfileAtom) ?? {}
  const fields = Object.keys(now) as (keyof Profile)[]
  if (fields.some((field) => now[field] !== profile[field])) await set(fetchProfileAtom).catch(() => undefined)
})

const clearProfileAtom = atom(null, (_get, set) => {
  set(stateAtom, null)
  set(freshAtom, false)
  set(errorAtom, null)
  writeLocal(KEY, null)
})

/** Fetches the profile unless this page has: a stored one may have other settings than the server's. */
export const ensureFreshProfileAtom = atom(null, async (get, set) => {
  if (get(stateAtom) && !get(freshAtom)) await set(fetchProfileAtom).catch(() => undefined)
})

export const fetchProfileAtom = atom(null, async (_get, set) => {
  set(loadingAtom, true)
  set(errorAtom, null)
  try {
    set(setProfileAtom, await call(getProfile))
  } catch (error) {
    if (error instanceof ApiError && error.code === 'unauthenticated') return set(clearProfileAtom)
    const empty = error instanceof ApiError && error.code === 'unreadable'
    set(errorAtom, empty ? t`Failed to fetch profile: No profile data received` : t`Failed to fetch profile: ${messageOf(error)}`)
    throw error
  } finally {
    set(loadingAtom, false)
  }
})

export const setProfileAtom = atom(null, (_get, set, profile: Profile) => {
  set(stateAtom, profile)
  set(freshAtom, true)
  writeLocal(KEY, JSON.stringify(profile))
})
