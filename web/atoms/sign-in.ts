import { atom } from 'jotai'
import { t } from '#say'
import * as auth from '../../contract/auth.ts'
import { ApiError, call } from '../lib/api.ts'
import { prefetch } from '../lib/start/prefetch.ts'
import { takeSession } from '../lib/start/prefetched.ts'
import { notifyTabs } from '../lib/tabs.ts'
import { askSessionAtom, setSignOutPending, signedOut } from './session.ts'

export const signInAtom = atom(null, async (_get, set, credentials: auth.SignIn) => {
  await signedOut()
  await call(auth.signIn, { body: credentials })
  setSignOutPending(false)
  prefetch()
  const user = await set(askSessionAtom, takeSession())
  if (!user) throw new ApiError('unreadable', t`Your browser refused the session cookie. Allow cookies for this site and try again.`)
  notifyTabs('signed-in')
})

/** Registers. `verify` means that the address must be confirmed before signing in. */
export const signUpAtom = atom(null, async (_get, set, person: auth.SignUp): Promise<{ verify: boolean }> => {
  await signedOut()
  const { verify } = await call(auth.signUp, { body: person })
  if (verify) return { verify }
  setSignOutPending(false)
  await set(askSessionAtom)
  notifyTabs('signed-in')
  return { verify: false }
})

export const sendVerificationAtom = atom(null, async () => {
  await call(auth.sendVerification)
})
