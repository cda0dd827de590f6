import { atom } from 'jotai'
import { t } from '#say'
import { getNotices, type Notices, putNotices } from '../../contract/push.ts'
import { named } from '../lib/action-error.ts'
import { call } from '../lib/api.ts'
import { type PushState, readPushState, turnPushOff, turnPushOn } from '../lib/pwa/push.ts'
import { personalAtom } from './personal.ts'

/** Whether this device gets notifications; null until known. */
const stateAtom = personalAtom<PushState | null>(null)
export const pushStateAtom = atom((get) => get(stateAtom))

/** Throws ApiError. */
export const readPushStateAtom = atom(null, async (_get, set): Promise<PushState> => {
  const state = await readPushState()
  set(stateAtom, () => state)
  return state
})

/** Throws ActionError. */
export const switchPushAtom = atom(null, async (_get, set, on: boolean) => {
  const switching = on ? turnPushOn() : turnPushOff()
  const state = await named(on ? t`Notifications could not be turned on` : t`Notifications could not be turned off`, switching)
  set(stateAtom, () => state)
})

/** Whether the user has muted a collection, and gets a weekly mail, if the site sends mail. Throws ApiError. */
export const fetchNoticesAtom = atom(null, (_get, _set, id: string) => call(getNotices, { params: { id } }))

/** Throws ActionError. */
export const changeNoticesAtom = atom(null, (_get, _set, id: string, change: Partial<Notices>) =>
  named(t`This could not be changed`, call(putNotices, { params: { id }, body: change })),
)
