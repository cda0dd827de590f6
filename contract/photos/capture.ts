import type { DatePrecision } from '../dates.ts'
import { utcOf } from '../zones.ts'
import { fitAlt } from './fit.ts'
import {
  isZoneOffset,
  parseFraction,
  parseOffset,
  parseWritten,
  type When,
  type WrittenDate,
  whenOf,
  whenOfMoment,
} from './written-dates.ts'
import type { Sidecar } from './xmp.ts'

/** Date, location and caption as a file states them: the fields an asset is created with. */
export interface Capture {
  date: string | null
  dateZone: string | null
  datePrecision: DatePrecision
  /** As of a `When`. */
  isMoment?: true | undefined
  location: { lat: number; lon: number } | null
  alt: string | null
}

/** Tags by their EXIF names, as text and numbers. Any of them may be missing or invalid. */
export interface PhotoTags {
  DateTimeOriginal?: unknown
  OffsetTimeOriginal?: unknown
  SubSecTimeOriginal?: unknown
  DateTimeDigitized?: unknown
  OffsetTimeDigitized?: unknown
  SubSecTimeDigitized?: unknown
  /** When the file was changed, which may be years later. */
  DateTime?: unknown
  OffsetTime?: unknown
  GPSDateStamp?: unknown
  /** Hour, minute and second in UTC. */
  GPSTimeStamp?: unknown
  /** Degrees, negative in the south and west. */
  latitude?: unknown
  longitude?: unknown
  /** Of XMP inside the file. */
  xmp?: Sidecar | null
  /** `1978-07-15 10:00:00+00:00` of IPTC, and `Creation Time` of a PNG. */
  otherDates?: readonly unknown[]
  /** Best first. */
  captions?: readonly unknown[]
}

export interface Reading {
  /** The reader's time zone, for photos that do not say theirs. */
  zone: string
  /** The latest possible date, in ms. */
  now: number
}

export const NO_CAPTURE: Capture = { date: null, dateZone: null, datePrecision: 'unknown', location: null, alt: null }

/**
 * The date by order of truth: when it was taken, with the best offset that any tag has; the satellites' time; XMP and IPTC; when the file was
 * changed.
 */
export function captureOf(tags: PhotoTags, { zone, now }: Reading): Capture {
  const candidates = [
    () => takenAt(tags),
    () => satelliteTime(tags),
    () => datedByXmp(tags.xmp),
    ...(tags.otherDates ?? []).map((text) => () => parseWritten(text)),
    () => withOffset(parseWritten(tags.DateTime), parseOffset(tags.OffsetTime)),
  ]
  let when: When | null = null
  for (const candidate of candidates) {
    const found = candidate()
    when ??= typeof found === 'number' ? whenOfMoment(found, zone, now) : found && whenOf(found, zone, now)
  }
  const location = locationOf(tags.latitude, tags.longitude) ?? placeOf(tags.xmp)
  return { ...NO_CAPTURE, ...when, location, alt: captionOf(tags) }
}

function takenAt(tags: PhotoTags): WrittenDate | null {
  const original = withFraction(parseWritten(tags.DateTimeOriginal), tags.SubSecTimeOriginal)
  const taken = original ?? withFraction(parseWritten(tags.DateTimeDigitized), tags.SubSecTimeDigitized)
  if (!taken) return null
  const declared = parseOffset(original ? tags.OffsetTimeOriginal : tags.OffsetTimeDigitized) ?? parseOffset(tags.OffsetTime)
  return withOffset(taken, declared ?? satelliteOffset(tags, taken) ?? offsetByXmp(tags.xmp, taken))
}

const withFraction = (written: WrittenDate | null, digits: unknown) =>
  written && { ...written, milliseconds: written.milliseconds || parseFraction(digits) }

const withOffset = (written: WrittenDate | null, offset: number | null) => written && { ...written, offset: written.offset ?? offset }

/** In ms, or null. */
function satelliteTime({ GPSDateStamp, GPSTimeStamp }: PhotoTags): number | null {
  const day = typeof GPSDateStamp === 'string' ? /^(\d{4})[:-](\d{2})[:-](\d{2})/.exec(GPSDateStamp) : null
  const [hour = Number.NaN, minute = Number.NaN, second = Number.NaN] = Array.isArray(GPSTimeStamp) ? GPSTimeStamp.map(Number) : []
  if (!day || !Number.isFinite(hour + minute + second)) return null
  const moment = Date.UTC(Number(day[1]), Number(day[2]) - 1, Number(day[3]), hour, minute, Math.floor(second))
  // Receivers without a fix begin at the year 1980.
  return moment > Date.UTC(1990, 0, 1) ? moment : null
}

/** GPS time is UTC: its difference to the wall clock is the offset, if it is close to a quarter of an hour (fixes lag a little). */
function satelliteOffset(tags: PhotoTags, { wall }: WrittenDate): number | null {
  const utc = satelliteTime(tags)
  if (utc === null) return null
  const minutes = (utcOf(wall) - utc) / 60_000
  const rounded = Math.round(minutes / 15) * 15
  return Math.abs(minutes - rounded) <= 3 && isZoneOffset(rounded) ? rounded : null
}

function datedByXmp(xmp: Sidecar | null | undefined): WrittenDate | null {
  const written = parseWritten(xmp?.date ?? xmp?.wall)
  if (!xmp || !written || xmp.precision === 'minute' || xmp.precision === 'unknown') return written
  return { ...written, wall: { ...written.wall, hour: 12, minute: 0, second: 0 }, precision: xmp.precision }
}

/** Programs repeat the date in XMP with the offset that EXIF did not have then. */
function offsetByXmp(xmp: Sidecar | null | undefined, { wall }: WrittenDate): number | null {
  const written = parseWritten(xmp?.date)
  return written && utcOf(written.wall) === utcOf(wall) ? written.offset : null
}

/** Devices write 0/0 without a GPS fix, so that counts as no location. */
function locationOf(lat: unknown, lon: unknown): Capture['location'] {
  if (typeof lat !== 'number' || typeof lon !== 'number') return null
  if (!Number.isFinite(lat) || !Number.isFinite(lon) || Math.abs(lat) > 90 || Math.abs(lon) > 180) return null
  return lat === 0 && lon === 0 ? null : { lat, lon }
}

const placeOf = (xmp: Sidecar | null | undefined) => locationOf(xmp?.location?.lat, xmp?.location?.lon)

/** Cameras fill the caption with their name, a folder, or codes of their modes. These are not captions. */
const MAKERS = 'casio|fuji\\w*|kodak|konica|minolta|konica minolta|nikon|olympus|panasonic|pentax|ricoh|samsung'
const BY_CAMERA = new RegExp(
  `^(?:(?:(?:${MAKERS}) )?digital camera|samsung camera pictures|sony dsc|dcim[\\\\/].*|exif_jpeg_picture|default|untitled|image|photo|screenshot|oplus_\\d+)$`,
  'i',
)
const MODES = /^(?:btf|burst|cof|dav|edf|fbt|hdr|mde|mono|nor|oznor\w*|ptr|rhdr|rptnb?|sdr|vhdr)$/

function captionOf({ xmp, captions = [] }: PhotoTags): string | null {
  for (const caption of [xmp?.description, ...captions]) {
    const alt = fitAlt(caption)
    if (alt && !BY_CAMERA.test(alt) && !MODES.test(alt)) return alt
  }
  return null
}
