import { atom } from 'jotai'
import * as account from '../../contract/account.ts'
import * as tokens from '../../contract/tokens.ts'
import { named } from '../lib/action-error.ts'
import { ApiError, call } from '../lib/api.ts'
import { deletePendingData } from '../lib/device/pending-data.ts'
import { forgetDrafts } from '../lib/posts/drafts.ts'
import { notifyTabs } from '../lib/tabs.ts'
import { discardUnsavedAtom } from './outbox-state.ts'
import { personalAtom } from './personal.ts'
import { askSessionAtom, forgetSessionAtom, sessionUserIdAtom } from './session.ts'

/** Whether the server refused a call because the user has to re-authenticate first. */
export function needsReauthentication(error: unknown): boolean {
  const cause = error instanceof Error && error.cause instanceof ApiError ? error.cause : error
  return cause instanceof ApiError && cause.code === 'forbidden' && 'password' in cause.fields
}

export const confirmIdentityAtom = atom(null, async (_get, set, password: string) => {
  await call(account.confirmIdentity, { body: { password } })
  await set(askSessionAtom)
})

export const changePasswordAtom = atom(null, async (_get, set, change: account.PasswordChange) => {
  await named('Failed to change the password', call(account.changePassword, { body: change }))
  await set(askSessionAtom)
})

export const changeEmailAtom = atom(null, async (_get, _set, email: string) => {
  await named('Failed to change the address', call(account.changeEmail, { body: { email } }))
})

const devicesStateAtom = personalAtom<account.Device[] | null>(null)
export const devicesAtom = atom((get) => get(devicesStateAtom))
export const fetchDevicesAtom = atom(null, async (_get, set) => {
  const { devices } = await call(account.listDevices)
  set(devicesStateAtom, () => devices)
})
/** Ends the session of one device, or of all other devices if `id` is null. */
export const endDeviceAtom = atom(null, async (_get, set, id: string | null) => {
  const done = id === null ? call(account.endOtherDevices) : call(account.endDevice, { params: { id } })
  await named('Failed to sign out there', done)
  set(devicesStateAtom, (list) => list?.filter((device) => device.current || (id !== null && device.id !== id)) ?? null)
})

const tokensStateAtom = personalAtom<tokens.Token[] | null>(null)
export const tokensAtom = atom((get) => get(tokensStateAtom))
export const fetchTokensAtom = atom(null, async (_get, set) => {
  const list = (await call(tokens.listTokens)).tokens
  set(tokensStateAtom, () => list)
})
/** Resolves to the secret, which cannot be read again. */
export const createTokenAtom = atom(null, async (_get, set, input: tokens.NewToken): Promise<string> => {
  const { token, secret } = await named('Failed to make the token', call(tokens.createToken, { body: input }))
  set(tokensStateAtom, (list) => [token, ...(list ?? [])])
  return secret ?? ''
})
export const revokeTokenAtom = atom(null, async (_get, set, id: string) => {
  await named('Failed to revoke the token', call(tokens.deleteToken, { params: { id } }))
  set(tokensStateAtom, (list) => list?.filter((token) => token.id !== id) ?? null)
})

/** Deletes the account and everything this device stores for it. */
export const deleteAccountAtom = atom(null, async (get, set, end: account.AccountEnd) => {
  const userId = get(sessionUserIdAtom)
  await named('Failed to delete the account', call(account.deleteAccount, { body: end }))
  await set(discardUnsavedAtom).catch(() => undefined)
  set(forgetSessionAtom, 'left')
  notifyTabs('signed-out')
  if (!userId) return
  forgetDrafts(userId)
  deletePendingData(userId)
})
