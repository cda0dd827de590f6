import { t } from '#say'
import { LIMITS } from '../../../contract/limits.ts'
import type { Location } from '../../../contract/locations.ts'
import { fitAlt, fitLine, fitLocation, fitText } from '../../../contract/photos/fit.ts'
import { decodeEntities } from './entities.ts'

/** Data of one photo or film, with null or empty for what is missing or wrong. */
export interface TakeoutPhoto {
  title: string
  /** ISO 8601 in UTC. */
  date: string | null
  location: Location | null
  alt: string | null
  people: string[]
  /** Why Google Photos hides it, as a sentence. */
  hidden: string | null
}

export interface TakeoutAlbum {
  title: string
  /** Paragraphs that its owner wrote. */
  texts: string[]
}

export type TakeoutJson = { photo: TakeoutPhoto } | { album: TakeoutAlbum } | null

type Fields = Record<string, unknown>

/** Only sidecars of photos have one of these; albums and other products do not. */
const OF_PHOTOS = ['photoTakenTime', 'geoDataExif', 'imageViews', 'googlePhotosOrigin', 'photoLastModifiedTime']
const OF_ALBUMS = ['albumData', 'access', 'date', 'enrichments', 'sharedAlbumComments']

/** Reads the JSON of a photo or an album. Each field is read alone, so that an odd one costs no other. Null for any other JSON. */
export function readTakeoutJson(json: unknown): TakeoutJson {
  const fields = fieldsOf(json)
  if (OF_PHOTOS.some((key) => key in fields)) return { photo: photoOf(fields) }
  // Until 2018 an album's data was one level deeper.
  const album = 'albumData' in fields ? fieldsOf(fields.albumData) : fields
  const known = Object.keys(fields).every((key) => key === 'title' || key === 'description')
  return 'title' in album && (known || OF_ALBUMS.some((key) => key in fields)) ? { album: albumOf(album) } : null
}

function photoOf(fields: Fields): TakeoutPhoto {
  const { geoData, geoDataExif, people } = fields
  return {
    title: textOf(fields.title),
    date: momentOf(fieldsOf(fields.photoTakenTime)),
    // The first may have been corrected by the owner, the second is from the file.
    location: placeOf(fieldsOf(geoData)) ?? placeOf(fieldsOf(geoDataExif)),
    alt: fitAlt(textOf(fields.description)),
    people: [...new Set(listOf(people).map((person) => fitLine(textOf(fieldsOf(person).name), LIMITS.personName)))].filter(Boolean),
    hidden: hiddenBy(fields),
  }
}

function hiddenBy({ trashed, inLockedFolder }: Fields): string | null {
  if (trashed === true) return t`It is in the trash of Google Photos`
  return inLockedFolder === true ? t`It is in the Locked Folder of Google Photos` : null
}

function albumOf(fields: Fields): TakeoutAlbum {
  const enrichments = listOf(fields.enrichments).map((one) => textOf(fieldsOf(fieldsOf(one).narrativeEnrichment).text))
  return {
    title: textOf(fields.title),
    texts: [textOf(fields.description), ...enrichments].map(fitText).filter((text) => text.trim() !== ''),
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const textOf = (value: unknown) => (typeof value === 'string' ? decodeEntities(value) : '')

/** Numbers are written as text too; an empty text is none. */
function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

/** Seconds since 1970. Zero is what programs write for no time; no photo is older than photography or of the future. */
function momentOf({ timestamp, formatted }: Fields): string | null {
  const seconds = numberOf(timestamp)
  const moment = seconds === null ? Date.parse(textOf(formatted).replace(/\s+/g, ' ')) : seconds * 1000
  const possible = moment !== 0 && moment >= Date.UTC(1826) && moment <= Date.now() + 86_400_000
  return possible ? new Date(moment).toISOString() : null
}

const placeOf = ({ latitude, longitude }: Fields) => fitLocation(numberOf(latitude), numberOf(longitude))
