import { expect, test } from 'vitest'
import { dateByName } from './date-in-name.ts'

const NOW = Date.UTC(2026, 0, 1)
const day = { date: '2019-06-01T10:00:00+00:00', date_zone: 'Europe/Zurich', date_precision: 'day' } as const
const time = { date: '2020-01-02T02:04:05+00:00', date_zone: 'Europe/Zurich', date_precision: 'minute' } as const

test.for([
  { what: 'a whole day', asset: { name: 'IMG-20190601-WA0001.jpg', ...day }, told: "From the file's name" },
  {
    what: 'a time, which may be of the file too,',
    asset: { name: 'Screenshot_20200102-030405.png', ...time },
    told: "The file's name says the same",
  },
  { what: 'another day', asset: { name: 'IMG-20190602-WA0001.jpg', ...day }, told: null },
  { what: 'a day of which a time is known', asset: { name: '2020-01-02.jpg', ...time }, told: null },
  { what: 'a time with the offset of a camera', asset: { name: 'IMG_20200102_030405.jpg', ...time, date_zone: '+01:00' }, told: null },
  { what: 'no date', asset: { name: 'IMG-20190601-WA0001.jpg', ...day, date: null, date_precision: 'unknown' as const }, told: null },
])('Of $what in the name is told: $told', ({ asset, told }) => {
  expect(dateByName(asset, NOW)).toBe(told)
})
