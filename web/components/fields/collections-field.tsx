import { useAtomValue } from 'jotai'
import { may } from '../../../contract/policy.ts'
import { collectionsAtom, selectedCollectionAtom } from '../../atoms/collections.ts'
import { Checkbox } from '../../ui/checkbox.tsx'

interface CollectionsFieldProps {
  label: string
  value: readonly string[]
  /** Collections that are not offered. */
  hidden?: (id: string) => boolean
  onChange: (ids: string[]) => void
}

/** Other collections that the user may add to. */
export function useOtherCollections() {
  const collections = useAtomValue(collectionsAtom)
  const here = useAtomValue(selectedCollectionAtom)?.id
  return (collections ?? []).filter(({ id, role }) => id !== here && may(role, 'item.add'))
}

/** Chooses further collections for an item; renders nothing when there are no others. */
export function CollectionsField({ label, value, hidden, onChange }: CollectionsFieldProps) {
  const others = useOtherCollections().filter(({ id }) => !hidden?.(id))
  if (others.length === 0) return null
  return (
    <fieldset className="grid grid-cols-1 gap-1">
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      <div className="-mx-1 grid max-h-48 gap-1 overflow-y-auto p-1">
        {others.map(({ id, name }) => (
          <Checkbox
            key={id}
            label={name}
            checked={value.includes(id)}
            onCheckedChange={(on) => onChange(on ? [...value, id] : value.filter((other) => other !== id))}
          />
        ))}
      </div>
    </fieldset>
  )
}
