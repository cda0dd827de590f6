import { useAtomValue, useSetAtom } from 'jotai'
import { sentences } from '#language'
import { plural, t } from '#say'
import { Trans } from '#say/react'
import { withFullStop } from '../../../contract/full-stop.ts'
import { bulkRefusalsAtom, nameOf, selectedItemsAtom, unlinkItemsAtom } from '../../atoms/bulk.ts'
import { selectedCollectionAtom } from '../../atoms/collections.ts'
import { mayRemoveAtom } from '../../atoms/rights.ts'
import { planUnlink } from '../../lib/bulk/plan.ts'
import { skippedTexts } from '../../lib/bulk/words.ts'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { focusAfter } from '../focus-after.ts'
import { useConfirm } from '../overlays/confirm-dialog.tsx'
import { useAct } from '../overlays/use-act.ts'
import { useOpen } from '../overlays/use-open.ts'
import { BulkAction } from './action.tsx'

const loadAdd = async () => (await import('./collections-dialog.tsx')).BulkCollectionsDialog

/** Adds the selected items to other collections, or removes them from this one. */
export function BulkCollections() {
  const items = useAtomValue(selectedItemsAtom)
  const collection = useAtomValue(selectedCollectionAtom)
  const refused = useAtomValue(bulkRefusalsAtom)
  const mayRemove = useAtomValue(mayRemoveAtom)
  const unlink = useSetAtom(unlinkItemsAtom)
  const confirm = useConfirm()
  const open = useOpen()
  const act = useAct()
  if (!collection) return null
  const remove = async () => {
    const plan = planUnlink(items, mayRemove, collection.id)
    const { change, lost } = plan
    const question = {
      title: t`Remove ${nameOf(change)} from ${collection.name}?`,
      description: sentences([consequence(change.length, lost), ...skippedTexts(plan).map(withFullStop)]),
      confirm: t`Remove`,
      danger: lost > 0,
    }
    const focusNext = focusAfter(change)
    if (!(await confirm(question))) return
    await unlink(items, collection)
    focusNext()
  }
  return (
    <Menu side="top" align="start" trigger={<BulkAction icon="collections-bookmark" label={t`Collections`} data-bulk-first="" />}>
      <MenuItem icon="add" disabledReason={refused.link} onSelect={() => void open(loadAdd, {})}>
        <Trans>Add to collections…</Trans>
      </MenuItem>
      <MenuItem icon="remove" disabledReason={refused.unlink} onSelect={() => void act(remove)}>
        <Trans>Remove from {collection.name}…</Trans>
      </MenuItem>
    </Menu>
  )
}

function consequence(count: number, lost: number): string {
  if (lost === 0) return t`${plural(count, { one: 'It stays in the other collections.', other: 'They stay in the other collections.' })}`
  if (lost === count)
    return t`${plural(count, {
      one: '# item will no longer be in any of your collections.',
      other: '# items will no longer be in any of your collections.',
    })}`
  return t`${lost} of them will no longer be in any of your collections.`
}
