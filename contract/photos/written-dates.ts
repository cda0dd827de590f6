import type { DatePrecision } from '../dates.ts'
import { formatOffset, isoOf, offsetAt, offsetOfWall, utcOf, type Wall } from '../zones.ts'

/** A date as a file has it written: a clock without a zone, unless `offset` (minutes ahead of UTC) says which. */
export interface WrittenDate {
  wall: Wall
  /** 0 to 999, for photos taken within one second. */
  milliseconds: number
  offset: number | null
  precision: Exclude<DatePrecision, 'unknown'>
}

/** Fields of a date as an asset is created with them. */
export interface When {
  date: string
  dateZone: string
  datePrecision: DatePrecision
  /** The moment is certain, and only its zone is the reader's. */
  isMoment?: true | undefined
}

/** Year. Dates before it are those of clocks that were not set. */
const FIRST_PHOTOGRAPH = 1826
const DAY = 86_400_000
/** Halves of a day in names and tags, for a regular expression. */
export const HALF = 'am|pm|上午|下午|午前|午後|오전|오후'
const DATE = /^\s*(\d{4})[:./-](\d{1,2})[:./-](\d{1,2})/
const TIME = new RegExp(
  `^[ T,]+(${HALF})?\\s*(\\d{1,2})[:.-](\\d{1,2})(?:[:.-](\\d{1,2})(?:[.,](\\d+))?)?\\s*(${HALF})?\\s*(Z|UTC|[+-]\\d{2}(?::?\\d{2})?)?`,
  'i',
)

/**
 * Reads `2024:02:29 18:00:05` as EXIF has it, and what cameras and programs write in its place: other separators, no leading zeros, 24 o'clock,
 * twelve hours, an offset at the end, a day alone. Null if it is no date, or that of a clock which was never set.
 */
export function parseWritten(value: unknown): WrittenDate | null {
  if (typeof value !== 'string') return null
  const found = DATE.exec(value)
  if (!found) return null
  const [year = 0, month = 0, day = 0] = found.slice(1).map(Number)
  const time = TIME.exec(value.slice(found[0].length))
  const at = (index: number) => Number(time?.[index] ?? 0)
  const half = time?.[1] ?? time?.[6]
  const written = writtenAt([year, month, day, half ? hourOfHalf(at(2), half) : at(2), at(3), Math.min(at(4), 59)])
  if (!written) return null
  if (!time) return { ...written, wall: { ...written.wall, hour: 12 }, precision: 'day' }
  return { ...written, milliseconds: parseFraction(time[5]), offset: parseOffset(time[7]) }
}

/** Null for days that do not exist. 24:00 is the start of the next day. */
export function writtenAt(fields: readonly number[], precision: WrittenDate['precision'] = 'minute'): WrittenDate | null {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = fields
  const date = new Date(utcOf({ year, month, day, hour: 0, minute: 0, second: 0 }))
  const exists = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  if (!exists || hour > 24 || minute > 59 || second > 59 || (hour === 24 && minute + second > 0)) return null
  date.setUTCHours(hour)
  const wall = {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute,
    second,
  }
  // At zero Unix time the camera's clock was not set, either.
  return year >= FIRST_PHOTOGRAPH && utcOf(wall) !== 0 ? { wall, milliseconds: 0, offset: null, precision } : null
}

/** The hour of a day of 24 for one of twelve with `am` or `pm`, also in Chinese, Japanese and Korean. */
export function hourOfHalf(hour: number, half: string): number {
  const afternoon = /pm|下午|午後|오후/i.test(half)
  return (hour % 12) + (afternoon ? 12 : 0)
}

/** `35`, the digits after the decimal point of a second, as milliseconds. */
export function parseFraction(digits: unknown): number {
  const text = typeof digits === 'string' ? (/^\d+/.exec(digits.trim())?.[0] ?? '') : ''
  return Number(text.slice(0, 3).padEnd(3, '0'))
}

/** Minutes from `+02:00`, `-0330`, `+09`, `Z` or `UTC`; null for anything outside the range of time zones. */
export function parseOffset(value: unknown): number | null {
  if (typeof value !== 'string') return null
  const text = value.trim()
  if (/^(?:z|utc)$/i.test(text)) return 0
  const match = /^([+-])(\d{2})(?::?(\d{2}))?$/.exec(text)
  if (!match) return null
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? 0)
  if (Number(match[3] ?? 0) > 59 || minutes > 14 * 60) return null
  return match[1] === '-' && minutes > 0 ? -minutes : minutes
}

/** Null for a date in the future, with a day of tolerance for cameras whose clock is in another zone. `zone` is used if it has no offset. */
export function whenOf({ wall, milliseconds, offset, precision }: WrittenDate, zone: string, now: number): When | null {
  const minutes = offset ?? offsetOfWall(wall, zone)
  if (utcOf(wall) - minutes * 60_000 > now + DAY) return null
  return { date: exactIso(wall, milliseconds, minutes), dateZone: offset === null ? zone : formatOffset(offset), datePrecision: precision }
}

/** A moment in ms as the clocks in `zone` showed it. Null as in `whenOf`, and for clocks that were never set. */
export function whenOfMoment(moment: number, zone: string, now: number): When | null {
  if (!Number.isFinite(moment) || moment === 0 || moment > now + DAY) return null
  const minutes = offsetAt(moment, zone)
  const at = new Date(moment + minutes * 60_000)
  const wall = {
    year: at.getUTCFullYear(),
    month: at.getUTCMonth() + 1,
    day: at.getUTCDate(),
    hour: at.getUTCHours(),
    minute: at.getUTCMinutes(),
    second: at.getUTCSeconds(),
  }
  if (wall.year < FIRST_PHOTOGRAPH) return null
  return { date: exactIso(wall, at.getUTCMilliseconds(), minutes), dateZone: zone, datePrecision: 'minute', isMoment: true }
}

function exactIso(wall: Wall, milliseconds: number, offset: number): string {
  const iso = isoOf(wall, offset)
  return milliseconds > 0 ? iso.replace(/(?=[+-]\d\d:\d\d$)/, `.${String(milliseconds).padStart(3, '0')}`) : iso
}

/** In minutes: offsets that are not whole hours, of zones in use since cameras have had clocks. */
const UNEVEN = [-570, -270, -210, -150, 210, 270, 330, 345, 390, 450, 510, 525, 570, 630, 690, 765, 825]

/** Whether clocks somewhere are so many minutes ahead of UTC. */
export function isZoneOffset(minutes: number): boolean {
  return (minutes % 60 === 0 && minutes >= -12 * 60 && minutes <= 14 * 60) || UNEVEN.includes(minutes)
}
