import { expect, test } from 'vitest'
import { NO_DATE_SETTINGS } from '../../../contract/date-format.ts'
import { setReader } from '../dates/reader-settings.ts'
import { shiftMoment } from '../dates/shift.ts'
import { isDay, isMonth, nameFor, positionOf } from './url-state.ts'
import { dayLabel, titleOf } from './words.ts'

setReader({ ...NO_DATE_SETTINGS, region: 'GB' })

const at = (query: string) => positionOf(new URLSearchParams(query), '2024-05-20')

test('A URL contains the month, week or year, and the open panel', () => {
  expect(at('view=week&on=2024-05-03&day=2024-05-04')).toEqual({ view: 'week', on: '2024-05-03', open: '2024-05-04' })
  expect(at('view=year&on=1999&day=none')).toEqual({ view: 'year', on: '1999-01-01', open: 'none' })
  expect(at('on=2024-05&day=2024-05')).toEqual({ view: 'month', on: '2024-05-20', open: '2024-05' })
  expect(at('on=2024-06').on).toBe('2024-06-01')
})

test('Invalid values in a URL are ignored', () => {
  expect(at('view=decade&on=2024-13&day=2024-02-30')).toEqual({ view: 'month', on: '2024-05-20', open: null })
  expect(at('on=0000-01').on).toBe('2024-05-20')
  expect([isDay('2024-02-29'), isDay('2023-02-29'), isDay('2024-00-10'), isMonth('0000-05')]).toEqual([true, false, false, false])
})

test('A title names the period shown', () => {
  expect(titleOf('month', '2024-05-03', '')).toBe('May 2024')
  expect(titleOf('year', '0799-05-03', '')).toBe('799')
  expect(titleOf('week', '2024-05-03', '2024-05-13')).toBe('13–19 May 2024')
  expect(titleOf('week', '2024-05-03', '2024-04-29')).toBe('29 Apr – 5 May 2024')
  expect(titleOf('week', '2024-12-31', '2024-12-30')).toBe('30 Dec 2024 – 5 Jan 2025')
  expect(nameFor('month', '2024-05-03')).toBe('2024-05')
  expect(dayLabel('2024-05-03', '12 photos, 1 event')).toBe('Friday 3 May 2024, 12 photos, 1 event')
})

test('A title has the order of its reader', () => {
  setReader({ ...NO_DATE_SETTINGS, region: 'US' })
  expect(titleOf('week', '2024-05-03', '2024-05-13')).toBe('May 13–19, 2024')
  expect(titleOf('week', '2024-05-03', '2024-04-29')).toBe('Apr 29 – May 5, 2024')
  expect(titleOf('week', '2024-12-31', '2024-12-30')).toBe('Dec 30, 2024 – Jan 5, 2025')
  expect(dayLabel('2024-05-03', '1 event')).toBe('Friday May 3, 2024, 1 event')
  setReader({ ...NO_DATE_SETTINGS, region: 'GB' })
})

test('A URL without a date opens at the given day', () => {
  const search = (query: string) => positionOf(new URLSearchParams(query), '2024-05-20', '2019-03-02').on
  expect([search(''), search('view=year'), search('on=2024-05'), search('on=nonsense')]).toEqual([
    '2019-03-02',
    '2019-03-02',
    '2024-05-20',
    '2019-03-02',
  ])
})

test('A shift across a clock change keeps the time of day', () => {
  expect(shiftMoment('2024-03-30T09:00:00+01:00', 'Europe/Vienna', 1)).toBe('2024-03-31T09:00:00+02:00')
  expect(shiftMoment('2024-02-28T23:30:00+09:00', 'Asia/Tokyo', 1)).toBe('2024-02-29T23:30:00+09:00')
  expect(shiftMoment('0005-03-01T12:00:00Z', null, 1)).toBe('0005-03-02T12:00:00+00:00')
})
