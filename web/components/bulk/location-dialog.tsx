import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import { t } from '#say'
import type { Location } from '../../../contract/locations.ts'
import { applyPlanAtom, selectedItemsAtom } from '../../atoms/bulk.ts'
import type { OverlayProps } from '../../atoms/overlays.ts'
import { mayEditAtom } from '../../atoms/rights.ts'
import { locationName, planLocation } from '../../lib/bulk/plan.ts'
import { itemsPhrase, itemsText, previewText } from '../../lib/bulk/words.ts'
import { Segments } from '../../ui/segments.tsx'
import { LocationField } from '../fields/location-field.tsx'
import { BulkDialog } from './dialog.tsx'

const modes = () =>
  [
    { value: 'set', label: t`Choose a place` },
    { value: 'clear', label: t`No place` },
  ] as const

/** Sets one location for all selected items, or removes it. */
export function BulkLocationDialog({ open, close, onClosed }: OverlayProps<void>) {
  const [items] = useState(useAtomValue(selectedItemsAtom))
  const mayEdit = useAtomValue(mayEditAtom)
  const apply = useSetAtom(applyPlanAtom)
  const [mode, setMode] = useState<'set' | 'clear'>('set')
  const [draft, setDraft] = useState<Location | null>(() => sharedBy(items.map(({ location }) => location)))
  const location = mode === 'clear' ? null : draft
  const chosen = mode === 'clear' || draft !== null
  const plan = planLocation(items, mayEdit, location)
  return (
    <BulkDialog
      {...{ open, close, onClosed }}
      title={t`Place`}
      description={itemsText(items)}
      preview={chosen ? previewText(plan) : t`Choose a place to see what changes.`}
      reason={chosen ? (plan.change.length === 0 ? t`Nothing changes` : undefined) : t`Choose a place first`}
      onApply={() =>
        apply({
          plan,
          change: { kind: 'location', location },
          title: location
            ? t`${itemsPhrase(plan.change)} moved to ${locationName(location)}`
            : t`${itemsPhrase(plan.change)} removed from the map`,
          icon: location ? 'location-on' : 'location-off',
        })
      }
    >
      <Segments label={t`Action`} hideLabel options={modes()} value={mode} onChange={setMode} />
      {mode === 'set' && <LocationField value={draft} onChange={setDraft} />}
    </BulkDialog>
  )
}

/** The location that all items share, as the initial value. */
function sharedBy(locations: readonly (Location | null)[]): Location | null {
  const [first = null] = locations
  return locations.every((other) => other?.lat === first?.lat && other?.lon === first?.lon && other?.name === first?.name) ? first : null
}
