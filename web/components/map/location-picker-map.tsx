import type { LngLat } from 'maplibre-gl'
import { type KeyboardEvent, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { t } from '#say'
import { Trans } from '#say/react'
import type { Location } from '../../../contract/locations.ts'
import { locationAt } from '../../lib/map/location-at.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { type BaseMap, useBaseMap } from './use-base-map.ts'

interface LocationPickerMapProps {
  value: Location | null
  onChange: (value: Location) => void
}

/** A small map: click a location, drag the pin, or move the map with the arrow keys and use its centre. */
export function LocationPickerMap({ value, onChange }: LocationPickerMapProps) {
  const container = useRef<HTMLDivElement>(null)
  const [state, retry] = useBaseMap(
    container,
    t`Map for choosing a place: arrow keys move it, plus and minus zoom, Enter selects its centre`,
    () => (value ? { center: [value.lon, value.lat], zoom: 6 } : { center: [10, 30], zoom: 0.6 }),
  )
  const base = typeof state === 'string' ? null : state
  const map = base?.map
  const put = ({ lat, lng }: LngLat) => void locationAt(lat, lng).then(onChange)
  const onClick = useEffectEvent(put)

  useEffect(() => {
    if (!map) return
    const clicked = ({ lngLat }: { lngLat: LngLat }) => onClick(lngLat.wrap())
    map.on('click', clicked)
    return () => {
      map.off('click', clicked)
    }
  }, [map])
  useEffect(() => {
    if (!map || !value || map.getBounds().contains([value.lon, value.lat])) return
    map.jumpTo({ center: [value.lon, value.lat], zoom: Math.max(map.getZoom(), 6) })
  }, [map, value])

  if (state === 'no-webgl')
    return (
      <p className="grid size-full place-items-center px-4 text-center text-sm text-muted">
        <Trans>This browser cannot display maps. Search for the place instead.</Trans>
      </p>
    )
  const middle = () => {
    const center = map?.getCenter().wrap()
    if (center) put(center)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Enter bubbles up from the map inside, which has the focus
    <div
      className="size-full"
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key !== 'Enter' || !(event.target instanceof HTMLCanvasElement)) return
        event.preventDefault()
        middle()
      }}
    >
      <div ref={container} className="absolute inset-0" />
      {state === 'loading' && <Skeleton rounded="none" className="absolute inset-0" />}
      {state === 'failed' && (
        <div className="absolute inset-0 grid place-items-center">
          <Button icon="refresh" onClick={retry}>
            <Trans>Reload map</Trans>
          </Button>
        </div>
      )}
      {base && value && <LocationPin base={base} value={value} onMove={put} />}
      {base && (
        <Button size="sm" className="absolute end-2 max-lg:bottom-2 lg:top-2 shadow-raised" onClick={middle}>
          <Trans>Use map centre</Trans>
        </Button>
      )}
    </div>
  )
}

interface LocationPinProps {
  base: BaseMap
  value: Location
  onMove: (at: LngLat) => void
}

function LocationPin({ base: { library, map }, value: { lat, lon }, onMove }: LocationPinProps) {
  const [host] = useState(() => Object.assign(document.createElement('div'), { role: 'none' }))
  const onDragEnd = useEffectEvent(onMove)
  useLayoutEffect(() => {
    const marker = new library.Marker({ element: host, draggable: true, anchor: 'bottom' }).setLngLat([lon, lat]).addTo(map)
    marker.on('dragend', () => onDragEnd(marker.getLngLat().wrap()))
    return () => {
      marker.remove()
    }
  }, [library, map, host, lat, lon])
  return createPortal(
    <span className="grid size-9 cursor-grab place-items-center rounded-full border-2 border-(--bg-raised) bg-accent text-on-accent shadow-raised">
      <Icon name="location-on" size={20} />
    </span>,
    host,
  )
}
