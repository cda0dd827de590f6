import { useAtomValue, useSetAtom } from 'jotai'
import { sentences } from '#language'
import { plural, t } from '#say'
import { withFullStop } from '../../../contract/full-stop.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { isOwnAtom, nameOf, staysWithAuthorAtom, trashItemsAtom } from '../../atoms/bulk.ts'
import { selectedCollectionAtom } from '../../atoms/collections.ts'
import type { Change } from '../../atoms/outbox-types.ts'
import { mayRemoveAtom } from '../../atoms/rights.ts'
import { withPartsAtom } from '../../atoms/tiles.ts'
import type { Item } from '../../lib/bulk/plan.ts'
import { skippedTexts } from '../../lib/bulk/words.ts'
import { focusAfter } from '../focus-after.ts'
import { useConfirm } from '../overlays/confirm-dialog.tsx'

/** Larger numbers are confirmed first, although there is Undo. */
const MANY = 50

/** Moves items to the trash; `reason` says why the user may not trash any of them. */
export function useTrashItems() {
  const mayRemove = useAtomValue(mayRemoveAtom)
  const isOwn = useAtomValue(isOwnAtom)
  const staysWithAuthor = useAtomValue(staysWithAuthorAtom)
  const collection = useAtomValue(selectedCollectionAtom)?.name ?? ''
  const trash = useSetAtom(trashItemsAtom)
  const confirm = useConfirm()
  const withParts = useAtomValue(withPartsAtom)
  return {
    reason(items: readonly Item[]): string | undefined {
      return items.length === 0 || items.some(mayRemove) ? undefined : t`Added by others. An admin or the owner can delete it.`
    },
    /** Asks for confirmation when there are many items, or items of others. Resolves to the change; to null if it was not made. */
    async remove(chosen: readonly Item[]): Promise<Change | null> {
      const items = withParts(chosen)
      const gone = items.filter(mayRemove)
      if (gone.length === 0) return null
      const focusNext = focusAfter(gone)
      const others = gone.filter((item) => !isOwn(item)).length
      const leaves = gone.some(staysWithAuthor) ? collection : null
      if ((gone.length > MANY || others > 0) && !(await confirm(questionOf({ gone, others, denied: items.length - gone.length, leaves }))))
        return null
      const change = await trash(items)
      focusNext()
      return change
    },
  }
}

interface Removal {
  gone: readonly Item[]
  /** Number of items that others added. */
  others: number
  /** Number of items that the user may not remove. */
  denied: number
  /** The collection that items leave which stay their authors'; null if all go to the trash. */
  leaves: string | null
}

function questionOf({ gone, others, denied, leaves }: Removal) {
  const one = gone.length === 1
  const texts = [
    others > 0 &&
      (one
        ? t`Another person added it.`
        : t`${plural(others, { one: '# item of them was added by others.', other: '# items of them were added by others.' })}`),
    leaves === null &&
      (one
        ? t`It can be restored for ${LIMITS.trashDays} days, then it is deleted permanently.`
        : t`They can be restored for ${LIMITS.trashDays} days, then they are deleted permanently.`),
    ...skippedTexts({ denied, undated: 0, beyond: 0 }).map(withFullStop),
  ]
  return {
    title: leaves === null ? t`Move ${nameOf(gone)} to the trash?` : t`Remove ${nameOf(gone)} from ${leaves}?`,
    description: sentences(texts),
    confirm: leaves === null ? t`Move to trash` : t`Remove`,
    danger: true,
  }
}
