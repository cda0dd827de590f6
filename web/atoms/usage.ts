import { atom } from 'jotai'
import { getCollectionUsage, getUsage, type Usage } from '../../contract/usage.ts'
import { call } from '../lib/api.ts'
import { ALMOST_FULL, fullness } from '../lib/usage.ts'
import { collectionsAtom } from './collections.ts'
import { addToastAtom } from './toasts.ts'

/** Usage of the account, or of a collection. Throws ApiError. */
export const fetchUsageAtom = atom(null, async (_get, _set, collectionId?: string): Promise<Usage> => {
  const { usage } = collectionId ? await call(getCollectionUsage, { params: { id: collectionId } }) : await call(getUsage)
  return usage
})

/** Warns after uploads into a collection if it or the account is almost full. */
export const warnOfFullStorageAtom = atom(null, async (get, set, collectionId: string): Promise<void> => {
  const warn = async (id: string, subject: string, usage: Promise<Usage>, description: string) => {
    const share = fullness(await usage)
    if (share < ALMOST_FULL) return
    const title = share < 1 ? `${subject} is ${Math.floor(share * 100)} % full` : `${subject} is full`
    set(addToastAtom, { id, title, description, icon: 'warning', color: 'warning' })
  }
  const name = get(collectionsAtom)?.find(({ id }) => id === collectionId)?.name ?? 'The collection'
  await Promise.allSettled([
    warn('full-account', 'Your storage', set(fetchUsageAtom), 'Your profile settings show what you can do.'),
    warn('full-collection', name, set(fetchUsageAtom, collectionId), 'The settings of the collection show what you can do.'),
  ])
})
