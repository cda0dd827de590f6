import { useEffect, useState } from 'react'
import { joined, numberText } from '#language'
import { t } from '#say'
import type { MapItem } from '../../atoms/map.ts'
import { tileLabel } from '../../components/photos/asset-tile.tsx'
import { formatWhen } from '../../lib/dates/text.ts'
import { countWords } from '../../lib/map/item-words.ts'
import { type Place, type PlaceIndex, placeIndex, placeName } from '../../lib/map/location-search.ts'
import { memoizeByObject } from '../../lib/memoize-by-object.ts'
import { kindLabel } from '../../lib/posts/kind-label.ts'
import type { Pin } from './use-clusters.ts'

/** Names for locations, once the index of places has loaded; null until then, and if it cannot be fetched. */
export function usePlaceIndex(): PlaceIndex | null {
  const [index, setIndex] = useState<PlaceIndex | null>(null)
  useEffect(() => {
    let left = false
    placeIndex().then(
      (loaded) => left || setIndex(loaded),
      () => undefined,
    )
    return () => {
      left = true
    }
  }, [])
  return index
}

type Spot = { lat: number; lon: number }

/** Cached: while a map moves, the same hundreds of locations are named again and again. */
const nearestIn = memoizeByObject((index: PlaceIndex) => memoizeByObject(({ lat, lon }: Spot) => index.nearest(lat, lon)))
const nearestTo = (index: PlaceIndex | null, spot: Spot): Place | null => index && nearestIn(index)(spot)

/** `Kyoto, Japan`, or the coordinates when no town is nearby. */
export function spotName(index: PlaceIndex | null, spot: Spot): string {
  const place = nearestTo(index, spot)
  return place ? placeName(place) : coordinates(spot.lat, spot.lon)
}

function coordinates(lat: number, lon: number): string {
  const [north, east] = [numberText(Math.abs(lat), 1), numberText(Math.abs(lon), 1)]
  const latitude = lat < 0 ? t`${{ degrees: north }}° S` : t`${{ degrees: north }}° N`
  const longitude = lon < 0 ? t`${{ degrees: east }}° W` : t`${{ degrees: east }}° E`
  return joined([latitude, longitude])
}

/** The location name of a single item; for several items the town nearest to the newest. */
export function pinSpot({ count, item }: Pin, index: PlaceIndex | null): string {
  const { location } = item.row
  return (count === 1 && location.name) || spotName(index, location)
}

/** `14 photos near Kyoto`, or the title of the single item. */
export function pinLabel(pin: Pin, index: PlaceIndex | null): string {
  if (pin.count === 1) return itemLabel(pin.item)
  const { location } = pin.item.row
  const { lat, lon } = location
  const near = nearestTo(index, location)?.name
  const items = countWords(pin.count, pin.kinds)
  return near ? t`${items} near ${{ place: near }}` : t`${items} at ${{ place: coordinates(lat, lon) }}`
}

export function itemLabel(item: MapItem): string {
  if (item.kind === 'asset') return tileLabel(item.row)
  return joined([`${kindLabel(item.row.type)} ${item.row.title}`, item.row.date && formatWhen(item.row)])
}
