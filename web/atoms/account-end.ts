import { atom } from 'jotai'

/** Whether the account is being deleted, which ends its memberships before the answer comes. */
export const deletingAccountAtom = atom(false)
