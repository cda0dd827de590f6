import { atom } from 'jotai'
import { t } from '#say'
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
  /** `percent` is null when it is full. */
  const warn = async (id: string, usage: Promise<Usage>, titleOf: (percent: number | null) => string, description: string) => {
    const share = fullness(await usage)
    if (share < ALMOST_FULL) return
    const title = titleOf(share < 1 ? Math.floor(share * 100) : null)
    set(addToastAtom, { id, title, description, icon: 'warning', color: 'warning' })
  }
  const name = get(collectionsAtom)?.find(({ id }) => id === collectionId)?.name ?? t`The collection`
  await Promise.allSettled([
    warn(
      'full-account',
      set(fetchUsageAtom),
      (percent) => (percent === null ? t`Your storage is full` : t`Your storage is ${percent} % full`),
      t`Your profile settings show what you can do.`,
    ),
    warn(
      'full-collection',
      set(fetchUsageAtom, collectionId),
      (percent) => (percent === null ? t`${name} is full` : t`${name} is ${percent} % full`),
      t`The settings of the collection show what you can do.`,
    ),
  ])
})
