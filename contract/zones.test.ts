import fc from 'fast-check'
import { expect, test } from 'vitest'
import { offsetAt, offsetOfWall, utcOf, type Wall } from './zones.ts'

const wallOf = (text: string): Wall => {
  const [year = 1, month = 1, day = 1, hour = 0, minute = 0] = text.split(/\D/).map(Number)
  return { year, month, day, hour, minute, second: 0 }
}
const momentOf = (wall: Wall, zone: string) => utcOf(wall) - offsetOfWall(wall, zone) * 60_000

test.each([
  // Times that do not exist are as long after the change as they seem.
  ['2026-03-08 02:30', 'America/New_York', '2026-03-08T07:30'],
  ['2026-03-08 00:15', 'America/Havana', '2026-03-08T05:15'],
  ['2026-09-06 00:00', 'America/Santiago', '2026-09-06T04:00'],
  ['2026-10-04 02:15', 'Australia/Lord_Howe', '2026-10-03T15:45'],
  ['2026-03-29 02:30', 'Europe/Vienna', '2026-03-29T01:30'],
  ['2011-12-30 12:00', 'Pacific/Apia', '2011-12-30T22:00'],
  // Times that occur twice are the second of both.
  ['2026-11-01 01:30', 'America/New_York', '2026-11-01T06:30'],
  ['2026-11-01 00:30', 'America/Havana', '2026-11-01T05:30'],
  ['2026-04-04 23:30', 'America/Santiago', '2026-04-05T03:30'],
  ['2026-04-05 01:45', 'Australia/Lord_Howe', '2026-04-04T15:15'],
  ['2026-10-25 02:30', 'Europe/Vienna', '2026-10-25T01:30'],
  // The first year of the calendar.
  ['0001-01-01 12:00', 'UTC', '0001-01-01T12:00'],
  ['0001-01-01 12:00', '+02:00', '0001-01-01T10:00'],
])('%s in %s is %s UTC', (wall, zone, utc) => {
  expect(new Date(momentOf(wallOf(wall), zone)).toISOString().slice(0, 16)).toBe(utc)
})

const ZONES = [
  'America/New_York',
  'America/Havana',
  'America/Santiago',
  'Australia/Lord_Howe',
  'Europe/Vienna',
  'Africa/Casablanca',
  'Asia/Tokyo',
]
const [MINUTE, DAY] = [60_000, 86_400_000]

test('A time is found where clocks show it, the second of two, and later where they skip it', () => {
  const changes = ZONES.map((zone) => {
    const days = Array.from({ length: 366 }, (_, n) => Date.UTC(2026, 0, 1 + n))
    return { zone, days: days.filter((day) => offsetAt(day, zone) !== offsetAt(day + DAY, zone)).concat(days.slice(0, 1)) }
  })
  const nearChange = fc.constantFrom(...changes).chain(({ zone, days }) => fc.tuple(fc.constant(zone), fc.constantFrom(...days)))
  fc.assert(
    fc.property(nearChange, fc.integer({ min: -48, max: 144 }), ([zone, day], half) => {
      const clockAt = (moment: number) => moment + offsetAt(moment, zone) * MINUTE
      const wall = wallOf(new Date(day + half * 30 * MINUTE).toISOString())
      // Every moment that may be meant, earliest first.
      const moments = Array.from({ length: 97 }, (_, n) => utcOf(wall) + (n - 48) * 30 * MINUTE)
      const shown = moments.findLast((moment) => clockAt(moment) === utcOf(wall))
      const moment = momentOf(wall, zone)
      if (shown !== undefined) expect(moment).toBe(shown)
      else expect(clockAt(moment)).toBeGreaterThan(utcOf(wall))
    }),
    { numRuns: 1_000 },
  )
})
