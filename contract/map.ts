import { endpoint, Success } from './endpoint.ts'
import { z } from './zod.ts'

/** Source of the map: a hosted style, or an archive of tiles of our own; without both, the app's built-in map. */
export const MapConfig = z.object({
  style: z.object({ light: z.url(), dark: z.url() }).nullable(),
  tiles: z.boolean(),
})
export type MapConfig = z.infer<typeof MapConfig>

export const getMapConfig = endpoint({
  method: 'GET',
  path: '/api/map/config',
  summary: 'What the map is drawn from',
  response: Success.extend(MapConfig.shape),
})
/** A PMTiles archive. Requires a Range header, since the whole archive may cover the planet. */
export const getMapTiles = endpoint({
  method: 'GET',
  path: '/api/map/tiles',
  summary: 'A part of the archive of map tiles',
  responseType: 'application/vnd.pmtiles',
  conditionalHeaders: ['range', 'if-none-match'],
  response: z.file(),
})
