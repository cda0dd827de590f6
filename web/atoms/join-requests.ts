import { atom } from 'jotai'
import * as contract from '../../contract/join-requests.ts'
import type { InviteRole } from '../../contract/policy.ts'
import { named } from '../lib/action-error.ts'
import { call } from '../lib/api.ts'
import { latestOnly } from '../lib/latest-only.ts'
import { messageOf } from '../lib/message-of.ts'
import { fetchCollectionsAtom } from './collections.ts'
import { personalAtom } from './personal.ts'

/** Requests that wait in a collection. `list` is null until they are loaded. */
interface Requests {
  list: contract.JoinRequest[] | null
  error: string | null
}

/** By the id of the collection. */
export const joinRequestsAtom = personalAtom<Record<string, Requests>>({})

const requests = new Map<string, ReturnType<typeof latestOnly>>()
function orderOf(collectionId: string): ReturnType<typeof latestOnly> {
  const order = requests.get(collectionId) ?? latestOnly()
  requests.set(collectionId, order)
  return order
}

export const fetchJoinRequestsAtom = atom(null, async (_get, set, collectionId: string) => {
  const request = orderOf(collectionId).begin()
  const answer = await call(contract.listJoinRequests, { params: { id: collectionId } }).catch((error: unknown) => messageOf(error))
  if (!request.accept()) return
  set(joinRequestsAtom, (known) => ({
    ...known,
    [collectionId]:
      typeof answer === 'string' ? { list: known[collectionId]?.list ?? null, error: answer } : { list: answer.requests, error: null },
  }))
})

/** For changes made elsewhere; nothing is asked of collections whose requests nobody has looked at. */
export const refreshJoinRequestsAtom = atom(null, async (get, set) => {
  await Promise.all(Object.keys(get(joinRequestsAtom)).map((id) => set(fetchJoinRequestsAtom, id)))
})

/** Throws ActionError. */
export const acceptJoinRequestAtom = atom(null, async (_get, set, { id, collection_id }: contract.JoinRequest, role: InviteRole) => {
  const accepting = call(contract.acceptJoinRequest, { params: { id: collection_id, requestId: id }, body: { role } })
  await named('The request could not be accepted', accepting)
  await set(answeredAtom, collection_id)
})

/** Throws ActionError. */
export const declineJoinRequestAtom = atom(null, async (_get, set, { id, collection_id }: contract.JoinRequest) => {
  const declining = call(contract.declineJoinRequest, { params: { id: collection_id, requestId: id } })
  await named('The request could not be declined', declining)
  await set(answeredAtom, collection_id)
})

/** The card of the collection counts its requests. */
const answeredAtom = atom(null, async (_get, set, collectionId: string) => {
  await Promise.all([set(fetchJoinRequestsAtom, collectionId), set(fetchCollectionsAtom)])
})
