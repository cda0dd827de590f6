const DAY = 86_400_000

const formats = new Map<string, Intl.DateTimeFormat>()
function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone)
  if (!format) {
    const two = '2-digit'
    const fields = { year: 'numeric', month: two, day: two, hour: two, minute: two, second: two } as const
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', era: 'short', ...fields })
    formats.set(zone, format)
  }
  return format
}

/** Offset of a zone from UTC at a moment (ms), in seconds. */
export function offsetSeconds(moment: number, zone: string): number {
  const part: Record<string, string> = {}
  for (const { type, value } of formatOf(zone).formatToParts(moment)) part[type] = value
  const year = part.era?.startsWith('B') ? 1 - Number(part.year) : Number(part.year)
  const clock = new Date(
    Date.UTC(2000, Number(part.month) - 1, Number(part.day), Number(part.hour), Number(part.minute), Number(part.second)),
  )
  clock.setUTCFullYear(year, Number(part.month) - 1, Number(part.day))
  return Math.round((clock.getTime() - Math.floor(moment / 1000) * 1000) / 1000)
}

/** A change of a zone's offset: `at` in milliseconds, `from` and `to` in seconds ahead of UTC. */
export interface Change {
  at: number
  from: number
  to: number
}

/** Changes of a zone's offset between two moments (ms), exact to the second. */
export function changesBetween(zone: string, begin: number, end: number): Change[] {
  const changes: Change[] = []
  let before = offsetSeconds(begin, zone)
  for (let at = begin; at < end; at += 7 * DAY) {
    const next = Math.min(at + 7 * DAY, end)
    const after = offsetSeconds(next, zone)
    if (after !== before) changes.push({ at: momentOfChange(zone, at, next), from: before, to: after })
    before = after
  }
  return changes
}

function momentOfChange(zone: string, begin: number, end: number): number {
  const was = offsetSeconds(begin, zone)
  let [low, high] = [Math.floor(begin / 1000), Math.ceil(end / 1000)]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetSeconds(middle * 1000, zone) === was) low = middle
    else high = middle
  }
  return high * 1000
}
