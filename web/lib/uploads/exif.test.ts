import { expect, test } from 'vitest'
import { captureOf } from './exif.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const at = (tags: Parameters<typeof captureOf>[0], zone = 'Europe/Vienna') => captureOf(tags, zone, NOW)

test('A date with an offset keeps both', () => {
  const capture = at({ DateTimeOriginal: '2025:05:03 10:20:30', OffsetTimeOriginal: '+09:00' })
  expect(capture).toEqual({ date: '2025-05-03T10:20:30+09:00', dateZone: '+09:00', datePrecision: 'minute', location: null })
})

test('A date without an offset is read in the zone of the browser, summer and winter', () => {
  expect(at({ DateTimeOriginal: '2025:07:03 10:00:00' }).date).toBe('2025-07-03T10:00:00+02:00')
  expect(at({ DateTimeOriginal: '2025:01:03 10:00:00' }).date).toBe('2025-01-03T10:00:00+01:00')
  expect(at({ DateTimeOriginal: '2025:01:03 10:00:00' }, 'Asia/Kathmandu')).toMatchObject({
    date: '2025-01-03T10:00:00+05:45',
    dateZone: 'Asia/Kathmandu',
  })
})

test('GPS time gives the offset that the camera does not', () => {
  const tags = { DateTimeOriginal: '2025:05:03 23:30:10', GPSDateStamp: '2025:05:03', GPSTimeStamp: [14, 29, 58] }
  expect(at(tags)).toMatchObject({ date: '2025-05-03T23:30:10+09:00', dateZone: '+09:00' })
})

test('GPS time far from a quarter of an hour is ignored', () => {
  const tags = { DateTimeOriginal: '2025:05:03 23:30:10', GPSDateStamp: '2025:05:03', GPSTimeStamp: [14, 37, 0] }
  expect(at(tags).dateZone).toBe('Europe/Vienna')
})

test.each([
  '0000:00:00 00:00:00',
  '2025:13:01 10:00:00',
  '2025:02:30 10:00:00',
  '1970:01:01 00:00:00',
  '    :  :     :  :  ',
  '2051:01:01 10:00:00',
  'yesterday',
  42,
  null,
])('%s is no date', (value) => {
  expect(at({ DateTimeOriginal: value })).toMatchObject({ date: null, datePrecision: 'unknown', dateZone: null })
})

test('An invalid original date falls back to the digitised one with its own offset', () => {
  const tags = { DateTimeOriginal: '0000:00:00 00:00:00', CreateDate: '2020:02:29 08:00:00', OffsetTimeDigitized: '-03:30' }
  expect(at(tags).date).toBe('2020-02-29T08:00:00-03:30')
})

test.each(['+99:00', 'garbage', '+02:75', ''])('Offset %s is ignored', (offset) => {
  expect(at({ DateTimeOriginal: '2025:07:03 10:00:00', OffsetTimeOriginal: offset }).dateZone).toBe('Europe/Vienna')
})

test('A real location is kept; 0/0, NaN and impossible degrees give none', () => {
  expect(at({ latitude: 35.0116, longitude: 135.7681 }).location).toEqual({ lat: 35.0116, lon: 135.7681 })
  expect(at({ latitude: 0, longitude: 0 }).location).toBeNull()
  expect(at({ latitude: Number.NaN, longitude: 12 }).location).toBeNull()
  expect(at({ latitude: 91, longitude: 12 }).location).toBeNull()
  expect(at({ latitude: '48', longitude: 12 }).location).toBeNull()
})
