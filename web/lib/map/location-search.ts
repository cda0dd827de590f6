import { joined, regionName } from '#language'
import { t } from '#say'
import { fold } from '../fold.ts'
import placesUrl from './places.txt?url'
import { wrapLongitude } from './position.ts'

/** A town of GeoNames with more than 5,000 people. */
export interface Place {
  name: string
  /** `IL`; only for the United States. */
  region: string
  /** ISO 3166 code. */
  country: string
  lat: number
  lon: number
}

/** Kilometres; a town farther away says nothing about a location. */
const NEAR = 150
const RESULTS = 8

export interface PlaceIndex {
  search(text: string): Place[]
  nearest(lat: number, lon: number): Place | null
}

let loading: Promise<PlaceIndex> | undefined

/**
 * The index itself, for naming many locations at once: half a megabyte, fetched once. Throws when it cannot be loaded; the next call
 * retries.
 */
export function placeIndex(): Promise<PlaceIndex> {
  loading ??= fetch(placesUrl)
    .catch(() => {
      throw new Error(t`Towns cannot be searched without a connection. You can point at the place on the map.`)
    })
    .then(async (response) => {
      if (!response.ok) throw new Error(t`The list of places could not be loaded (${String(response.status)})`)
      return indexPlaces(await response.text())
    })
    .catch((error) => {
      loading = undefined
      throw error
    })
  return loading
}

/**
 * Towns whose name, or a word of it, begins with the text; the largest first. `paris, us` narrows by country. Throws when the list cannot
 * be loaded.
 */
export async function searchPlaces(text: string): Promise<Place[]> {
  return (await placeIndex()).search(text)
}

/** The nearest town; null if there is none in range, or if the list cannot be loaded. */
export async function nearestPlace(lat: number, lon: number): Promise<Place | null> {
  return placeIndex().then(
    (index) => index.nearest(lat, lon),
    () => null,
  )
}

/** `Kyoto, Japan` */
export function placeName({ name, region, country }: Pick<Place, 'name' | 'region' | 'country'>): string {
  return joined([name, region, regionName(country)])
}

/** Reads `name|country|region|lat|lon`, one town a line, degrees in thousandths. */
export function indexPlaces(text: string): PlaceIndex {
  const places = text.split('\n').map((line): Place => {
    const [name = '', country = '', region = '', lat, lon] = line.split('|')
    return { name, country, region, lat: Number(lat) / 1000, lon: Number(lon) / 1000 }
  })
  let names: string[] | undefined
  const cells = new Map<number, Place[]>()
  for (const place of places) {
    const cell = cellOf(place.lat, place.lon)
    const existing = cells.get(cell)
    if (existing) existing.push(place)
    else cells.set(cell, [place])
  }
  return {
    search(wanted) {
      const [name = '', ...behind] = wanted.split(COMMA).map(plain)
      if (name === '') return []
      names ??= places.map((place) => plain(place.name))
      const [starting, holding]: [Place[], Place[]] = [[], []]
      for (const [index, known] of names.entries()) {
        const place = places[index]
        // A town with two names is found by either: `Donostia / San Sebastián`.
        const starts = known.split(' / ').some((one) => one.startsWith(name))
        if (!place || !(starts || known.includes(` ${name}`)) || !isIn(place, behind)) continue
        ;(starts ? starting : holding).push(place)
        if (starting.length === RESULTS) break
      }
      return [...starting, ...holding].slice(0, RESULTS)
    },
    nearest(lat, lon) {
      let [best, distance]: [Place | null, number] = [null, NEAR]
      for (const place of around(lat, lon, cells)) {
        const away = kilometres(lat, lon, place)
        if (away < distance) [best, distance] = [place, away]
      }
      return best
    },
  }
}

function isIn({ region, country }: Place, words: string[]): boolean {
  const known = [plain(region), plain(regionName(country)), plain(country)]
  return words.every((word) => known.some((part) => part.startsWith(word)))
}

/** Towns in the cells that a circle of NEAR may touch: more columns towards the poles. */
function* around(lat: number, lon: number, cells: Map<number, Place[]>): Generator<Place> {
  const reach = NEAR / 111
  const columns = Math.min(180, Math.ceil(reach / Math.max(0.01, Math.cos(((Math.abs(lat) + reach) * Math.PI) / 180))))
  for (let row = -2; row <= 2; row++) {
    for (let column = -columns; column < Math.min(columns + 1, 180); column++) yield* cells.get(cellOf(lat + row, lon + column)) ?? []
  }
}

/** Cells of one degree. */
function cellOf(lat: number, lon: number): number {
  return Math.floor(lat + 90) * 360 + Math.floor(wrapLongitude(lon) + 180)
}

function kilometres(lat: number, lon: number, place: Place): number {
  const north = place.lat - lat
  const east = wrapLongitude(place.lon - lon) * Math.cos((lat * Math.PI) / 180)
  return Math.hypot(north, east) * 111
}

/** Without accents and case, so that `Zurich` finds Zürich and `lodz` Łódź. */
const plain = (text: string) => fold(text).replace(/[-'’]/g, ' ').trim()

/** In any script. */
const COMMA = /[,،、，]/
