import { useAtomValue } from 'jotai'
import { t } from '#say'
import { LIMITS } from '../../../contract/limits.ts'
import { may } from '../../../contract/policy.ts'
import { selectedCollectionAtom } from '../../atoms/collections.ts'
import { sessionUserIdAtom } from '../../atoms/session.ts'
import { withPartsAtom } from '../../atoms/tiles.ts'
import type { Item } from '../../lib/bulk/plan.ts'
import { itemsPhrase } from '../../lib/bulk/words.ts'
import { useOpen } from '../overlays/use-open.ts'
import { loadShare } from './launch.ts'

/** Shares the open collection, or items of it, and says why the user may not. */
export function useShare() {
  const collection = useAtomValue(selectedCollectionAtom)
  const userId = useAtomValue(sessionUserIdAtom)
  const withParts = useAtomValue(withPartsAtom)
  const open = useOpen()
  const mayLink = (item: Item) => may(collection?.role, 'links.make', item.user_id === userId)
  /** Parts of a group go with its cover. */
  const shownBy = (items: readonly Item[]) => withParts(items).filter(mayLink)
  return {
    /** Without items the collection, or what the filters show. */
    share(items?: readonly Item[]) {
      if (!collection) return
      const chosen = items && { title: itemsPhrase(items), ids: shownBy(items).map(({ id }) => id) }
      void open(loadShare, { collection, chosen })
    },
    mayShare: may(collection?.role, 'links.make'),
    whyNot(items: readonly Item[]): string | undefined {
      if (items.every(mayLink))
        return shownBy(items).length > LIMITS.itemsPerLink ? t`Share at most ${LIMITS.itemsPerLink} items at once` : undefined
      return may(collection?.role, 'links.make', true)
        ? items.length === 1
          ? t`Someone else added this. They, an admin or the owner can share it.`
          : t`Others added some of these. They, an admin or the owner can share them.`
        : t`Your role is read-only. An admin or the owner can share it.`
    },
  }
}
