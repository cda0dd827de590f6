import { atom } from 'jotai'
import { t } from '#say'
import * as contract from '../../contract/join-requests.ts'
import type { InviteRole } from '../../contract/policy.ts'
import { named } from '../lib/action-error.ts'
import { call } from '../lib/api.ts'
import { fetchCollectionsAtom } from './collections.ts'
import { listsOfCollections } from './lists-of-collections.ts'

/** Requests to join that wait. */
export const {
  listsAtom: joinRequestsAtom,
  fetchAtom: fetchJoinRequestsAtom,
  refreshAtom: refreshJoinRequestsAtom,
} = listsOfCollections(async (id) => (await call(contract.listJoinRequests, { params: { id } })).requests)

/** Throws ActionError. */
export const acceptJoinRequestAtom = atom(null, async (_get, set, { id, collection_id }: contract.JoinRequest, role: InviteRole) => {
  const accepting = call(contract.acceptJoinRequest, { params: { id: collection_id, requestId: id }, body: { role } })
  await named(t`The request could not be accepted`, accepting)
  await set(answeredAtom, collection_id)
})

/** Throws ActionError. */
export const declineJoinRequestAtom = atom(null, async (_get, set, { id, collection_id }: contract.JoinRequest) => {
  const declining = call(contract.declineJoinRequest, { params: { id: collection_id, requestId: id } })
  await named(t`The request could not be declined`, declining)
  await set(answeredAtom, collection_id)
})

/** The card of the collection counts its requests. */
const answeredAtom = atom(null, async (_get, set, collectionId: string) => {
  await Promise.all([set(fetchJoinRequestsAtom, collectionId), set(fetchCollectionsAtom)])
})
