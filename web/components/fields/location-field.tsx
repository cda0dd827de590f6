import { Suspense, useId, useState } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import type { Location } from '../../../contract/locations.ts'
import { type Place, placeName } from '../../lib/map/location-search.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { isTouch } from '../is-touch.ts'
import { lazyPart, OptionalPart } from '../optional-part.tsx'
import { LocationSearch } from './location-search.tsx'

const LocationPickerMap = lazyPart(async () => (await import('../map/location-picker-map.tsx')).LocationPickerMap)

interface LocationFieldProps {
  label?: string
  value: Location | null
  onChange: (value: Location | null) => void
}

/** A location: searched by name, chosen on a small map, or none. */
export function LocationField({ label = t`Place`, value, onChange }: LocationFieldProps) {
  const id = useId()
  const [map, setMap] = useState(false)
  const choose = (place: Place) => onChange({ lat: place.lat, lon: place.lon, name: placeName(place) })
  return (
    <fieldset className="grid grid-cols-1 gap-2">
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      {value && (
        <div className="flex min-h-10 items-center gap-2 rounded-md bg-muted py-0.5 pe-1 ps-3">
          <Icon name="location-on" size={18} className="text-(--text-muted)" />
          <span className="min-w-0 grow truncate">{value.name ?? `${value.lat.toFixed(4)}, ${value.lon.toFixed(4)}`}</span>
          <Button
            variant="ghost"
            size="sm"
            icon="close"
            iconOnly
            onClick={(event) => {
              onChange(null)
              // The button disappears with the location. On a touch screen, moving the focus to the input would open the keyboard.
              if (!isTouch(event)) document.getElementById(id)?.focus()
            }}
          >
            <Trans>Clear place</Trans>
          </Button>
        </div>
      )}
      <div className="flex gap-2">
        <div className="min-w-0 grow">
          <LocationSearch
            id={id}
            label={value ? t`Search for another place` : t`Search for a place`}
            selectedKey={value ? `${value.lat},${value.lon}` : ''}
            onChoose={choose}
          />
        </div>
        <Button icon="map" iconOnly size="field" aria-expanded={map} onClick={() => setMap(!map)}>
          {map ? t`Hide map` : t`Choose on map`}
        </Button>
      </div>
      {map && (
        <div className="relative h-52 overflow-hidden rounded-lg border">
          <OptionalPart>
            <Suspense fallback={<Skeleton className="size-full" />}>
              <LocationPickerMap value={value} onChange={onChange} />
            </Suspense>
          </OptionalPart>
        </div>
      )}
    </fieldset>
  )
}
