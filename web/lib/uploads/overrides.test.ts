import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatOffset, offsetAt } from '../../../contract/zones.ts'
import { joinOverrides, withOverrides } from './overrides.ts'
import type { Overrides, PreparedMeta } from './types.ts'

const meta: PreparedMeta = {
  ...{ checksum: 'c', type: 'image/jpeg', width: 3, height: 2, duration: null, thumbhash: 'own' },
  ...{ date: '2024-05-01T10:00:00+02:00', dateZone: 'Europe/Vienna', datePrecision: 'minute', location: { lat: 1, lon: 2 } },
}
const given: Overrides = {
  ...{ exactly: false, date: '2024-05-01T17:00:00Z', dateZone: 'UTC', datePrecision: 'minute' },
  ...{ location: null, alt: 'A lake', peopleIds: ['p'], width: 9, height: 9, thumbhash: 'theirs' },
}

describe('Overrides', () => {
  test('A date of the file that is the same moment stays, and so do its location and measures', () => {
    const same = { ...given, date: '2024-05-01T08:00:00.000Z' }
    expect(withOverrides(meta, same)).toMatchObject({ ...meta, alt: 'A lake', peopleIds: ['p'] })
  })

  test('A wall clock of the file stays, with the offset of the given moment', () => {
    expect(withOverrides(meta, given)).toMatchObject({ date: '2024-05-01T10:00:00-07:00', dateZone: '-07:00' })
    const nepal = { ...given, date: '2024-05-01T04:15:00Z' }
    expect(withOverrides(meta, nepal)).toMatchObject({ date: '2024-05-01T10:00:00+05:45', dateZone: '+05:45' })
  })

  test('An override replaces a different date and fills a missing one', () => {
    const corrected = { ...given, date: '2019-01-01T00:00:00Z' }
    expect(withOverrides(meta, corrected)).toMatchObject({ date: corrected.date, dateZone: 'UTC' })
    expect(withOverrides({ ...meta, date: null, dateZone: null, datePrecision: 'unknown' }, given)).toMatchObject({ date: given.date })
  })

  test('A month or a year replaces a date of another one only', () => {
    const month: Overrides = { ...given, date: '2024-05-01T00:00:00+02:00', dateZone: 'Europe/Vienna', datePrecision: 'month' }
    const own = { ...meta, date: '2024-05-30T10:00:00+02:00' }
    expect(withOverrides(own, month)).toMatchObject({ date: own.date, datePrecision: 'minute' })
    expect(withOverrides({ ...meta, date: '2024-06-02T10:00:00+02:00' }, month)).toMatchObject({ date: month.date, datePrecision: 'month' })
    expect(withOverrides({ ...meta, date: '2009-06-02T10:00:00+02:00' }, { ...month, datePrecision: 'year' })).toMatchObject({
      datePrecision: 'year',
    })
  })

  test('An override of what is missing leaves date and place of the file alone', () => {
    const place = { lat: 5, lon: 6, name: 'Kyoto' }
    const missing: Overrides = { ...given, onlyMissing: true, date: '2019-01-01T00:00:00Z', location: place }
    expect(withOverrides(meta, missing)).toMatchObject({ date: meta.date, location: meta.location })
    expect(withOverrides({ ...meta, date: null, dateZone: null, datePrecision: 'unknown', location: null }, missing)).toMatchObject({
      date: missing.date,
      location: place,
    })
  })

  test('An offset in the file is kept with the same moment, and a corrected time wins over it', () => {
    const own = { ...meta, date: '2019-06-01T19:45:00+09:00', dateZone: '+09:00' }
    const kept = withOverrides(own, { ...given, date: '2019-06-01T10:45:00.000Z' })
    expect(kept).toMatchObject({ date: own.date, dateZone: '+09:00' })
    const corrected = { ...given, date: '2019-06-01T15:45:00.000Z' }
    expect(withOverrides(own, corrected)).toMatchObject({ date: corrected.date, dateZone: 'UTC' })
  })

  test('A sidecar that repeats the clock of the file leaves it its offset, and one with another clock moves it there', () => {
    const own = { ...meta, date: '2019-06-01T19:45:00+09:00', dateZone: '+09:00' }
    const clock = (date: string) => ({ ...given, wallClock: true, date, dateZone: 'Europe/Vienna' })
    expect(withOverrides(own, clock('2019-06-01T19:45:30+02:00'))).toMatchObject({ date: own.date, dateZone: '+09:00' })
    const corrected = { date: '2019-06-01T18:45:00+09:00', dateZone: '+09:00' }
    expect(withOverrides(own, clock('2019-06-01T18:45:00+02:00'))).toMatchObject(corrected)
    // The file says no zone either.
    const later = clock('2024-05-01T11:00:00+02:00')
    expect(withOverrides(meta, later)).toMatchObject({ date: later.date, dateZone: 'Europe/Vienna' })
  })

  test('A film whose time was corrected elsewhere has that time, in the zone of the user', () => {
    const film = { ...meta, isMoment: true, date: '2024-05-01T14:00:00+02:00' }
    const corrected = { ...given, date: '2024-05-01T09:00:00Z', dateZone: 'Europe/Vienna' }
    expect(withOverrides(film, corrected)).toMatchObject({ date: corrected.date, dateZone: 'Europe/Vienna' })
    expect(withOverrides(film, { ...given, date: '2024-05-01T12:00:00Z' })).toMatchObject({ date: film.date, dateZone: film.dateZone })
    expect(withOverrides(film, undefined)).not.toHaveProperty('isMoment')
  })

  test('A difference that no zone makes is a correction, and an unsure date gives way', () => {
    for (const date of ['2024-05-01T08:20:00Z', '2024-05-02T08:00:00Z'])
      expect(withOverrides(meta, { ...given, date })).toMatchObject({ date, dateZone: 'UTC' })
    const unsure = withOverrides({ ...meta, datePrecision: 'unknown' }, given)
    expect(unsure).toMatchObject({ date: given.date, datePrecision: 'minute' })
  })

  test('An exact override replaces everything, even with null', () => {
    const exact: Overrides = { ...given, exactly: true, date: null, dateZone: null, datePrecision: 'unknown' }
    expect(withOverrides(meta, exact)).toMatchObject({ date: null, datePrecision: 'unknown', location: null })
  })

  test('An override fills measures that are missing', () => {
    expect(withOverrides({ ...meta, width: null, height: null, thumbhash: null }, given)).toMatchObject({ width: 9, thumbhash: 'theirs' })
  })

  test('A description in the file stays where no other is given, unless exactly that is wanted', () => {
    const described = { ...meta, alt: 'Fog' }
    expect(withOverrides(described, given)).toMatchObject({ alt: 'A lake' })
    expect(withOverrides(described, { ...given, alt: null })).toMatchObject({ alt: 'Fog' })
    expect(withOverrides(described, { ...given, alt: null, exactly: true })).toMatchObject({ alt: null })
    expect(withOverrides(described, undefined)).toMatchObject({ alt: 'Fog' })
  })

  test('Equal photos of a Cairn export become one that has what each of them lacks, and nothing of another source', () => {
    const exact: Overrides = { ...given, exactly: true, alt: null }
    const second: Overrides = { ...exact, alt: 'Fog', date: '2019-01-01T00:00:00Z', location: { lat: 5, lon: 6, name: 'Kyoto' } }
    expect(joinOverrides(exact, second)).toMatchObject({ exactly: true, date: exact.date, alt: 'Fog', location: second.location })
    expect(joinOverrides(exact, { ...second, exactly: false })).toEqual(exact)
  })

  test('A place that one of two equal photos hides is hidden', () => {
    const [shown, hidden] = [
      { ...given, exactly: true, placeHidden: false },
      { ...given, exactly: true, placeHidden: true },
    ]
    expect([joinOverrides(shown, hidden), joinOverrides(hidden, shown)]).toEqual([hidden, hidden])
  })

  test('No override changes nothing', () => {
    expect(withOverrides(meta, undefined)).toEqual({ ...meta, alt: null })
  })
})

