import type { LngLat, MapOptions } from 'maplibre-gl'
import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { t } from '#say'
import { type Base, BUILT_IN, loadBase } from '../../lib/map/base.ts'
import { type MapColors, onColorsChange, readColors } from '../../lib/map/colors.ts'
import { hasWebGl, loadMapLibre, type MapLibre, type MapLibreMap } from '../../lib/map/maplibre.ts'
import { MIN_ZOOM } from '../../lib/map/position.ts'
import { afterPaint } from '../../lib/scheduling.ts'
import './map.css'

export interface BaseMap {
  library: MapLibre
  map: MapLibreMap
}

/** `no-webgl`: the browser cannot draw maps. `failed`: a part could not be fetched. */
type BaseMapState = BaseMap | 'loading' | 'no-webgl' | 'failed'

type Options = Pick<MapOptions, 'center' | 'zoom' | 'bounds' | 'fitBoundsOptions'>

/** A map in `container`, in the current colours of the app. `begin` returns the initial view, and is called once the map can be drawn. */
export function useBaseMap(
  container: RefObject<HTMLElement | null>,
  label: string,
  begin: () => Options,
): [BaseMapState, retry: () => void] {
  const [state, setState] = useState<BaseMapState>('loading')
  const [attempt, setAttempt] = useState(0)
  const initialView = useEffectEvent(begin)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a retry starts over
  useEffect(() => {
    const leaving = new AbortController()
    const open = async () => {
      // Requesting a WebGL context alone may delay a frame.
      await afterPaint()
      if (leaving.signal.aborted) return
      if (!hasWebGl()) return setState('no-webgl')
      const library = await loadMapLibre()
      const base = await loadBase(library)
      if (leaving.signal.aborted || !container.current) return
      const map = makeMap(library, base, container.current, label, initialView())
      leaving.signal.addEventListener('abort', () => map.remove())
      leaving.signal.addEventListener('abort', followColors(map, await styled(map, base)))
      if (!leaving.signal.aborted) setState({ library, map })
    }
    open().catch(() => leaving.signal.aborted || setState('failed'))
    return () => {
      leaving.abort()
      setState('loading')
    }
  }, [attempt])
  return [state, () => setAttempt((nth) => nth + 1)]
}

function makeMap(library: MapLibre, base: Base, container: HTMLElement, label: string, options: Options): MapLibreMap {
  // The whole world fits on the smallest phone, and no screen shows it much more than once.
  const minZoom = Math.max(MIN_ZOOM, Math.min(0.6, Math.log2(container.clientWidth / 600)))
  let made: MapLibreMap | null = null
  const map = new library.Map({
    container,
    style: base.style(readColors()),
    minZoom,
    maxZoom: base.maxZoom,
    // By default the world is never lower than its container, so that on a phone its sides would be cut off.
    transformConstrain: (center, zoom) => {
      const within = Math.max(minZoom, Math.min(made?.getMaxZoom() ?? base.maxZoom, zoom))
      return { center: keptInSight(library, center, container.clientHeight / worldSize(within)), zoom: within }
    },
    attributionControl: false,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    fadeDuration: 120,
    locale: { 'Map.Title': label, 'AttributionControl.ToggleAttribution': t`Toggle attribution` },
    ...options,
  })
  made = map
  // Marks the map as fully drawn, for tests: it takes a while without a GPU.
  map.on('render', () => delete container.dataset.drawn)
  map.on('idle', () => Object.assign(container.dataset, { drawn: '' }))
  map.addControl(new library.AttributionControl({}), 'bottom-right')
  map.touchZoomRotate.disableRotation()
  map.keyboard.disableRotation()
  return map
}

/** Pixels of the world's side. */
const worldSize = (zoom: number) => 512 * 2 ** zoom

/** A centre from which the world fills the container from top to bottom, or lies in it as a whole. `height` of the container is in worlds. */
function keptInSight(library: MapLibre, center: LngLat, height: number): LngLat {
  const { x, y } = library.MercatorCoordinate.fromLngLat(center)
  const edge = Math.min(height / 2, 1 - height / 2)
  const kept = Math.max(edge, Math.min(1 - edge, y))
  return kept === y ? center : new library.MercatorCoordinate(x, kept).toLngLat()
}

/** Waits for the style; if it cannot be fetched, the built-in map is used. Tiles may arrive later, or never. */
function styled(map: MapLibreMap, base: Base): Promise<Base> {
  return new Promise((resolve) => {
    let shown = base
    const failed = () => {
      if (shown === BUILT_IN) return
      shown = BUILT_IN
      map.setMaxZoom(BUILT_IN.maxZoom)
      map.setStyle(BUILT_IN.style(readColors()))
    }
    map.on('error', failed)
    map.once('style.load', () => {
      map.off('error', failed)
      resolve(shown)
    })
  })
}

/** One repaint for several changes at once. Layers added by others (`own:…`) stay. */
function followColors(map: MapLibreMap, base: Base): () => void {
  let shown = key(readColors())
  let frame = 0
  const repaint = () => {
    const colors = readColors()
    if (shown === key(colors)) return
    shown = key(colors)
    map.setStyle(base.style(colors), {
      transformStyle: (before, next) => ({
        ...next,
        sources: { ...next.sources, ...Object.fromEntries(Object.entries(before?.sources ?? {}).filter(([id]) => id.startsWith('own:'))) },
        layers: [...next.layers, ...(before?.layers ?? []).filter(({ id }) => id.startsWith('own:'))],
      }),
    })
  }
  const stop = onColorsChange(() => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(repaint)
  })
  return () => {
    cancelAnimationFrame(frame)
    stop()
  }
}

function key(colors: MapColors): string {
  return Object.values(colors).join()
}
