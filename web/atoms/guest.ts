import { atom } from 'jotai'
import type { SessionUser } from '../../contract/auth.ts'
import { type CurrentGuest, getGuest, putGuest } from '../../contract/guest.ts'
import { call } from '../lib/api.ts'

const stateAtom = atom<CurrentGuest | null>(null)

/** Who the user is as a guest of a link, and what it allows; null until known, and for everybody else. */
export const guestAtom = atom((get) => get(stateAtom))

/** Resolves to the guest in the place of somebody who has signed in. */
export const fetchGuestAtom = atom(null, async (_get, set): Promise<SessionUser> => {
  const { guest } = await call(getGuest)
  set(stateAtom, guest)
  return { id: guest.user_id, email: '', firstName: guest.name, emailVerified: false }
})

export const nameGuestAtom = atom(null, async (_get, set, name: string) => {
  const { guest } = await call(putGuest, { body: { name } })
  set(stateAtom, guest)
})
