import { LIMITS } from '../../../contract/limits.ts'
import { formatOffset, isoOf, offsetAt, offsetOfWall, utcOf, type Wall } from '../dates/zones.ts'

/** What a film says about itself, by the names that its container has for it. */
export type FilmTags = Readonly<Record<string, unknown>>

/** As an asset is created with it. */
export interface FilmDate {
  date: string | null
  dateZone: string | null
  datePrecision: 'minute' | 'unknown'
}

const NO_DATE: FilmDate = { date: null, dateZone: null, datePrecision: 'unknown' }

/** Cameras of Apple and those that write like them, then other programs. In lower case: Matroska has its names in capitals. */
const DATES = ['com.apple.quicktime.creationdate', '©day', 'date_recorded', 'date_digitized', 'creation_time', 'date']
const PLACES = ['com.apple.quicktime.location.iso6709', '©xyz', 'location', 'location-eng']
const CONTENT_ID = 'com.apple.quicktime.content.identifier'

const DAY = 86_400_000
/** Where the clocks of devices begin, which a device has that does not know the time: no dates of films. */
const UNSET = [Date.UTC(1904, 0, 1), Date.UTC(1970, 0, 1)]

/**
 * When a film was made. A text with an offset comes first, then a moment: it is shown in `zone`, the reader's. `clock` is that of the
 * container's header and `now` the latest possible date, both in ms.
 */
export function filmDate(tags: FilmTags, clock: number | null, zone: string, now: number): FilmDate {
  const texts = DATES.flatMap((name) => parseTime(textOf(tags, name)) ?? [])
  const there = texts.find(({ offset }) => offset !== null)
  if (there && isPossible(momentOf(there), now)) return dateOf(there, zone)
  if (clock !== null && isPossible(clock, now)) return dateOf({ wall: wallAt(clock), offset: 'Z' }, zone)
  const [plain] = texts
  return plain && isPossible(utcOf(plain.wall), now) ? dateOf(plain, zone) : NO_DATE
}

/** A wall clock, and minutes that it is ahead of UTC; `Z` if it is in UTC, wherever the film was made; null if it does not say. */
interface Time {
  wall: Wall
  offset: number | 'Z' | null
}

const TIME = /^\s*(\d{4})[-:/](\d{2})[-:/](\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*(?:(Z|UTC)|([+-])(\d{2}):?(\d{2}))?\s*$/i

function parseTime(text: string | null): Time | null {
  const match = text === null ? null : TIME.exec(text)
  if (!match) return null
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map((part) => Number(part ?? 0))
  const wall = { year, month, day, hour, minute, second }
  const back = wallAt(utcOf(wall))
  if (back.month !== month || back.day !== day || back.hour !== hour || back.minute !== minute) return null
  return { wall, offset: match[7] ? 'Z' : offsetFrom(match[8], Number(match[9]), Number(match[10])) }
}

/** Null for anything outside the range of time zones. */
function offsetFrom(sign: string | undefined, hours: number, minutes: number): number | null {
  if (!sign || minutes > 59 || hours * 60 + minutes > 14 * 60) return null
  return (hours * 60 + minutes) * (sign === '-' ? -1 : 1) || 0
}

function momentOf({ wall, offset }: Time): number {
  return utcOf(wall) - (typeof offset === 'number' ? offset : 0) * 60_000
}

/** One day of tolerance, for cameras whose clock is in another zone. */
function isPossible(moment: number, now: number): boolean {
  return moment <= now + DAY && moment > Date.UTC(1826, 0, 1) && !UNSET.some((start) => Math.abs(moment - start) < DAY)
}

function dateOf({ wall, offset }: Time, zone: string): FilmDate {
  if (typeof offset === 'number') return { date: isoOf(wall, offset), dateZone: formatOffset(offset), datePrecision: 'minute' }
  if (offset === null) return { date: isoOf(wall, offsetOfWall(wall, zone)), dateZone: zone, datePrecision: 'minute' }
  const minutes = offsetAt(utcOf(wall), zone)
  return { date: isoOf(wallAt(utcOf(wall) + minutes * 60_000), minutes), dateZone: zone, datePrecision: 'minute' }
}

function wallAt(moment: number): Wall {
  const at = new Date(moment)
  return {
    ...{ year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate() },
    ...{ hour: at.getUTCHours(), minute: at.getUTCMinutes(), second: at.getUTCSeconds() },
  }
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
  return typeof value === 'string' ? value.replace(/\0+$/, '') : null
}
