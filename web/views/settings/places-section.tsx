import { useSetAtom } from 'jotai'
import { useOptimistic, useTransition } from 'react'
import type { Collection } from '../../../contract/collections.ts'
import type { Places } from '../../../contract/places.ts'
import { may } from '../../../contract/policy.ts'
import { updateCollectionAtom } from '../../atoms/change-collections.ts'
import { useAct } from '../../components/overlays/use-act.ts'
import { SettingsSection } from '../../components/settings-section.tsx'
import { Segments } from '../../ui/segments.tsx'

const CHOICES: { value: Places; label: string }[] = [
  { value: 'exact', label: 'Exact place' },
  { value: 'town', label: 'Town' },
  { value: 'nothing', label: 'No place' },
]

const MEANING: Record<Places, string> = {
  exact:
    'Everybody here sees the exact place of each item, and can download originals that contain it, except for hidden items and home zones.',
  town: "Readers and writers see roughly where others' items are, to within about 10 kilometres, and no place names.",
  nothing: 'Readers and writers do not see where the items of others are.',
}

/** What members below admin see of the places of the items of others. Each choice is saved at once. */
export function PlacesSection({ collection: { id, role, places = 'exact' } }: { collection: Collection }) {
  const update = useSetAtom(updateCollectionAtom)
  const act = useAct()
  const [, startTransition] = useTransition()
  const [shown, setShown] = useOptimistic(places)
  const change = (next: Places) =>
    startTransition(async () => {
      setShown(next)
      await act(() => update(id, { places: next }))
    })
  const editable = may(role, 'collection.edit')
  return (
    <SettingsSection
      title="Places"
      description={`Authors, admins and the owner always see exact places.${editable ? '' : ' Admins and the owner can change this.'}`}
    >
      <div className="grid gap-3">
        {editable && <Segments label="What others see of a place" options={CHOICES} value={shown} onChange={change} />}
        <p className="max-w-prose text-sm text-pretty text-muted">{MEANING[shown]}</p>
      </div>
    </SettingsSection>
  )
}
