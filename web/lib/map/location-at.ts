import type { Location } from '../../../contract/locations.ts'
import { nearestPlace, placeName } from './location-search.ts'

/** A location with the name of the nearest town. Rounded to a millionth of a degree, about 10 cm. */
export async function locationAt(lat: number, lon: number): Promise<Location> {
  const near = await nearestPlace(lat, lon)
  const round = (degrees: number) => Math.round(degrees * 1e6) / 1e6
  return { lat: round(lat), lon: round(lon), ...(near ? { name: placeName(near) } : {}) }
}

/** Milliseconds. The list of towns is large, so on a connection that hangs, places stay without a name. */
const MAX_WAIT = 10_000

/** Named by the nearest town, if it has no name. */
export async function named(location: Location | null): Promise<Location | null> {
  if (!location || location.name) return location
  const late = new Promise<Location>((resolve) => setTimeout(resolve, MAX_WAIT, location))
  return Promise.race([locationAt(location.lat, location.lon), late])
}
