import { atom } from 'jotai'
import { t } from '#say'
import * as contract from '../../contract/contributions.ts'
import { named } from '../lib/action-error.ts'
import { call } from '../lib/api.ts'
import { fetchCollectionsAtom } from './collections.ts'
import { listsOfCollections } from './lists-of-collections.ts'

/** Files of guests that wait. */
export const {
  listsAtom: contributionsAtom,
  fetchAtom: fetchContributionsAtom,
  refreshAtom: refreshContributionsAtom,
} = listsOfCollections(async (id) => (await call(contract.listContributions, { params: { id } })).contributions)

/** Resolves to the ids of those that were answered now. Throws ActionError. */
export const answerContributionsAtom = atom(
  null,
  async (_get, set, collectionId: string, { ids, accept }: { ids: string[]; accept: boolean }) => {
    const answering = call(accept ? contract.acceptContributions : contract.declineContributions, {
      params: { id: collectionId },
      body: { ids },
    })
    const answer = await named(accept ? t`They could not be accepted` : t`They could not be declined`, answering)
    // The card of the collection counts what waits.
    await Promise.all([set(fetchContributionsAtom, collectionId), set(fetchCollectionsAtom)])
    return answer.ids
  },
)