const MINUTE = 60_000
const HOME = 'Europe/Vienna'
/** In minutes: often by whole hours, as between zones. */
const shift = fc.oneof(
  fc.constant(0),
  fc.integer({ min: -14, max: 14 }).map((hours) => hours * 60),
  fc.integer({ min: -2_000, max: 2_000 }),
)
const taken = fc.record({
  moment: fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2025, 0, 1) }).map((ms) => Math.floor(ms / MINUTE) * MINUTE),
  /** The offset at which it was taken. */
  offset: fc.constantFrom(-480, -210, 0, 60, 120, 345, 540),
  shift,
})

const isoAt = (moment: number, offset: number) => new Date(moment + offset * MINUTE).toISOString().replace('.000Z', formatOffset(offset))
/** The time on the clock, in milliseconds as if it were UTC. */
const clockOf = ({ date, dateZone }: { date: string | null; dateZone: string | null }) => {
  const moment = Date.parse(date ?? '')
  return moment + offsetAt(moment, dateZone ?? 'UTC') * MINUTE
}
/** A clock in the user's zone, as a file or sidecar without an offset is read. */
function atHome(wall: number) {
  const offset = offsetAt(wall - offsetAt(wall, HOME) * MINUTE, HOME)
  return { date: isoAt(wall - offset * MINUTE, offset), dateZone: HOME }
}

const files = {
  'with an offset': (moment: number, offset: number) => ({ date: isoAt(moment, offset), dateZone: formatOffset(offset) }),
  'of a known moment': (moment: number) => ({ date: isoAt(moment, offsetAt(moment, HOME)), dateZone: HOME, isMoment: true }),
  'of a clock': (moment: number, offset: number) => atHome(moment + offset * MINUTE),
}

describe.each(Object.keys(files) as (keyof typeof files)[])('A file %s', (kind) => {
  const file = (moment: number, offset: number): PreparedMeta => ({ ...meta, ...files[kind](moment, offset) })

  test('has the moment that is known elsewhere, in its own zone if it says the same', () => {
    const property = fc.property(taken, ({ moment, offset, shift }) => {
      const own = file(moment, offset)
      const known = moment + shift * MINUTE
      const { date, dateZone } = withOverrides(own, { ...given, date: new Date(known).toISOString(), dateZone: HOME })
      // A clock may be up to 14 hours from the moment, which is then its zone.
      expect(Date.parse(date ?? '')).toBe(known)
      if (shift !== 0 && kind !== 'of a clock') expect(dateZone).toBe(HOME)
      if (shift === 0 && kind !== 'of a clock') expect([date, dateZone]).toEqual([own.date, own.dateZone])
      if (shift === 0) expect(clockOf({ date, dateZone })).toBe(clockOf(own))
    })
    fc.assert(property)
  })

  test('has the clock of a sidecar, at its own offset or in its own zone', () => {
    const property = fc.property(taken, ({ moment, offset, shift }) => {
      const own = file(moment, offset)
      const sidecar = atHome(clockOf(own) + shift * MINUTE)
      const { date, dateZone } = withOverrides(own, { ...given, ...sidecar, wallClock: true })
      expect(dateZone).toBe(own.dateZone)
      expect(clockOf({ date, dateZone })).toBe(clockOf(sidecar))
      // In the hour that summer time skips there is no such clock.
      if (shift === 0 && clockOf(sidecar) === clockOf(own)) expect(date).toBe(own.date)
    })
    fc.assert(property)
  })
})
