import { atom } from 'jotai'
import * as auth from '../../contract/auth.ts'
import { call } from '../lib/api.ts'
import { notifyTabs } from '../lib/tabs.ts'
import { askSessionAtom, setSignOutPending } from './session.ts'

/** Registers. `verify` means that the address must be confirmed before signing in. */
export const signUpAtom = atom(null, async (_get, set, person: auth.SignUp): Promise<{ verify: boolean }> => {
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
