import exifr from 'exifr'
import { formatOffset, isoOf, offsetOfWall, utcOf, type Wall } from '../dates/zones.ts'

/** Date and location of a photo, as an asset is created with them. */
export interface Capture {
  date: string | null
  dateZone: string | null
  datePrecision: 'minute' | 'unknown'
  location: { lat: number; lon: number } | null
}

/** The tags used, as returned by exifr with `reviveValues: false`. Any of them may be missing or invalid. */
export type CaptureTags = Partial<
  Record<
    | 'DateTimeOriginal'
    | 'OffsetTimeOriginal'
    | 'CreateDate'
    | 'OffsetTimeDigitized'
    | 'OffsetTime'
    | 'GPSDateStamp'
    | 'GPSTimeStamp'
    | 'latitude'
    | 'longitude',
    unknown
  >
>

export const NO_CAPTURE: Capture = { date: null, dateZone: null, datePrecision: 'unknown', location: null }

const PICK = [
  'DateTimeOriginal',
  'OffsetTimeOriginal',
  'CreateDate',
  'OffsetTimeDigitized',
  'OffsetTime',
  'GPSDateStamp',
  'GPSTimeStamp',
  'GPSLatitude',
  'GPSLatitudeRef',
  'GPSLongitude',
  'GPSLongitudeRef',
]

/** Reads a photo's capture data; missing or damaged EXIF returns NO_CAPTURE, never an error. */
export async function readCapture(file: Blob, zone: string): Promise<Capture> {
  try {
    const tags: CaptureTags | undefined = await exifr.parse(file, { pick: PICK, reviveValues: false })
    return captureOf(tags ?? {}, zone, Date.now())
  } catch {
    return NO_CAPTURE
  }
}

/** `zone` is used if the photo has no offset from UTC; `now` is the latest possible date of a photo. */
export function captureOf(tags: CaptureTags, zone: string, now: number): Capture {
  const location = locationOf(tags)
  const original = parseWall(tags.DateTimeOriginal)
  const wall = original ?? parseWall(tags.CreateDate)
  if (!wall) return { ...NO_CAPTURE, location }
  const declared = (original ? parseOffset(tags.OffsetTimeOriginal) : parseOffset(tags.OffsetTimeDigitized)) ?? parseOffset(tags.OffsetTime)
  const offset = declared ?? satelliteOffset(tags, wall)
  const minutes = offset ?? offsetOfWall(wall, zone)
  // One day of tolerance, for cameras whose clock is in another zone.
  if (utcOf(wall) - minutes * 60_000 > now + 86_400_000) return { ...NO_CAPTURE, location }
  return { date: isoOf(wall, minutes), dateZone: offset === null ? zone : formatOffset(offset), datePrecision: 'minute', location }
}

const WALL = /^(\d{4})[:/-](\d{2})[:/-](\d{2})[ T](\d{2}):(\d{2})(?::(\d{2}))?/

function parseWall(value: unknown): Wall | null {
  const match = typeof value === 'string' ? WALL.exec(value) : null
  if (!match) return null
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1).map((part) => Number(part ?? 0))
  const wall = { year, month, day, hour, minute, second }
  const back = new Date(utcOf(wall))
  const real =
    back.getUTCFullYear() === year && back.getUTCMonth() === month - 1 && back.getUTCDate() === day && back.getUTCHours() === hour
  // Before the first photograph (1826) or at zero Unix time, the camera's clock was not set.
  return real && year >= 1826 && utcOf(wall) !== 0 ? wall : null
}

/** Minutes from `+02:00`, `-0330` or `Z`; null for anything outside the range of time zones. */
function parseOffset(value: unknown): number | null {
  if (typeof value !== 'string') return null
  const text = value.trim()
  if (text === 'Z') return 0
  const match = /^([+-])(\d{2}):?(\d{2})$/.exec(text)
  if (!match) return null
  const minutes = Number(match[2]) * 60 + Number(match[3])
  if (Number(match[3]) > 59 || minutes > 14 * 60) return null
  return match[1] === '-' && minutes > 0 ? -minutes : minutes
}

/** GPS time is UTC: its difference to the wall clock is the offset, if it is close to a quarter of an hour (fixes lag a little). */
function satelliteOffset(tags: CaptureTags, wall: Wall): number | null {
  const day = typeof tags.GPSDateStamp === 'string' ? /^(\d{4}):(\d{2}):(\d{2})/.exec(tags.GPSDateStamp) : null
  const time = Array.isArray(tags.GPSTimeStamp) ? tags.GPSTimeStamp.map(Number) : []
  const [hour = Number.NaN, minute = Number.NaN, second = Number.NaN] = time
  if (!day || !Number.isFinite(hour + minute + second)) return null
  const utc = Date.UTC(Number(day[1]), Number(day[2]) - 1, Number(day[3]), hour, minute, second)
  const minutes = (utcOf(wall) - utc) / 60_000
  const rounded = Math.round(minutes / 15) * 15
  return Math.abs(minutes - rounded) <= 3 && Math.abs(rounded) <= 14 * 60 ? rounded : null
}

/** Devices write 0/0 without a GPS fix, so that counts as no location. */
function locationOf(tags: CaptureTags): { lat: number; lon: number } | null {
  const { latitude: lat, longitude: lon } = tags
  if (typeof lat !== 'number' || typeof lon !== 'number') return null
  if (!Number.isFinite(lat) || !Number.isFinite(lon) || Math.abs(lat) > 90 || Math.abs(lon) > 180) return null
  return lat === 0 && lon === 0 ? null : { lat, lon }
}
