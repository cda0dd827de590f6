import { expect, test } from 'vitest'
import { filmDate, filmPlace } from './film-tags.ts'

const NOW = Date.UTC(2026, 0, 1)
const CLOCK = Date.UTC(2022, 8, 30, 17, 20)
const NONE = { date: null, dateZone: null, datePrecision: 'unknown' }
const QT = 'com.apple.quicktime.creationdate'
const dateOf = (tags: Record<string, unknown>, clock: number | null = CLOCK) => filmDate(tags, clock, 'America/New_York', NOW)

test('A text with an offset comes before the clock, the clock before a text without', () => {
  const there = { date: '2020-12-20T00:14:27+01:00', dateZone: '+01:00', datePrecision: 'minute' }
  expect(dateOf({ [QT]: '2020-12-20T00:14:27+0100' })).toEqual(there)
  expect(dateOf({ [QT]: '2020-12-20T00:14:27.5+01:00\0' })).toEqual({ ...there, date: '2020-12-20T00:14:27.500+01:00' })
  expect(dateOf({ '©day': '2020-12-20 00:14:27 +0100', date: '2021' })).toEqual(there)
  expect(dateOf({ 'COM.APPLE.QUICKTIME.CREATIONDATE': '2020-12-20T00:14:27+01:00' })).toEqual(there)
  const here = { date: '2022-09-30T13:20:00-04:00', dateZone: 'America/New_York', datePrecision: 'minute' }
  expect(dateOf({ [QT]: '2020-12-20T00:14:27' })).toEqual({ ...here, isMoment: true })
  expect(dateOf({ [QT]: '2020-12-20T00:14:27' }, null)).toEqual({ ...here, date: '2020-12-20T00:14:27-05:00' })
  expect(dateOf({ creation_time: '2022-09-30T17:20:00.000000Z' }, Date.UTC(2024, 1, 1))).toEqual({ ...here, isMoment: true })
})

test('No device filmed in 1904, at zero Unix time, in the future or on a day that is not', () => {
  for (const moment of [Date.UTC(1904, 0, 1), 0, 3_600_000, Date.UTC(2026, 0, 3)]) expect(dateOf({}, moment)).toEqual(NONE)
  for (const text of ['1970-01-01T00:00:00Z', '1904-01-01T01:00:00+0100', '2031-01-01T00:00:00Z', '2021-02-30T10:00:00Z', '2021', ''])
    expect(dateOf({ [QT]: text }, null)).toEqual(NONE)
  expect(dateOf({ [QT]: '1962-07-01T12:00:00+01:00' }).date).toBe('1962-07-01T12:00:00+01:00')
  expect(dateOf({ [QT]: '2031-01-01T00:00:00Z' }).date).toBe('2022-09-30T13:20:00-04:00')
})

test.each([
  ['+47.500+009.250+400.000/', { lat: 47.5, lon: 9.25 }],
  ['+01.5515+110.3584/', { lat: 1.5515, lon: 110.3584 }],
  ['-33.85+9.5', { lat: -33.85, lon: 9.5 }],
  ['+4730.0+00915.0/', { lat: 47.5, lon: 9.25 }],
  ['-473000-0091500/', { lat: -47.5, lon: -9.25 }],
  ['+00.0000+000.0000/', null],
  ['+91.0+009.0/', null],
  ['47.5, 9.25', null],
])('The location %s', (text, place) => {
  expect(filmPlace({ '©xyz': text })).toEqual(place)
})

test('A location of 3GPP comes after its name, in either encoding', () => {
  const numbers = [0, 9, 64, 0, 0, 47, 128, 0]
  const place = { lat: 47.5, lon: 9.25 }
  expect(filmPlace({ loci: new Uint8Array([0, 0, 0, 0, 0x15, 0xc7, 65, 66, 0, 0, ...numbers]) })).toEqual(place)
  expect(filmPlace({ loci: new Uint8Array([0, 0, 0, 0, 0x15, 0xc7, 0xfe, 0xff, 0, 65, 0, 0, 0, ...numbers]) })).toEqual(place)
  expect(filmPlace({ loci: new Uint8Array([0, 0, 0, 0, 0x15, 0xc7, 65, 66]) })).toBeNull()
})
