import { endpoint, Success } from './endpoint.ts'
import { z } from './zod.ts'

/** What lies under the pins: a hosted style, an archive of tiles of our own, or, where neither is set, what is built into the app. */
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
/** A PMTiles archive, always in parts: without a Range header there is no answer, since the whole may be a planet. */
export const getMapTiles = endpoint({
  method: 'GET',
  path: '/api/map/tiles',
  summary: 'A part of the archive of map tiles',
  answers: 'application/vnd.pmtiles',
  knows: ['range', 'if-none-match'],
  response: z.file(),
})
