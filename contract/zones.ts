/** Wall-clock fields as a camera writes them, without a zone. `month` from 1. */
export interface Wall {
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
}

const DAY = 86_400_000

/** A format for a time zone, or for UTC where this runtime does not know the zone, such as one stored by a newer browser. */
export function formatIn(zone: string, locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone: zone })
  } catch {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
  }
}

const formats = new Map<string, Intl.DateTimeFormat>()
function fieldsFormat(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone)
  if (!format) {
    format = formatIn(zone, 'en-US', {
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    formats.set(zone, format)
  }
  return format
}

/** Seconds that a zone is ahead of UTC at a moment (ms). */
export function offsetSeconds(moment: number, zone: string): number {
  const part: Record<string, string> = {}
  for (const { type, value } of fieldsFormat(zone).formatToParts(moment)) part[type] = value
  const field = (type: string) => Number(part[type])
  const year = part.era === 'BC' ? 1 - field('year') : field('year')
  const wall = utcOf({
    year,
    month: field('month'),
    day: field('day'),
    hour: field('hour'),
    minute: field('minute'),
    second: field('second'),
  })
  return wall / 1000 - Math.floor(moment / 1000)
}

/** The same in minutes. */
export const offsetAt = (moment: number, zone: string) => Math.round(offsetSeconds(moment, zone) / 60)

/** The wall clock read as if it were UTC. */
export function utcOf(wall: Wall): number {
  // Date.UTC would take the year 1 for 1901.
  const moment = new Date(Date.UTC(2000, wall.month - 1, wall.day, wall.hour, wall.minute, wall.second))
  return moment.setUTCFullYear(wall.year, wall.month - 1, wall.day)
}

/**
 * Offset in minutes of a wall clock in a zone, as Postgres has it: the one before a change where clocks skip this time, so that it becomes
 * later, and the one after it where they show it twice.
 */
export function offsetOfWall(wall: Wall, zone: string): number {
  const asUtc = utcOf(wall)
  // No zone is a day from UTC. The smaller offset is the one before a gap, and the one after an overlap.
  const [smaller = 0, larger = 0] = [offsetAt(asUtc - DAY, zone), offsetAt(asUtc + DAY, zone)].sort((a, b) => a - b)
  const fits = (offset: number) => offsetAt(asUtc - offset * 60_000, zone) === offset
  return fits(larger) && !fits(smaller) ? larger : smaller
}

/** `+02:00` for 120. */
export function formatOffset(minutes: number): string {
  const sign = minutes < 0 ? '-' : '+'
  const abs = Math.abs(minutes)
  return `${sign}${two(Math.floor(abs / 60))}:${two(abs % 60)}`
}

/** ISO 8601 of a wall clock with its offset. */
export function isoOf(wall: Wall, offset: number): string {
  const { year, month, day, hour, minute, second } = wall
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}${formatOffset(offset)}`
}

function two(n: number): string {
  return String(n).padStart(2, '0')
}
