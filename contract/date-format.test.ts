import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dateFormat, firstDayOf, NO_DATE_SETTINGS } from './date-format.ts'
import { isRegion } from './date-settings.ts'
import { dayOf } from './dates.ts'
import { offsetAt } from './zones.ts'

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const REGIONS = LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(isRegion)

const HERE = { timeZone: 'Europe/Vienna' }
const inRegion = (region: string) => dateFormat({ ...NO_DATE_SETTINGS, region }, { language: 'en', ...HERE })
const ofBrowser = (language: string | null) => dateFormat(NO_DATE_SETTINGS, { language, ...HERE })
const AFTERNOON = { date: '2026-11-25T15:04:00Z', date_zone: 'UTC', date_precision: 'minute' as const }

test.each([
  ['US', 'November 25, 2026, 3:04 PM', 7],
  ['CA', 'November 25, 2026, 3:04 p.m.', 7],
  ['PH', 'November 25, 2026, 3:04 PM', 7],
  ['GB', '25 November 2026, 15:04', 1],
  ['DE', '25 November 2026, 15:04', 1],
  ['FR', '25 November 2026, 15:04', 1],
  ['BR', '25 November 2026, 15:04', 7],
  ['ZA', '25 November 2026, 15:04', 7],
  ['AU', '25 November 2026, 3:04 pm', 1],
  ['IN', '25 November 2026, 3:04 pm', 7],
  ['SA', '25 November 2026, 3:04 pm', 7],
  ['EG', '25 November 2026, 3:04 pm', 6],
  ['MV', '25 November 2026, 15:04', 5],
])('In the region %s a date is %s, and weeks begin on day %i', (region, text, firstDay) => {
  const format = inRegion(region)
  expect([format.when(AFTERNOON), format.firstDay]).toEqual([text, firstDay])
})

test.each([
  ['en-US', 'Nov 25, 2026', '3:04 PM'],
  ['en-GB', '25 Nov 2026', '15:04'],
  ['de-AT', '25 Nov 2026', '15:04'],
  ['de', '25 Nov 2026', '15:04'],
  ['pt-BR', '25 Nov 2026', '15:04'],
  ['fr-CA', 'Nov 25, 2026', '15:04'],
  ['ar-SA', '25 Nov 2026', '3:04 pm'],
  [null, '25 Nov 2026', '15:04'],
])('A browser of the language %s has %s and %s', (language, day, time) => {
  const format = ofBrowser(language)
  expect([format.day('2026-11-25', { month: 'short' }), format.clock(15 * 60 + 4)]).toEqual([day, time])
})

test('A date in a time zone that this browser does not know is shown in UTC', () => {
  const item = { ...AFTERNOON, date_zone: 'America/Nowhere' }
  expect([inRegion('DE').when(item), dayOf(item.date, item.date_zone)]).toEqual(['25 November 2026, 15:04', '2026-11-25'])
  expect(offsetAt(Date.parse(item.date), item.date_zone)).toBe(0)
})

test('Japan has 24 hours and weeks from Sunday', () => {
  const format = ofBrowser('ja-JP')
  expect([format.clock(15 * 60 + 4), format.firstDay]).toEqual(['15:04', 7])
})

test('A setting of the person overrides what their region has', () => {
  const format = dateFormat({ region: 'DE', hours: 12, firstDay: 6, timeZone: 'Asia/Tokyo' }, { language: 'en-US', ...HERE })
  expect([format.when(AFTERNOON), format.firstDay, format.timeZone]).toEqual(['25 November 2026, 3:04 pm', 6, 'Asia/Tokyo'])
  expect(dateFormat({ ...NO_DATE_SETTINGS, hours: 24 }, { language: 'en-US', ...HERE }).clock(5)).toBe('00:05')
})

test('Days are written with their parts in the order of the reader', () => {
  const [us, gb] = [inRegion('US'), inRegion('GB')]
  expect([us.day('2025-05-03', { weekday: 'long' }), gb.day('2025-05-03', { weekday: 'short', month: 'short' })]).toEqual([
    'Saturday, May 3, 2025',
    'Sat, 3 May 2025',
  ])
  expect([us.day('2025-05-03', { year: false }), gb.day('2025-05-03', { year: false })]).toEqual(['May 3', '3 May'])
  expect([us.days('2024-05-13', '2024-05-19'), gb.days('2024-05-13', '2024-05-19')]).toEqual(['May 13–19, 2024', '13–19 May 2024'])
  expect([us.hour(0), us.hour(13), gb.hour(0), gb.hour(13)]).toEqual(['12 AM', '1 PM', '00:00', '13:00'])
})

test('A date is written no more precisely than it is known', () => {
  const when = (date_precision: 'day' | 'month' | 'year' | 'unknown') => inRegion('US').when({ ...AFTERNOON, date_precision })
  expect([when('day'), when('month'), when('year'), when('unknown')]).toEqual(['November 25, 2026', 'November 2026', '2026', null])
  expect(inRegion('US').when({ date: null, date_zone: null, date_precision: 'unknown' })).toBeNull()
})

describe('In every region', () => {
  const regions = fc.constantFrom(...REGIONS)

  test('the text of a day names its weekday, day, month and year once, in either order', () => {
    const days = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    fc.assert(
      fc.property(regions, days, (region, date) => {
        const iso = date.toISOString().slice(0, 10)
        const text = inRegion(region).day(iso, { weekday: 'long' })
        const [, weekday, first, second, year] = /^([A-Z][a-z]+day), (\w+) (\w+),? (\d{1,4})$/.exec(text) ?? []
        expect(weekday).toBeDefined()
        const month = Number.isNaN(Number(first)) ? first : second
        expect(Number(month === first ? second : first)).toBe(date.getUTCDate())
        expect(Number(year)).toBe(date.getUTCFullYear())
        expect(new Date(`${month} 1, 2000 UTC`).getUTCMonth()).toBe(date.getUTCMonth())
      }),
    )
  })

  test('a time of day can be read back', () => {
    fc.assert(
      fc.property(regions, fc.nat(24 * 60 - 1), (region, minutes) => {
        const [, hour = '', minute, period = ''] = /^(\d{1,2}):(\d\d)(?: ([ap]\.?m\.?))?$/i.exec(inRegion(region).clock(minutes)) ?? []
        const later = /^p/i.test(period) ? 12 : 0
        expect((period ? (Number(hour) % 12) + later : Number(hour)) * 60 + Number(minute)).toBe(minutes)
      }),
    )
  })

  test('weeks begin from Friday to Monday, also where Intl does not know', () => {
    const known = Object.getOwnPropertyDescriptor(Intl.Locale.prototype, 'getWeekInfo')
    const property = Object.getOwnPropertyDescriptor(Intl.Locale.prototype, 'weekInfo')
    expect(REGIONS.every((region) => [1, 5, 6, 7].includes(firstDayOf(region)))).toBe(true)
    for (const name of ['getWeekInfo', 'weekInfo']) Reflect.deleteProperty(Intl.Locale.prototype, name)
    try {
      expect(['US', 'SA', 'EG', 'GB', 'DE'].map(firstDayOf)).toEqual([7, 7, 6, 1, 1])
    } finally {
      if (known) Object.defineProperty(Intl.Locale.prototype, 'getWeekInfo', known)
      if (property) Object.defineProperty(Intl.Locale.prototype, 'weekInfo', property)
    }
  })
})
