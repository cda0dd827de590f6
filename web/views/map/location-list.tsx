import { memo, useMemo, useRef, useState } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import type { LocatedItem } from '../../atoms/map.ts'
import { countWords } from '../../lib/map/item-words.ts'
import type { PlaceIndex } from '../../lib/map/location-search.ts'
import { Skeleton } from '../../ui/states.tsx'
import { ItemFace } from './item-face.tsx'
import { pinSpot } from './pin-words.ts'
import type { Pin } from './use-clusters.ts'

/** Pins that share the nearest town. */
export interface Spot {
  name: string
  pins: Pin[]
  count: number
  kinds: number
  newest: LocatedItem
}

/** Newest first. Pins without a town nearby stay separate. */
export function spotsOf(pins: readonly Pin[], index: PlaceIndex | null): Spot[] {
  const spots = new Map<string, Spot>()
  for (const pin of pins.toSorted((a, b) => a.newest - b.newest)) {
    const name = pinSpot(pin, index)
    const spot = spots.get(name)
    if (spot) {
      spot.pins.push(pin)
      spot.count += pin.count
      spot.kinds |= pin.kinds
    } else spots.set(name, { name, pins: [pin], count: pin.count, kinds: pin.kinds, newest: pin.item })
  }
  return [...spots.values()]
}

interface LocationListProps {
  pins: readonly Pin[]
  index: PlaceIndex | null
  onOpen: (spot: Spot, element: HTMLElement) => void
}

/** The content of the map as a list, for keyboard and screen reader users. */
export function LocationList({ pins, index, onOpen }: LocationListProps) {
  const spots = useMemo(() => spotsOf(pins, index), [pins, index])
  const current = useRef({ spots, onOpen })
  current.current = { spots, onOpen }
  const [open] = useState(() => (name: string, element: HTMLElement) => {
    const spot = current.current.spots.find((one) => one.name === name)
    if (spot) current.current.onOpen(spot, element)
  })
  if (spots.length === 0) {
    return (
      <p className="px-5 py-8 text-center text-sm text-pretty text-muted">
        <Trans>No items in this area. Move the map or zoom out.</Trans>
      </p>
    )
  }
  return (
    <ul aria-label={t`Places in view`} className="grid grid-cols-[minmax(0,1fr)] gap-0.5 p-2">
      {spots.map(({ name, count, kinds, newest }) => (
        <LocationRow key={name} {...{ name, count, kinds, newest }} onOpen={open} />
      ))}
    </ul>
  )
}

/** Until the map knows what is in view. */
export function LocationListSkeleton() {
  return (
    <ul aria-hidden="true" className="grid gap-0.5 p-2">
      {['first', 'second', 'third'].map((key) => (
        <li key={key} className="flex items-center gap-3 p-2">
          <Skeleton className="size-12 shrink-0" />
          <Skeleton className="h-4 w-32" />
        </li>
      ))}
    </ul>
  )
}

interface LocationRowProps extends Omit<Spot, 'pins'> {
  onOpen: (name: string, element: HTMLElement) => void
}

const LocationRow = memo(function LocationRow({ name, count, kinds, newest, onOpen }: LocationRowProps) {
  return (
    // Items out of sight are not laid out.
    <li className="[contain-intrinsic-size:auto_4rem] [content-visibility:auto]">
      <button
        type="button"
        onClick={(event) => onOpen(name, event.currentTarget)}
        className="flex w-full items-center gap-3 rounded-lg p-2 text-start transition-colors duration-(--fast) hover:bg-muted focus-visible:-outline-offset-2"
      >
        <span className="size-12 shrink-0 overflow-hidden rounded-md">
          <ItemFace item={newest} />
        </span>
        <span className="min-w-0">
          <span className="block truncate font-medium" dir="auto">
            {name}
          </span>
          <span className="block text-sm text-muted tabular-nums">{countWords(count, kinds)}</span>
        </span>
      </button>
    </li>
  )
})
