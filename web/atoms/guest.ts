import { atom } from 'jotai'
import type { SessionUser } from '../../contract/auth.ts'
import { type CurrentGuest, getGuest, putGuest } from '../../contract/guest.ts'
import { call } from '../lib/api.ts'
import { latestOnly } from '../lib/latest-only.ts'

const stateAtom = atom<CurrentGuest | null>(null)

/** Who the user is as a guest of a link, and what it allows; null until known, and for everybody else. */
export const guestAtom = atom((get) => get(stateAtom))

const requests = latestOnly()

/** Resolves to the guest in the place of somebody who has signed in. */
export const fetchGuestAtom = atom(null, async (_get, set): Promise<SessionUser> => {
  const request = requests.begin()
  const { guest } = await call(getGuest)
  if (request.accept()) set(stateAtom, guest)
  return { id: guest.user_id, email: '', firstName: guest.name, emailVerified: false }
})

export const nameGuestAtom = atom(null, async (_get, set, name: string) => {
  const { guest } = await call(putGuest, { body: { name } })
  requests.dropAll()
  set(stateAtom, guest)
})
