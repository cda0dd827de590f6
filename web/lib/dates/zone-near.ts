import type { Asset } from '../../../contract/assets.ts'
import type { Location } from '../../../contract/locations.ts'

type Dated = Pick<Asset, 'date_zone' | 'location'>

/** Degrees of latitude within which clocks are nearly always the same. */
const NEAR = 3

/** Zone of a post's photos; without one, the zone of the nearest other item within range of its location. */
export function zoneNear(photos: readonly Dated[], place: Location | null, others: readonly Dated[]): string | null {
  const own = photos.find(({ date_zone }) => date_zone !== null)?.date_zone
  if (own || !place) return own ?? null
  const squeeze = Math.cos((place.lat * Math.PI) / 180)
  let [best, zone]: [number, string | null] = [NEAR, null]
  for (const { date_zone, location } of others) {
    if (!date_zone || !location) continue
    const far = Math.hypot(location.lat - place.lat, (location.lon - place.lon) * squeeze)
    if (far < best) [best, zone] = [far, date_zone]
  }
  return zone
}
