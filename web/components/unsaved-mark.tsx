import { useAtomValue } from 'jotai'
import { unsavedItemsAtom } from '../atoms/pending.ts'
import { Icon } from '../ui/icon.tsx'

/** On what is shown as its person wants it, but not saved yet. */
export function UnsavedMark({ id }: { id: string }) {
  if (!useAtomValue(unsavedItemsAtom).has(id)) return null
  return (
    <span className="inline-flex items-center gap-1 text-warning">
      <Icon name="cloud-off" size={16} />
      Not saved yet
    </span>
  )
}
