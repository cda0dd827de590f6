import { useAtomValue } from 'jotai'
import type { MapOptions } from 'maplibre-gl'
import { useCallback, useEffect, useRef } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { lastPositionsAtom } from '../../atoms/map.ts'
import { selectedCollectionIdAtom } from '../../atoms/selection.ts'
import type { BaseMapState } from '../../components/use-base-map.ts'
import type { MapLibreMap } from '../../lib/map/maplibre.ts'
import { type Bounds, formatPosition, type Position, parsePosition } from '../../lib/map/position.ts'

/** Deep enough to see where it is, not so deep that one photo fills the map with nothing. Pins at the edge keep their picture. */
export function fitOptions(width: number) {
  const side = Math.min(64, width / 9)
  return { padding: { top: side, bottom: side * 1.5, left: side, right: side }, maxZoom: 7 }
}

type Beginning = Pick<MapOptions, 'center' | 'zoom' | 'bounds' | 'fitBoundsOptions'>

/** Keeps the address (`?at=`) and the map at the same place. `begin` says where the map looks at first, `untouched` that nobody has moved it. */
export function useMapAddress(
  state: BaseMapState,
  contentBounds: () => Bounds | null,
  width: () => number,
): { begin: () => Beginning; untouched: () => boolean } {
  const [search, setSearch] = useSearchParams()
  const collectionId = useAtomValue(selectedCollectionIdAtom) ?? ''
  const last = useAtomValue(lastPositionsAtom)
  const at = search.get('at')
  const written = useRef(at)
  const location = useLocation()
  const write = useRef<(at: string) => void>(() => {})
  useEffect(() => {
    write.current = (next) => {
      written.current = next
      const change = (before: URLSearchParams) => {
        const after = new URLSearchParams(before)
        after.set('at', next)
        return after
      }
      setSearch(change, { replace: true, preventScrollReset: true, state: location.state })
    }
  }, [setSearch, location.state])
  const map = typeof state === 'string' ? null : state.map

  useEffect(() => {
    if (!map) return
    const tell = () => {
      const position = positionOf(map)
      last.set(collectionId, position)
      const next = formatPosition(position)
      if (next !== written.current) write.current(next)
    }
    map.on('moveend', tell)
    return () => {
      map.off('moveend', tell)
    }
  }, [map, last, collectionId])

  useEffect(() => {
    // Somebody went back, or followed a link.
    if (!map || at === written.current) return
    written.current = at
    const position = parsePosition(at)
    if (position) map.jumpTo(optionsOf(position))
  }, [map, at])

  const begin = useCallback((): Beginning => {
    const position = parsePosition(at) ?? last.get(collectionId)
    if (position) return optionsOf(position)
    const bounds = contentBounds()
    return bounds ? { bounds, fitBoundsOptions: fitOptions(width()) } : { center: [10, 25], zoom: 1.3 }
  }, [at, last, collectionId, contentBounds, width])
  return { begin, untouched: () => at === null && !last.has(collectionId) }
}

function positionOf(map: MapLibreMap): Position {
  const { lat, lng } = map.getCenter()
  return { lat, lon: lng, zoom: map.getZoom() }
}

function optionsOf({ lat, lon, zoom }: Position) {
  return { center: [lon, lat] as [number, number], zoom }
}
