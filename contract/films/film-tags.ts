import { LIMITS } from '../limits.ts'
import { parseWritten, type When, whenOf, whenOfMoment } from '../photos/written-dates.ts'
import { utcOf } from '../zones.ts'

/** What a film says about itself, by the names that its container has for it. */
export type FilmTags = Readonly<Record<string, unknown>>

/** As an asset is created with it. */
export type FilmDate = When | { date: null; dateZone: null; datePrecision: 'unknown'; isMoment?: undefined }

const NO_DATE: FilmDate = { date: null, dateZone: null, datePrecision: 'unknown' }

/** Cameras of Apple and those that write like them, then other programs. In lower case: Matroska has its names in capitals. */
const DATES = ['com.apple.quicktime.creationdate', '©day', 'date_recorded', 'date_digitized', 'creation_time', 'date']
const PLACES = ['com.apple.quicktime.location.iso6709', '©xyz', 'location', 'location-eng']
const CONTENT_ID = 'com.apple.quicktime.content.identifier'

const DAY = 86_400_000
/** Epochs of device clocks: a device that does not know the time reports one of these, so they are not dates of films. */
const UNSET = [Date.UTC(1904, 0, 1), Date.UTC(1970, 0, 1)]

/**
 * When a film was made. A text with an offset comes first, then a moment: it is shown in `zone`, the reader's. `clock` is that of the
 * container's header and `now` the latest possible date, both in ms.
 */
export function filmDate(tags: FilmTags, clock: number | null, zone: string, now: number): FilmDate {
  const texts = DATES.flatMap((name) => whenOfText(textOf(tags, name), zone, now) ?? [])
  const moment = clock === null ? null : whenOfMoment(clock, zone, now)
  const candidates = [...texts.filter(({ exact }) => exact), ...(moment ? [moment] : []), ...texts.filter(({ exact }) => !exact)]
  const when = candidates.find(({ date }) => !UNSET.some((start) => Math.abs(Date.parse(date) - start) < DAY))
  if (!when) return NO_DATE
  const { date, dateZone, datePrecision, isMoment } = when
  return { date, dateZone, datePrecision, ...(isMoment && { isMoment }) }
}

/** `exact` if it has an offset. A text in UTC tells a moment and no zone: programs write it so wherever the film was made. */
function whenOfText(text: string | null, zone: string, now: number): (When & { exact: boolean }) | null {
  const written = parseWritten(text)
  if (!written) return null
  const isUtc = /(?:Z|UTC)\s*$/i.test(text ?? '')
  const when = isUtc ? whenOfMoment(utcOf(written.wall) + written.milliseconds, zone, now) : whenOf(written, zone, now)
  return when && { ...when, exact: isUtc || written.offset !== null }
}

interface Place {
  lat: number
  lon: number
}

/** Where a film was made: ISO 6709 as text, or the box `loci` of 3GPP. */
export function filmPlace(tags: FilmTags): Place | null {
  for (const name of PLACES) {
    const place = parsePlace(textOf(tags, name))
    if (place) return place
  }
  const { loci } = tags
  return loci instanceof Uint8Array ? lociPlace(loci) : null
}

const PLACE = /^\s*([+-]\d{1,6}(?:\.\d+)?)([+-]\d{1,7}(?:\.\d+)?)/

/** `+47.5+009.25+400/`; also with minutes (`+4730.0`) and seconds (`+473000.0`). The height is not kept. */
function parsePlace(text: string | null): Place | null {
  const match = text === null ? null : PLACE.exec(text)
  return match ? placeOf(degrees(match[1] ?? '', 2), degrees(match[2] ?? '', 3)) : null
}

/** Degrees with more than `digits` digits have two of minutes after them, then two of seconds. */
function degrees(text: string, digits: number): number {
  const [whole = ''] = text.slice(1).split('.')
  const value = Math.abs(Number(text))
  const sign = text.startsWith('-') ? -1 : 1
  if (whole.length <= digits) return sign * value
  if (whole.length <= digits + 2) return sign * (Math.floor(value / 100) + (value % 100) / 60)
  return sign * (Math.floor(value / 10_000) + (Math.floor(value / 100) % 100) / 60 + (value % 100) / 3600)
}

/** After version and language (6 bytes), a name that ends with a zero, and a role: longitude, then latitude, in 65,536ths of a degree. */
function lociPlace(bytes: Uint8Array): Place | null {
  const wide = (bytes[6] === 0xfe && bytes[7] === 0xff) || (bytes[6] === 0xff && bytes[7] === 0xfe)
  let end = 6
  while (end < bytes.length && (bytes[end] !== 0 || (wide && bytes[end + 1] !== 0))) end += wide ? 2 : 1
  const at = end + (wide ? 2 : 1) + 1
  if (at + 8 > bytes.length) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const degreesAt = (offset: number) => Math.round((view.getInt32(offset) / 65_536) * 100_000) / 100_000
  return placeOf(degreesAt(at + 4), degreesAt(at))
}

/** Devices write 0/0 if they do not know where they are, so that counts as no location. */
function placeOf(lat: number, lon: number): Place | null {
  if (Math.abs(lat) > 90 || Math.abs(lon) > 180 || (lat === 0 && lon === 0)) return null
  return { lat, lon }
}

/** The identifier that the film of a Live Photo shares with its photo. */
export function filmContentId(tags: FilmTags): string | null {
  const id = textOf(tags, CONTENT_ID)?.trim()
  return id && id.length <= LIMITS.contentId ? id : null
}

function textOf(tags: FilmTags, name: string): string | null {
  const value = tags[name] ?? Object.entries(tags).find(([key]) => key.toLowerCase() === name)?.[1]
  // A zero ends it.
  return typeof value === 'string' ? (value.split('\0', 1)[0] ?? '') : null
}
