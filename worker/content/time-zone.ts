import { offsetSeconds } from '../../contract/zones.ts'

const DAY = 86_400_000

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
