import { useAtomValue, useSetAtom } from 'jotai'
import { LIMITS } from '../../../contract/limits.ts'
import { isOwnAtom, nameOf, trashItemsAtom } from '../../atoms/bulk.ts'
import type { Change } from '../../atoms/outbox-types.ts'
import { mayRemoveAtom } from '../../atoms/rights.ts'
import { withPartsAtom } from '../../atoms/tiles.ts'
import type { Item } from '../../lib/bulk/plan.ts'
import { itemCount, skippedTexts } from '../../lib/bulk/words.ts'
import { useConfirm } from '../overlays/confirm-dialog.tsx'

/** Larger numbers are confirmed first, although there is Undo. */
const MANY = 50

/** Moves items to the trash; `reason` says why the user may not trash any of them. */
export function useTrashItems() {
  const mayRemove = useAtomValue(mayRemoveAtom)
  const isOwn = useAtomValue(isOwnAtom)
  const trash = useSetAtom(trashItemsAtom)
  const confirm = useConfirm()
  const withParts = useAtomValue(withPartsAtom)
  return {
    reason(items: readonly Item[]): string | undefined {
      return items.length === 0 || items.some(mayRemove) ? undefined : 'Added by others. An admin or the owner can delete it.'
    },
    /** Asks for confirmation when there are many items, or items of others. Resolves to the change; to null if it was not made. */
    async remove(chosen: readonly Item[]): Promise<Change | null> {
      const items = withParts(chosen)
      const gone = items.filter(mayRemove)
      if (gone.length === 0) return null
      const others = gone.filter((item) => !isOwn(item)).length
      if ((gone.length > MANY || others > 0) && !(await confirm(questionOf(gone, others, items.length - gone.length)))) return null
      return trash(items)
    },
  }
}

function questionOf(gone: readonly Item[], others: number, denied: number) {
  const one = gone.length === 1
  const [they, are] = one ? ['It', 'is'] : ['They', 'are']
  const whose =
    others === 0
      ? ''
      : one
        ? 'Another person added it. '
        : `${itemCount(others)} of them ${others === 1 ? 'was' : 'were'} added by others. `
  const rest = skippedTexts({ denied, undated: 0, beyond: 0 })
  return {
    title: `Move ${nameOf(gone)} to the trash?`,
    description: `${whose}${they} can be restored for ${LIMITS.trashDays} days, then ${they.toLowerCase()} ${are} deleted permanently.${rest.map((text) => ` ${text}.`).join('')}`,
    confirm: 'Move to trash',
    danger: true,
  }
}
