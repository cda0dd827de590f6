import { expect, test } from 'vitest'
import { captureOf } from './capture.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const at = (tags: Parameters<typeof captureOf>[0], zone = 'Europe/Vienna') => captureOf(tags, { zone, now: NOW })

test('A date with an offset keeps both', () => {
  const capture = at({ DateTimeOriginal: '2025:05:03 10:20:30', OffsetTimeOriginal: '+09:00' })
  expect(capture).toEqual({ date: '2025-05-03T10:20:30+09:00', dateZone: '+09:00', datePrecision: 'minute', location: null, alt: null })
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

test('A photo that says only GPS time has a certain moment, in the zone of the browser', () => {
  const when = { date: '2025-05-03T16:29:58+02:00', dateZone: 'Europe/Vienna' }
  expect(at({ GPSDateStamp: '2025:05:03', GPSTimeStamp: [14, 29, 58] })).toMatchObject({ ...when, isMoment: true })
  expect(at({ DateTimeOriginal: '2025:05:03 16:29:58' })).not.toHaveProperty('isMoment')
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
  const tags = { DateTimeOriginal: '0000:00:00 00:00:00', DateTimeDigitized: '2020:02:29 08:00:00', OffsetTimeDigitized: '-03:30' }
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

test.each([
  ['2023:08:05 24:00:00', '2023-08-06T00:00:00+02:00'],
  ['2015:02:01 14:42:59+09:00', '2015-02-01T14:42:59+09:00'],
  ['2015:02:01 14:42:59.5Z', '2015-02-01T14:42:59.500+00:00'],
  ['2015-02-01T14:42', '2015-02-01T14:42:00+01:00'],
  ['  2015/2/1 9:05:07', '2015-02-01T09:05:07+01:00'],
  ['2015:02:01 下午3:05:10', '2015-02-01T15:05:10+01:00'],
  ['2015:02:01 3:05:10 PM', '2015-02-01T15:05:10+01:00'],
  ['2016:12:31 23:59:60', '2016-12-31T23:59:59+01:00'],
])('%s is read as a careful person would', (text, expected) => {
  expect(at({ DateTimeOriginal: text })).toMatchObject({ date: expected, datePrecision: 'minute' })
})

test('A day without a time is a day', () => {
  expect(at({ DateTimeOriginal: '2015:02:01' })).toMatchObject({ date: '2015-02-01T12:00:00+01:00', datePrecision: 'day' })
})

test('Satellite time alone dates a photo, unless the receiver had no fix', () => {
  expect(at({ GPSDateStamp: '2025:05:03', GPSTimeStamp: [14, 29, 58] })).toMatchObject({ date: '2025-05-03T16:29:58+02:00' })
  expect(at({ GPSDateStamp: '1980:01:06', GPSTimeStamp: [0, 0, 0] }).date).toBeNull()
})

test('XMP gives the offset that EXIF does not have, if it says the same clock', () => {
  const xmp = { wall: null, precision: 'minute' as const, location: null, description: '', people: [] }
  const tags = { DateTimeOriginal: '2025:05:03 10:20:30' }
  expect(at({ ...tags, xmp: { ...xmp, date: '2025-05-03T10:20:30-04:00' } }).date).toBe('2025-05-03T10:20:30-04:00')
  expect(at({ ...tags, xmp: { ...xmp, date: '2025-05-03T11:20:30-04:00' } }).date).toBe('2025-05-03T10:20:30+02:00')
})

test('A month in XMP stays a month', () => {
  const xmp = { date: null, wall: '1978-07-01T00:00:00', precision: 'month' as const, location: null, description: '', people: [] }
  expect(at({ xmp })).toMatchObject({ date: '1978-07-01T12:00:00+01:00', datePrecision: 'month' })
})

test.each(['OLYMPUS DIGITAL CAMERA', 'DCIM\\100MEDIA\\DJI_0042.JPG', 'cof', '', '  '])('%j is no caption', (text) => {
  expect(at({ captions: [text, 'Lake'] }).alt).toBe('Lake')
})

test('A sentence with a camera in it is a caption', () => {
  expect(at({ captions: ['Dad with his digital camera'] }).alt).toBe('Dad with his digital camera')
})

test('An old fix of the satellites gives no offset that no zone has', () => {
  expect(at({ DateTimeOriginal: '2025:05:03 14:00:00', GPSDateStamp: '2025:05:03', GPSTimeStamp: [11, 28, 0] }).date).toBe(
    '2025-05-03T14:00:00+02:00',
  )
})

test.each(['2024:02:29 18:00:05 UTC', '2024:02:29 18:00:05Z', '2024:02:29 18:00:05+00'])('%s is in UTC', (text) => {
  expect(at({ DateTimeOriginal: text }).date).toBe('2024-02-29T18:00:05+00:00')
})
