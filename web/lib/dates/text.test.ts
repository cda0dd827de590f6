import { expect, test } from 'vitest'
import { NO_DATE_SETTINGS } from '../../../contract/date-format.ts'
import { setReader } from './reader-settings.ts'
import { formatDay, formatGap, formatWhen, formatZone } from './text.ts'

setReader({ ...NO_DATE_SETTINGS, region: 'GB' })

const at = (
  date: string | null,
  date_precision: 'minute' | 'day' | 'month' | 'year' | 'unknown',
  date_zone: string | null = 'Asia/Tokyo',
) => ({
  date,
  date_zone,
  date_precision,
})

test('Days are formatted in full', () => {
  expect(formatDay('2025-05-03')).toBe('Saturday, 3 May 2025')
  expect(formatDay('2025-05-03', 'short')).toBe('Sat, 3 May 2025')
  expect(formatDay(null)).toBe('No date')
})

test('A date is formatted with its precision, in its own zone', () => {
  const date = '2025-05-02T22:05:00Z'
  expect(formatWhen(at(date, 'minute'))).toBe('3 May 2025, 07:05')
  expect(formatWhen(at(date, 'day'))).toBe('3 May 2025')
  expect(formatWhen(at(date, 'month'))).toBe('May 2025')
  expect(formatWhen(at(date, 'year'))).toBe('2025')
  expect(formatWhen(at(null, 'unknown', null))).toBe('No date')
})

test('Zones are formatted with their usual names', () => {
  expect([formatZone('Europe/Vienna'), formatZone('America/New_York'), formatZone('+09:00'), formatZone('-03:30')]).toEqual([
    'Vienna time',
    'New York time',
    'UTC+9',
    'UTC−3:30',
  ])
  expect(formatZone('America/Nowhere')).toBe('UTC')
})

test('Gaps between distant days are formatted in months and years', () => {
  expect(formatGap('2025-05-01', '2025-05-20')).toBeNull()
  expect(formatGap('2025-01-01', '2025-08-03')).toBe('7 months later')
  expect(formatGap('2023-01-01', '2024-02-02')).toBe('1 year and 1 month later')
  expect(formatGap('2015-01-01', '2025-02-02')).toBe('10 years later')
})
