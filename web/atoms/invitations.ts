import { atom } from 'jotai'
import { t } from '#say'
import { acceptInvite, declineInvite, leaveCollection } from '../../contract/invites.ts'
import { named } from '../lib/action-error.ts'
import { call } from '../lib/api.ts'
import { dropCollectionAtom, fetchAllAtom, fetchCollectionsAtom, fetchInvitedAtom, recorded } from './collections.ts'
import { selectCollectionAtom, selectedCollectionIdAtom } from './selected-collection.ts'

// The invited user's side of sharing.

export const acceptInviteAtom = atom(null, async (_get, set, collectionId: string) => {
  await recorded(named(t`Failed to accept the invitation`, call(acceptInvite, { params: { id: collectionId } })))
  await set(fetchAllAtom)
})

export const declineInviteAtom = atom(null, async (_get, set, collectionId: string) => {
  await recorded(named(t`Failed to decline the invitation`, call(declineInvite, { params: { id: collectionId } })))
  await set(fetchInvitedAtom)
})

export const leaveCollectionAtom = atom(null, async (get, set, collectionId: string) => {
  await recorded(named(t`Failed to leave the collection`, call(leaveCollection, { params: { id: collectionId } })))
  if (get(selectedCollectionIdAtom) === collectionId) set(selectCollectionAtom, null)
  set(dropCollectionAtom, collectionId)
  await set(fetchCollectionsAtom)
})
