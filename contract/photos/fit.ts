import { isZone, Moment } from '../dates.ts'
import { LIMITS } from '../limits.ts'
import { Location } from '../locations.ts'
import { countCharacters } from '../text.ts'
import { formatOffset, offsetOfWall } from '../zones.ts'

const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g

/** Text of another program in our form: NFC, without control characters. */
export function fitText(text: unknown): string {
  return typeof text === 'string' ? text.toWellFormed().replace(CONTROL, '').normalize('NFC') : ''
}

/** One line of at most `most` characters; cut with an ellipsis. */
export function fitLine(text: unknown, most: number): string {
  const line = fitText(text).replace(/\s+/g, ' ').trim()
  if (countCharacters(line, most) <= most) return line
  const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(line)
  let kept = ''
  let count = 0
  for (const { segment } of graphemes) {
    if (++count >= most) break
    kept += segment
  }
  return `${kept.trimEnd()}…`
}

/** A caption as alternative text, or null. */
export const fitAlt = (text: unknown) => fitLine(text, LIMITS.altText) || null

/** A location, or null if there is none; programs write 0, 0 for a missing one. */
export function fitLocation(lat: unknown, lon: unknown, name: unknown = ''): Location | null {
  if (typeof lat !== 'number' || typeof lon !== 'number' || (lat === 0 && lon === 0)) return null
  const words = fitLine(name, LIMITS.locationName)
  return Location.safeParse({ lat, lon, ...(words && { name: words }) }).data ?? null
}

export function fitZone(zone: unknown): string | null {
  return typeof zone === 'string' && zone !== '' && isZone(zone) ? zone : null
}

/** A moment with an offset, or null. */
export function fitMoment(moment: unknown): string | null {
  if (typeof moment !== 'string') return null
  // Databases write a space instead of the T, and offsets of hours alone.
  const iso = moment
    .trim()
    .replace(' ', 'T')
    .replace(/([+-]\d\d)$/, '$1:00')
    .replace(/([+-]\d\d)(\d\d)$/, '$1:$2')
  return Moment.safeParse(iso).data ?? null
}

/** The moment of a wall clock in a zone, or null. `YYYY-MM-DDThh:mm:ss`, with a fraction if there is one. */
export function momentOfWall(text: string, zone: string): string | null {
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = text.split(/\D/).map(Number)
  return fitMoment(`${text}${formatOffset(offsetOfWall({ year, month, day, hour, minute, second }, zone))}`)
}

/** The moment of milliseconds since 1970, or null. */
export function momentAt(ms: number | undefined): string | null {
  const moment = new Date(ms ?? Number.NaN)
  return Number.isNaN(moment.getTime()) ? null : fitMoment(moment.toISOString())
}
