import { useAtomValue } from 'jotai'
import type { MapOptions } from 'maplibre-gl'
import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { lastPositionsAtom } from '../../atoms/map.ts'
import { selectedCollectionIdAtom } from '../../atoms/selected-collection.ts'
import { useChangeUrlState } from '../../components/use-view-param.ts'
import type { MapLibreMap } from '../../lib/map/maplibre.ts'
import { type Bounds, formatPosition, type Position, parsePosition } from '../../lib/map/position.ts'

/** Pixels: half of the largest pin with its count, and what lies over the edges of the map: buttons, the map's sources, the list's header. */
const PIN = 40
const ZOOM_BUTTONS = 56
const SOURCES = 24
const TRAY_BUTTON = 56
const SHEET = 60

interface Edges {
  /** The list is beside the map, not over it. */
  wide: boolean
  /** The button for items without a location is there. */
  tray: boolean
}

/** Deep enough to recognise the location, but not so deep that one photo fills the map. Every pin stays whole and beside what lies over the map. */
export function fitOptions({ wide, tray }: Edges) {
  const bottom = PIN + (wide ? SOURCES : SHEET)
  const padding = { top: PIN + (wide ? 0 : SOURCES), bottom: tray ? Math.max(bottom, PIN + TRAY_BUTTON + (wide ? 0 : SHEET)) : bottom }
  return { padding: { ...padding, left: PIN, right: PIN + ZOOM_BUTTONS }, maxZoom: 7 }
}

type Beginning = Pick<MapOptions, 'center' | 'zoom' | 'bounds' | 'fitBoundsOptions'>

/** `begin` returns the initial view; `untouched` tells whether the user has not moved the map. */
export function useInitialView(contentBounds: () => Bounds | null, edges: Edges) {
  const { at, last, collectionId } = usePositions()
  const begin = (): Beginning => {
    const position = parsePosition(at) ?? last.get(collectionId)
    if (position) return optionsOf(position)
    const bounds = contentBounds()
    return bounds ? { bounds, fitBoundsOptions: fitOptions(edges) } : { center: [10, 25], zoom: 1.3 }
  }
  return { begin, untouched: () => at === null && !last.has(collectionId) }
}

/** Keeps the URL (`?at=`) and the map in sync. */
export function useMapUrlState(map: MapLibreMap | null): void {
  const { at, last, collectionId } = usePositions()
  const known = useRef(at)
  const written = useRef<string[]>([])
  const change = useChangeUrlState()

  useEffect(() => {
    if (!map) return
    const onMoveEnd = () => {
      const position = positionOf(map)
      last.set(collectionId, position)
      const next = formatPosition(position)
      if (next === (written.current.at(-1) ?? known.current)) return
      written.current.push(next)
      void change({ at: next }, 'gather')
    }
    map.on('moveend', onMoveEnd)
    return () => {
      map.off('moveend', onMoveEnd)
    }
  }, [map, last, collectionId, change])

  useEffect(() => {
    if (!map || at === known.current) return
    known.current = at
    const own = written.current.indexOf(at ?? '')
    written.current.splice(0, own < 0 ? written.current.length : own + 1)
    // The user went back or followed a link.
    const position = own < 0 ? parsePosition(at) : null
    if (position) map.jumpTo(optionsOf(position))
  }, [map, at])
}

/** The position in the URL, and the last ones of the collections. */
function usePositions() {
  const [search] = useSearchParams()
  const collectionId = useAtomValue(selectedCollectionIdAtom) ?? ''
  const last = useAtomValue(lastPositionsAtom)
  return { at: search.get('at'), last, collectionId }
}

function positionOf(map: MapLibreMap): Position {
  const { lat, lng } = map.getCenter()
  return { lat, lon: lng, zoom: map.getZoom() }
}

function optionsOf({ lat, lon, zoom }: Position) {
  return { center: [lon, lat] as [number, number], zoom }
}
