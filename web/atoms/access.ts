import { atom } from 'jotai'
import type { z } from 'zod'
import { t } from '#say'
import * as access from '../../contract/access.ts'
import { createToken, type NewToken } from '../../contract/tokens.ts'
import { named } from '../lib/action-error.ts'
import { ApiError, call } from '../lib/api.ts'
import { turnPushOff } from '../lib/pwa/push.ts'
import { notifyTabs } from '../lib/tabs.ts'
import { personalAtom } from './personal.ts'
import { readPushStateAtom } from './push.ts'
import { forgetSessionAtom } from './session.ts'

type AccessLists = Omit<z.infer<typeof access.listAccess.response>, 'success'>

/** Everything that opens the user's collections; null until known. */
const listsAtom = personalAtom<AccessLists | null>(null)
export const accessAtom = atom((get) => get(listsAtom))

/** Throws ApiError. */
export const fetchAccessAtom = atom(null, async (_get, set) => {
  const { success: _, ...lists } = await call(access.listAccess)
  set(listsAtom, () => lists)
})

/** Throws ActionError. */
export const revokeAccessAtom = atom(null, async (_get, set, kind: access.AccessKind, id: string) => {
  const revoking = call(access.revokeAccess, { params: { kind, id } }).catch((error: unknown) => {
    // It ended elsewhere, and has to leave the list all the same.
    if (!(error instanceof ApiError && error.code === 'not_found')) throw error
  })
  await named(t`Failed to revoke this`, revoking)
  const others = <T extends { id: string }>(list: T[]) => list.filter((one) => one.id !== id)
  set(listsAtom, (lists) => {
    if (!lists) return null
    const { sessions, tokens, calendarLinks, push } = lists
    return { ...lists, sessions: others(sessions), tokens: others(tokens), calendarLinks: others(calendarLinks), push: others(push) }
  })
  // Notifications end with their session.
  if (kind === 'session') await set(fetchAccessAtom).catch(() => undefined)
  // If it was this device, its browser must not renew the subscription.
  if (kind === 'push' && (await set(readPushStateAtom).catch(() => null)) === 'off') await turnPushOff().catch(() => undefined)
})

/** Signs out everywhere, here too. Throws ActionError. */
export const revokeAllAccessAtom = atom(null, async (_get, set) => {
  const { url } = await named(t`Failed to sign out everywhere`, call(access.revokeAllAccess))
  set(forgetSessionAtom, 'left')
  notifyTabs('signed-out')
  if (url) location.assign(url)
})

/** Resolves to the secret, which cannot be read again. Throws ActionError. */
export const createTokenAtom = atom(null, async (_get, set, input: NewToken): Promise<string> => {
  const { token, secret } = await named(t`Failed to make the token`, call(createToken, { body: input }))
  set(listsAtom, (lists) => lists && { ...lists, tokens: [token, ...lists.tokens] })
  return secret ?? ''
})
