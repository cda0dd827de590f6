import { useAtomValue } from 'jotai'
import { Trans } from '#say/react'
import { unsavedItemsAtom } from '../atoms/pending.ts'
import { Icon } from '../ui/icon.tsx'

/** Shown on items with changes that are not saved yet. */
export function UnsavedMark({ id }: { id: string }) {
  if (!useAtomValue(unsavedItemsAtom).has(id)) return null
  return (
    <span className="inline-flex items-center gap-1 text-warning">
      <Icon name="cloud-off" size={16} />
      <Trans>Not saved yet</Trans>
    </span>
  )
}
