import { atom } from 'jotai'
import { type AuthFeatures, authConfig } from '../../contract/auth.ts'
import { call } from '../lib/api.ts'

/** Assumed until the server has answered. */
const PASSWORD: AuthFeatures = { password: true, social: [], reset: true }

const knownAtom = atom<AuthFeatures | null>(null)

/** How users sign in here: by password, or on the pages of a sign-in service. */
export const signInWaysAtom = atom((get) => get(knownAtom) ?? PASSWORD)

let asking: Promise<AuthFeatures> | null = null

/** Asks the server once; concurrent callers share the request. */
export const fetchSignInWaysAtom = atom(null, async (get, set): Promise<void> => {
  if (get(knownAtom)) return
  asking ??= call(authConfig)
    .then(({ features }) => features)
    .finally(() => {
      asking = null
    })
  set(knownAtom, await asking)
})
