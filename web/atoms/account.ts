import { atom } from 'jotai'
import { t } from '#say'
import * as account from '../../contract/account.ts'
import { named } from '../lib/action-error.ts'
import { ApiError, call } from '../lib/api.ts'
import { deletePendingData } from '../lib/device/pending-data.ts'
import { forgetDrafts } from '../lib/posts/drafts.ts'
import { notifyTabs } from '../lib/tabs.ts'
import { fetchAccessAtom } from './access.ts'
import { deletingAccountAtom } from './account-end.ts'
import { discardUnsavedAtom } from './outbox-state.ts'
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
  await named(t`Failed to change the password`, call(account.changePassword, { body: change }))
  await set(askSessionAtom)
  // Other devices, access tokens and calendar links have ended with it.
  await set(fetchAccessAtom).catch(() => undefined)
})

export const changeEmailAtom = atom(null, async (_get, _set, email: string) => {
  await named(t`Failed to change the address`, call(account.changeEmail, { body: { email } }))
})

/** Deletes the account and everything this device stores for it. */
export const deleteAccountAtom = atom(null, async (get, set, end: account.AccountEnd) => {
  const userId = get(sessionUserIdAtom)
  set(deletingAccountAtom, true)
  try {
    const { url } = await named(t`Failed to delete the account`, call(account.deleteAccount, { body: end }))
    await set(discardUnsavedAtom).catch(() => undefined)
    set(forgetSessionAtom, 'left')
    notifyTabs('signed-out')
    if (userId) {
      forgetDrafts(userId)
      deletePendingData(userId)
    }
    if (url) location.assign(url)
  } finally {
    set(deletingAccountAtom, false)
  }
})
