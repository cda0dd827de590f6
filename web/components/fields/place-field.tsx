import { t } from '#say'
import { Trans } from '#say/react'
import type { Location } from '../../../contract/locations.ts'
import { type Place, seesExactly } from '../../../contract/places.ts'
import { Switch } from '../../ui/checkbox.tsx'
import { LocationField } from './location-field.tsx'

interface PlaceFieldProps {
  /** What the user sees of the item's place. */
  place: Place | null | undefined
  location: Location | null
  hidden: boolean
  onChange: (change: { location?: Location | null; placeHidden?: boolean }) => void
}

/** The place of an item, and whether only its author and admins see it. */
export function PlaceField({ place, location, hidden, onChange }: PlaceFieldProps) {
  if (!seesExactly({ place }))
    return (
      <p className="text-sm text-muted">
        <Trans>You do not see the exact place, so you cannot change it. It stays as it is.</Trans>
      </p>
    )
  return (
    <div className="grid gap-3">
      <LocationField value={location} onChange={(next) => onChange({ location: next })} />
      <Switch
        label={t`Only the author and admins see where`}
        hint={t`Its author, admins and the owner see the place. Others see none, also in the original file.`}
        checked={hidden}
        onCheckedChange={(placeHidden) => onChange({ placeHidden })}
      />
    </div>
  )
}
