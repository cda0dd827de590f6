import { atom } from 'jotai'
import { may } from '../../contract/policy.ts'
import { selectedCollectionAtom } from './collections.ts'
import { sessionUserIdAtom } from './session.ts'

type Owned = { user_id: string }

/** Whether the user may remove an item from the open collection. */
export const mayRemoveAtom = atom((get) => {
  const role = get(selectedCollectionAtom)?.role
  const userId = get(sessionUserIdAtom)
  return (item: Owned) => may(role, 'item.remove', item.user_id === userId)
})

/** Whether the user may change an item of the open collection. */
export const mayEditAtom = atom((get) => {
  const role = get(selectedCollectionAtom)?.role
  const userId = get(sessionUserIdAtom)
  return (item: Owned) => may(role, 'item.edit', item.user_id === userId)
})
