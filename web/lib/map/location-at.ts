import type { Location } from '../../../contract/locations.ts'
import { nearestPlace, placeName } from './location-search.ts'

/** A location with the name of the nearest town. Rounded to a millionth of a degree, about 10 cm. */
export async function locationAt(lat: number, lon: number): Promise<Location> {
  const near = await nearestPlace(lat, lon)
  const round = (degrees: number) => Math.round(degrees * 1e6) / 1e6
  return { lat: round(lat), lon: round(lon), ...(near ? { name: placeName(near) } : {}) }
}

/** Named by the nearest town, if it has no name. */
export const named = async (location: Location | null): Promise<Location | null> =>
  location && !location.name ? locationAt(location.lat, location.lon) : location
