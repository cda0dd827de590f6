import { useAtomValue, useSetAtom } from 'jotai'
import { bulkRefusalsAtom, nameOf, selectedItemsAtom, unlinkItemsAtom } from '../../atoms/bulk.ts'
import { selectedCollectionAtom } from '../../atoms/collections.ts'
import { mayRemoveAtom } from '../../atoms/rights.ts'
import { planUnlink } from '../../lib/bulk/plan.ts'
import { itemCount, skippedTexts } from '../../lib/bulk/words.ts'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { useConfirm } from '../overlays/confirm-dialog.tsx'
import { useAsk } from '../overlays/overlay-outlet.tsx'
import { useAct } from '../overlays/use-act.ts'
import { BulkAction } from './action.tsx'

/** Adds the selected items to other collections, or removes them from this one. */
export function BulkCollections() {
  const items = useAtomValue(selectedItemsAtom)
  const collection = useAtomValue(selectedCollectionAtom)
  const refused = useAtomValue(bulkRefusalsAtom)
  const mayRemove = useAtomValue(mayRemoveAtom)
  const unlink = useSetAtom(unlinkItemsAtom)
  const confirm = useConfirm()
  const ask = useAsk()
  const act = useAct()
  if (!collection) return null
  const remove = async () => {
    const plan = planUnlink(items, mayRemove, collection.id)
    const { change, lost } = plan
    const question = {
      title: `Remove ${nameOf(change)} from ${collection.name}?`,
      description: [
        lost === 0 && `${change.length === 1 ? 'It stays' : 'They stay'} in the other collections.`,
        lost > 0 &&
          `${lost === change.length ? itemCount(lost) : `${lost.toLocaleString('en')} of them`} will no longer be in any of your collections.`,
        ...skippedTexts(plan).map((text) => `${text}.`),
      ]
        .filter(Boolean)
        .join(' '),
      confirm: 'Remove',
      danger: lost > 0,
    }
    if (await confirm(question)) await unlink(items)
  }
  return (
    <Menu side="top" align="start" trigger={<BulkAction icon="collections-bookmark" label="Collections" data-bulk-first="" />}>
      <MenuItem
        icon="add"
        disabledReason={refused.link}
        onSelect={() => void act(async () => ask((await import('./collections-dialog.tsx')).BulkCollectionsDialog, {}))}
      >
        Add to collections…
      </MenuItem>
      <MenuItem icon="remove" disabledReason={refused.unlink} onSelect={() => void act(remove)}>
        Remove from {collection.name}…
      </MenuItem>
    </Menu>
  )
}
