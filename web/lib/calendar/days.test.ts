import { expect, test } from 'vitest'
import { dayOf } from '../../../contract/dates.ts'
import { addDays, addMonths, dayAt, daysIn, numberOf, weekdayOf, weekStart, weeksOf } from './days.ts'

test('Days and day numbers convert both ways from the first year to the last', () => {
  for (const day of ['0001-01-01', '0099-12-31', '1582-10-15', '1970-01-01', '2024-02-29', '9999-12-31'])
    expect(dayAt(numberOf(day))).toBe(day)
})

test('Dates stay within the calendar', () => {
  expect(addDays('0001-01-01', -1)).toBe('0001-01-01')
  expect(addDays('9999-12-31', 1)).toBe('9999-12-31')
  expect(addMonths('0001-01-15', -1)).toBe('0001-01-01')
  expect(addMonths('9999-12-15', 1)).toBe('9999-12-31')
})

test('Adding days works across clock changes, leap days and New Year', () => {
  expect(addDays('2024-03-30', 1)).toBe('2024-03-31')
  expect(addDays('2024-03-31', 1)).toBe('2024-04-01')
  expect(addDays('2024-02-28', 1)).toBe('2024-02-29')
  expect(addDays('2023-02-28', 1)).toBe('2023-03-01')
  expect(addDays('2024-12-31', 1)).toBe('2025-01-01')
})

test('Adding months keeps the day, or moves to the last day of a shorter month', () => {
  expect(addMonths('2024-01-31', 1)).toBe('2024-02-29')
  expect(addMonths('2023-01-31', 1)).toBe('2023-02-28')
  expect(addMonths('2024-02-29', 12)).toBe('2025-02-28')
  expect(addMonths('2024-01-15', -1)).toBe('2023-12-15')
  expect([daysIn('1900-02'), daysIn('2000-02'), daysIn('2024-04')]).toEqual([28, 29, 30])
})

test('Weeks begin on the given weekday', () => {
  expect(weekdayOf(numberOf('2024-05-03'))).toBe(5)
  expect(weekdayOf(numberOf('0001-01-01'))).toBe(1)
  expect(dayAt(weekStart(numberOf('2024-05-05'), 1))).toBe('2024-04-29')
  expect(dayAt(weekStart(numberOf('2024-05-05'), 7))).toBe('2024-05-05')
  expect(weeksOf('2024-05', 1).map(dayAt)).toEqual(['2024-04-29', '2024-05-06', '2024-05-13', '2024-05-20', '2024-05-27'])
  expect(weeksOf('2021-02', 1)).toHaveLength(4)
})

test('The day of an item is local to its zone, also in early years and at the ends of the calendar', () => {
  expect(dayOf('2024-05-03T14:30:00Z', 'Asia/Tokyo')).toBe('2024-05-03')
  expect(dayOf('2024-05-03T15:30:00Z', 'Asia/Tokyo')).toBe('2024-05-04')
  expect(dayOf('0005-03-01T12:00:00Z', 'UTC')).toBe('0005-03-01')
  expect(dayOf('0001-01-01T00:00:00Z', 'America/New_York')).toBe('0001-01-01')
  expect(dayOf('9999-12-31T23:00:00Z', 'Asia/Tokyo')).toBe('9999-12-31')
})
