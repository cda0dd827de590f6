import { expect, test } from 'vitest'
import { NO_DATE_SETTINGS } from '../../contract/date-format.ts'
import { setReader } from '../lib/dates/reader-settings.ts'
import { whenBelowDay, whenInFull } from './post-words.ts'

setReader({ ...NO_DATE_SETTINGS, region: 'GB' })

const at = (date: string | null, more: object = {}) =>
  whenInFull({ date, date_zone: 'Asia/Tokyo', date_precision: 'minute', ends_at: null, ...more }, 'Europe/Vienna')

test('the full date of a post is in the time zone of its location', () => {
  expect(at('2026-05-01T00:30:00Z')).toBe('Friday, 1 May 2026, 09:30, Tokyo time')
  expect(at('2026-05-01T00:30:00Z', { date_zone: 'Europe/Vienna' })).toBe('Friday, 1 May 2026, 02:30')
})

test('the full date of a longer event includes its end, and the last day when that differs', () => {
  expect(at('2026-05-01T00:30:00Z', { ends_at: '2026-05-01T02:00:00Z' })).toBe('Friday, 1 May 2026, 09:30–11:00, Tokyo time')
  expect(at('2026-05-01T03:00:00Z', { ends_at: '2026-05-03T03:00:00Z', date_precision: 'day' })).toBe(
    'Friday, 1 May 2026 – Sunday, 3 May 2026',
  )
  expect(at('2026-05-01T00:30:00Z', { ends_at: '2026-05-03T15:00:00Z' })).toBe('Friday, 1 May 2026, 09:30 – Sunday, 3 May 2026, Tokyo time')
})

test('a post below the heading of its day shows its times, and the last day of a longer event', () => {
  const below = (more: object) =>
    whenBelowDay({ date: '2026-05-01T00:30:00Z', date_zone: 'Asia/Tokyo', date_precision: 'minute', ends_at: null, ...more })
  expect(below({})).toBe('09:30')
  expect(below({ ends_at: '2026-05-01T02:00:00Z' })).toBe('09:30–11:00')
  expect(below({ ends_at: '2026-05-03T02:00:00Z' })).toBe('09:30 until Sun, 3 May 2026, 11:00')
  expect(below({ ends_at: '2026-05-03T02:00:00Z', date_precision: 'day' })).toBe('until Sun, 3 May 2026')
  expect(below({ ends_at: '2026-05-03T15:00:00Z' })).toBe('09:30, until Sun, 3 May 2026')
  expect(below({ date_precision: 'day' })).toBeNull()
  expect(below({ date_precision: 'month' })).toBe('May 2026')
})

test('the date of a post is shown no more precisely than it is known', () => {
  expect(at('2026-05-01T03:00:00Z', { date_precision: 'month' })).toBe('May 2026')
  expect(at('2026-05-01T03:00:00Z', { date_precision: 'year' })).toBe('2026')
  expect(at(null)).toBeNull()
})
