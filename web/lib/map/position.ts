/** Centre and zoom of a map. Degrees in WGS 84. */
export interface Position {
  lat: number
  lon: number
  zoom: number
}

/** Zoom 20 shows single doorsteps; on this projection the poles are infinitely far away. */
export const MAX_ZOOM = 20
export const MIN_ZOOM = -1
const MAX_LATITUDE = 85

/** `?at=lat,lon,zoom`: five decimals are about a metre. */
export function formatPosition({ lat, lon, zoom }: Position): string {
  const digits = Math.min(5, Math.max(1, Math.round(zoom / 3)))
  return [trim(clampLatitude(lat), digits), trim(wrapLongitude(lon), digits), trim(zoom, 2)].join(',')
}

/** Null for anything but a valid position. */
export function parsePosition(text: string | null): Position | null {
  const parts = (text ?? '').split(',')
  if (parts.length !== 3 || !parts.every((part) => /^-?\d{1,3}(\.\d{1,9})?$/.test(part))) return null
  const [lat = Number.NaN, lon = Number.NaN, zoom = Number.NaN] = parts.map(Number)
  if (Math.abs(lat) > 90 || Math.abs(lon) > 180 || zoom < MIN_ZOOM || zoom > MAX_ZOOM) return null
  return { lat: clampLatitude(lat), lon, zoom }
}

/** -180 up to but without 180. */
export function wrapLongitude(lon: number): number {
  return ((((lon + 180) % 360) + 360) % 360) - 180
}

function clampLatitude(lat: number): number {
  return Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, lat))
}

export type Bounds = [west: number, south: number, east: number, north: number]

/** The smallest bounds that contain all points. They may cross the date line: `east` is then beyond 180. Null without points. */
export function boundsOf(points: Iterable<{ lat: number; lon: number }>): Bounds | null {
  const lons: number[] = []
  let [south, north] = [90, -90]
  for (const { lat, lon } of points) {
    lons.push(lon)
    south = Math.min(south, lat)
    north = Math.max(north, lat)
  }
  if (lons.length === 0) return null
  lons.sort((a, b) => a - b)
  // The bounds leave out the widest gap between neighbouring points round the globe.
  let [gap, west, east] = [-1, 0, 0]
  for (const [index, lon] of lons.entries()) {
    const before = lons.at(index - 1) ?? lon
    const wide = index === 0 ? lon - before + 360 : lon - before
    // Computed from the gap, rounding could put the east edge beside its point, or even west of the west edge.
    if (wide > gap) [gap, west, east] = [wide, lon, index === 0 ? before : before + 360]
  }
  return [west, clampLatitude(south), east, clampLatitude(north)]
}

function trim(value: number, digits: number): string {
  return String(Number(value.toFixed(digits)) + 0)
}
