import { useSetAtom } from 'jotai'
import { type Said, say } from '#language'
import { msg, t } from '#say'
import type { Collection } from '../../../contract/collections.ts'
import type { Places } from '../../../contract/places.ts'
import { may } from '../../../contract/policy.ts'
import { updateCollectionAtom } from '../../atoms/change-collections.ts'
import { SettingsSection } from '../../components/settings-section.tsx'
import { useSetting } from '../../components/use-setting.ts'
import { Segments } from '../../ui/segments.tsx'

const choices = (): { value: Places; label: string }[] => [
  { value: 'exact', label: t`Exact place` },
  { value: 'town', label: t`Town` },
  { value: 'nothing', label: t`No place` },
]

const MEANING: Record<Places, Said> = {
  exact: msg`Everybody here sees the exact place of each item, and can download originals that contain it, except for hidden items and home zones.`,
  town: msg`Readers and writers see roughly where others' items are, to within about 10 kilometres, and no place names.`,
  nothing: msg`Readers and writers do not see where the items of others are.`,
}

/** What members below admin see of the places of the items of others. Each choice is saved at once. */
export function PlacesSection({ collection: { id, role, places = 'exact' } }: { collection: Collection }) {
  const update = useSetAtom(updateCollectionAtom)
  const [shown, choose] = useSetting(places, (next) => update(id, { places: next }))
  const editable = may(role, 'collection.edit')
  return (
    <SettingsSection
      title={t`Places`}
      description={
        editable
          ? t`Authors, admins and the owner always see exact places.`
          : t`Authors, admins and the owner always see exact places. Admins and the owner can change this.`
      }
    >
      <div className="grid gap-3">
        {editable && <Segments label={t`What others see of a place`} options={choices()} value={shown} onChange={choose} />}
        <p className="max-w-prose text-sm text-pretty text-muted">{say(MEANING[shown])}</p>
      </div>
    </SettingsSection>
  )
}
