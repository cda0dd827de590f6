import { expect, test } from 'vitest'
import { dateInName } from './date-in-name.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const at = (name: string) => {
  const when = dateInName(name, 'Europe/Vienna', NOW)
  return when && (when.datePrecision === 'day' ? when.date.slice(0, 10) : when.date)
}

test.each([
  ['IMG_20190601_100500.jpg', '2019-06-01T10:05:00+02:00'],
  ['IMG_20190601_100500123_HDR.jpg', '2019-06-01T10:05:00.123+02:00'],
  ['20200102_030405.jpg', '2020-01-02T03:04:05+01:00'],
  ['20200102030405.jpg', '2020-01-02T03:04:05+01:00'],
  ['PXL_20230615_101112345.PORTRAIT-01.jpg', '2023-06-15T12:11:12.345+02:00'],
  ['Screenshot_20200102-030405.png', '2020-01-02T03:04:05+01:00'],
  ['Screenshot_20200102-030405_WhatsApp.png', '2020-01-02T03:04:05+01:00'],
  ['Screenshot 2020-01-02 at 03.04.05.png', '2020-01-02T03:04:05+01:00'],
  ['Screen Shot 2020-01-02 at 3.04.05\u202fPM.png', '2020-01-02T15:04:05+01:00'],
  ['Screen Shot 2020-01-02 at 12.04.05 AM.png', '2020-01-02T00:04:05+01:00'],
  ['Bildschirmfoto 2020-01-02 um 03.04.05.png', '2020-01-02T03:04:05+01:00'],
  ['Captura de pantalla 2020-01-02 a las 3.04.05.png', '2020-01-02T03:04:05+01:00'],
  ['WhatsApp Image 2020-01-02 at 03.04.05 (1).jpeg', '2020-01-02T03:04:05+01:00'],
  ['signal-2020-01-02-03-04-05-123.jpg', '2020-01-02T03:04:05.123+01:00'],
  ['signal-2020-01-02-030405.jpg', '2020-01-02T03:04:05+01:00'],
  ['photo_2020-01-02_03-04-05.jpg', '2020-01-02T03:04:05+01:00'],
  ['2020-01-02 03.04.05.jpg', '2020-01-02T03:04:05+01:00'],
  ['FB_IMG_1546300800000.jpg', '2019-01-01T01:00:00+01:00'],
])('%s has a day and a time in its name', (name, expected) => {
  expect(at(name)).toBe(expected)
})

test.each([
  ['IMG-20190601-WA0001.jpg', '2019-06-01'],
  ['VID-20190601-WA0012.mp4', '2019-06-01'],
  ['1978-07-15 Lake.jpg', '1978-07-15'],
  ['2025-04-28(3516).jpg', '2025-04-28'],
  ['Rome – 2020.01.02.jpg', '2020-01-02'],
  ['2020-01-02 99.99.99.jpg', '2020-01-02'],
])('%s has a day in its name', (name, expected) => {
  expect(at(name)).toBe(expected)
})

test.each([
  'IMG_0042.jpg',
  'DSC20210.jpg',
  'IMG_19720101.jpg',
  'scan 2020-02-30.jpg',
  '20511231_101010.jpg',
  '123456789012345.jpg',
  '2020-1.jpg',
  'invoice-4711-12-2020.jpg',
  '',
])('%s has no date in its name', (name) => {
  expect(at(name)).toBeNull()
})
