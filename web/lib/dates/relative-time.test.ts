import { expect, test } from 'vitest'
import { NO_DATE_SETTINGS } from '../../../contract/date-format.ts'
import { setReader } from './reader-settings.ts'
import { formatAgo, formatExactly, formatSince, formatTimeLeft } from './relative-time.ts'

setReader({ ...NO_DATE_SETTINGS, region: 'GB' })

const NOW = new Date(2026, 4, 20, 15, 30).getTime()
const at = (month: number, day: number, hour = 12, minute = 0, year = 2026) => new Date(year, month - 1, day, hour, minute).getTime()

test.each([
  [NOW - 20_000, 'just now'],
  [NOW + 5_000, 'just now'],
  [NOW - 60_000, '1 minute ago'],
  [at(5, 20, 15, 5), '25 minutes ago'],
  [at(5, 20, 9), '6 hours ago'],
  [at(5, 19, 14, 20), 'yesterday, 14:20'],
  [at(5, 16, 9, 5), 'Saturday, 09:05'],
  [at(5, 3), '3 May'],
  [at(12, 31, 12, 0, 2025), '31 Dec 2025'],
])('A moment of %d is formatted as %s', (moment, words) => expect(formatAgo(moment, NOW)).toBe(words))

test('At night, late last evening is formatted in hours', () => {
  expect(formatAgo(at(5, 19, 23), at(5, 20, 1))).toBe('2 hours ago')
})

test.each([
  [at(5, 20, 9, 5), '09:05'],
  [at(5, 19, 14, 20), 'yesterday at 14:20'],
  [at(5, 16), 'Saturday'],
  [at(4, 30), '30 Apr'],
])('New since %d is formatted as %s', (moment, words) => expect(formatSince(moment, NOW)).toBe(words))

test('An exact time is formatted with weekday, date and time', () =>
  expect(formatExactly(at(5, 2, 14, 20, 2025))).toBe('Friday, 2 May 2025, 14:20'))

test('The time left is formatted in its largest full unit', () => {
  const now = Date.parse('2026-05-01T12:00:00Z')
  const left = (minutes: number) => formatTimeLeft(now + minutes * 60_000, now)
  expect([30 * 24 * 60, 30 * 24 * 60 - 1, 24 * 60, 24 * 60 - 1, 60, 59, 1, 0].map(left)).toEqual([
    '30 days',
    '30 days',
    '1 day',
    '23 hours',
    '1 hour',
    '59 minutes',
    '1 minute',
    '1 minute',
  ])
})
