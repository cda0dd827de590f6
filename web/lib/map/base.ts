import type { StyleSpecification } from 'maplibre-gl'
import { getMapConfig, getMapTiles, type MapConfig } from '../../../contract/map.ts'
import { call, urlOf } from '../api.ts'
import { BUILT_IN_MAX_ZOOM, builtInStyle } from './built-in-style.ts'
import type { MapColors } from './colors.ts'
import type { MapLibre } from './maplibre.ts'
import { MAX_ZOOM } from './position.ts'

export interface Base {
  maxZoom: number
  style(colors: MapColors): StyleSpecification | string
}

/** Always available, also when the configured map cannot be reached. */
export const BUILT_IN: Base = { maxZoom: BUILT_IN_MAX_ZOOM, style: builtInStyle }

let request: Promise<MapConfig> | undefined

/** Base map configured for this site. The built-in map if the configuration cannot be loaded. */
export async function loadBase(library: MapLibre): Promise<Base> {
  if (!navigator.onLine) return BUILT_IN
  request ??= call(getMapConfig)
  const config = await request.catch(() => {
    request = undefined
    return null
  })
  if (config?.style) {
    const { light, dark } = config.style
    return { maxZoom: MAX_ZOOM, style: (colors) => (colors.dark ? dark : light) }
  }
  if (!config?.tiles) return BUILT_IN
  const { tilesStyle } = await import('./tiles-style.ts')
  return { maxZoom: MAX_ZOOM, style: (colors) => tilesStyle(library, urlOf(getMapTiles.path), colors) }
}
