import { useAtomValue } from 'jotai'
import { editorsAtom } from '../atoms/presence.ts'
import { Icon } from '../ui/icon.tsx'

/** Shows who else has this item open in an editor, so that two people do not overwrite each other's changes. */
export function EditingMark({ itemId }: { itemId: string }) {
  const editors = useAtomValue(editorsAtom).get(itemId) ?? []
  return (
    <span role="status" className="ml-auto min-w-0">
      {editors.length > 0 && (
        <span className="flex animate-fade-in items-center gap-1 rounded-full bg-accent-soft px-2 py-0.5 font-medium text-accent">
          <Icon name="edit" size={16} />
          <span className="truncate">{editingText(editors.map(({ name }) => name))}</span>
        </span>
      )}
    </span>
  )
}

function editingText([first = '', ...others]: string[]): string {
  if (others.length === 0) return `${first} is editing`
  return others.length === 1 ? `${first} and ${others[0]} are editing` : `${first} and ${others.length} others are editing`
}
