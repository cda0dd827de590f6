import { useAtomValue } from 'jotai'
import { plural, t } from '#say'
import { editorsAtom } from '../atoms/presence.ts'
import { Icon } from '../ui/icon.tsx'

/** Shows who else has this item open in an editor, so that two people do not overwrite each other's changes. */
export function EditingMark({ itemId }: { itemId: string }) {
  const editors = useAtomValue(editorsAtom).get(itemId) ?? []
  return (
    <span role="status" className="ms-auto min-w-0">
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
  const [second] = others
  if (second === undefined) return t`${first} is editing`
  if (others.length === 1) return t`${first} and ${second} are editing`
  return t`${plural({ count: others.length }, { other: `${first} and # others are editing` })}`
}
