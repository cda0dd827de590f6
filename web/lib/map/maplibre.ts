import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'

export type { GeoJSONSource, Map as MapLibreMap, Marker } from 'maplibre-gl'
export type MapLibre = typeof import('maplibre-gl')

/** A quarter of a megabyte, fetched when the first map is opened. */
export async function loadMapLibre(): Promise<MapLibre> {
  const library = await import('maplibre-gl')
  library.setWorkerUrl(workerUrl)
  return library
}

/** Whether this browser can draw maps. Releases the context at once: a page has only a few. */
export function hasWebGl(): boolean {
  try {
    const context = document.createElement('canvas').getContext('webgl2')
    context?.getExtension('WEBGL_lose_context')?.loseContext()
    return context !== null
  } catch {
    return false
  }
}
