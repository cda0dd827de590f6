import type { LngLat } from 'maplibre-gl'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { plural, t } from '#say'
import { Trans } from '#say/react'
import type { Location } from '../../../contract/locations.ts'
import { itemsWords, kindBit, type MapItem } from '../../atoms/map.ts'
import { LocationSearch } from '../../components/fields/location-search.tsx'
import type { BaseMap } from '../../components/map/use-base-map.ts'
import { KIND_BITS } from '../../lib/map/item-words.ts'
import { locationAt } from '../../lib/map/location-at.ts'
import type { PlaceIndex } from '../../lib/map/location-search.ts'
import { Button } from '../../ui/button.tsx'
import { spotName } from './pin-words.ts'

/** Pixels per arrow key; with Shift the finer one. */
const STEP = 48
const FINE = 6
const ARROWS: Record<string, [x: number, y: number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }

const QUESTIONS: Readonly<Record<number, (count: number) => string>> = {
  [KIND_BITS.photo]: (count) => t`${plural(count, { one: 'Where was this photo?', other: 'Where were these # photos?' })}`,
  [KIND_BITS.video]: (count) => t`${plural(count, { one: 'Where was this video?', other: 'Where were these # videos?' })}`,
  [KIND_BITS.file]: (count) => t`${plural(count, { one: 'Where was this file?', other: 'Where were these # files?' })}`,
  [KIND_BITS.post]: (count) => t`${plural(count, { one: 'Where was this post?', other: 'Where were these # posts?' })}`,
}

function questionFor(items: readonly MapItem[]): string {
  const question = QUESTIONS[items.reduce((bits, item) => bits | kindBit(item), 0)]
  const count = items.length
  return question?.(count) ?? t`${plural(count, { one: 'Where was this item?', other: 'Where were these # items?' })}`
}

interface LocationChooserProps {
  base: BaseMap
  items: readonly MapItem[]
  index: PlaceIndex | null
  onChoose: (location: Location) => void
  onCancel: () => void
}

/** Chooses a location: the map moves under a cross at its centre, and a click or Enter puts the items there. */
export function LocationChooser({ base: { map }, items, index, onChoose, onCancel }: LocationChooserProps) {
  const cross = useRef<HTMLDivElement>(null)
  const [center, setCenter] = useState(() => map.getCenter().wrap())
  const choose = ({ lat, lng }: LngLat) => void locationAt(lat, lng).then(onChoose)
  const onClick = useEffectEvent(choose)

  useEffect(() => cross.current?.focus({ preventScroll: true }), [])
  useEffect(() => {
    const moved = () => setCenter(map.getCenter().wrap())
    const clicked = ({ lngLat }: { lngLat: LngLat }) => onClick(lngLat.wrap())
    map.on('moveend', moved)
    map.on('click', clicked)
    return () => {
      map.off('moveend', moved)
      map.off('click', clicked)
    }
  }, [map])

  const chooseCenter = () => choose(map.getCenter().wrap())
  const onKeyDown = (event: React.KeyboardEvent) => {
    const arrow = ARROWS[event.key]
    const step = event.shiftKey ? FINE : STEP
    if (arrow) map.panBy([arrow[0] * step, arrow[1] * step], { duration: 0 })
    else if (event.key === '+' || event.key === '=') map.zoomIn()
    else if (event.key === '-') map.zoomOut()
    else if (event.key === 'Enter') chooseCenter()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const spot = spotName(index, { lat: center.lat, lon: center.lng })
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it handles Esc wherever the focus is inside
    <div
      className="pointer-events-none absolute inset-0 z-6"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onCancel()
      }}
    >
      <div
        ref={cross}
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: an application takes the keys itself
        tabIndex={0}
        aria-label={t`Choose a place for ${{ items: itemsWords(items) }}. Arrow keys move the map, plus and minus zoom, Enter puts it here, Escape cancels.`}
        onKeyDown={onKeyDown}
        className="absolute inset-1 grid place-items-center rounded-lg"
      >
        <span aria-hidden="true" className="relative size-12">
          <span className="absolute inset-x-0 top-1/2 h-0.5 -translate-y-1/2 bg-accent" />
          <span className="absolute inset-y-0 left-1/2 w-0.5 -translate-x-1/2 bg-accent" />
          <span className="absolute inset-3 rounded-full border-2 border-accent bg-(--bg-raised)/60" />
        </span>
      </div>
      <div className="pointer-events-auto absolute inset-x-3 top-3 mx-auto grid max-w-xl grid-cols-[minmax(0,1fr)] gap-3 rounded-xl border bg-raised p-3 shadow-raised">
        <div className="flex flex-wrap items-center justify-end gap-3">
          <div className="min-w-0 grow basis-40">
            <p className="truncate font-semibold">{questionFor(items)}</p>
            <p aria-live="polite" className="truncate text-sm text-muted">
              {spot}
            </p>
          </div>
          <Button size="sm" variant="ghost" onClick={onCancel}>
            <Trans>Cancel</Trans>
          </Button>
          <Button size="sm" variant="primary" onClick={chooseCenter}>
            <Trans>Place here</Trans>
          </Button>
        </div>
        <LocationSearch
          onChoose={({ lat, lon }) => {
            map.jumpTo({ center: [lon, lat], zoom: Math.max(map.getZoom(), 7) })
            cross.current?.focus({ preventScroll: true })
          }}
        />
      </div>
    </div>
  )
}
