import { describe, expect, test } from 'vitest'
import { writeCalendar } from './calendar.ts'

/** DTSTART and DTEND of an event between two moments. */
function times(date: string, ends_at: string | null, date_zone: string) {
  const text = { type: 'event', kind: null, title: 'Concert', body: '', location: null, version: 1 }
  const written = { created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' }
  const post = { id: 'p', ...text, ...written, date, ends_at, date_zone, date_precision: 'minute' as const }
  const calendar = writeCalendar({ name: 'Kyoto', collectionId: 'c', origin: 'https://cairn.example', posts: [post] })
  return calendar.slice(calendar.indexOf('BEGIN:VEVENT')).match(/DT(?:START|END).*/g)
}

describe('Times in a calendar', () => {
  test.each([
    // 25 October 2026: clocks in Vienna go back from 03:00 +02:00 to 02:00 +01:00.
    ['2026-10-25T01:59:59+02:00', 'Europe/Vienna', 'DTSTART;TZID=Europe/Vienna:20261025T015959'],
    ['2026-10-25T02:00:00+02:00', 'Europe/Vienna', 'DTSTART:20261025T000000Z'],
    ['2026-10-25T02:30:00+02:00', 'Europe/Vienna', 'DTSTART:20261025T003000Z'],
    ['2026-10-25T02:00:00+01:00', 'Europe/Vienna', 'DTSTART:20261025T010000Z'],
    ['2026-10-25T02:30:00+01:00', 'Europe/Vienna', 'DTSTART:20261025T013000Z'],
    ['2026-10-25T02:59:59+01:00', 'Europe/Vienna', 'DTSTART:20261025T015959Z'],
    ['2026-10-25T03:00:00+01:00', 'Europe/Vienna', 'DTSTART;TZID=Europe/Vienna:20261025T030000'],
    // In spring no time comes twice.
    ['2026-03-29T03:30:00+02:00', 'Europe/Vienna', 'DTSTART;TZID=Europe/Vienna:20260329T033000'],
    // Half an hour.
    ['2026-04-05T01:29:59+11:00', 'Australia/Lord_Howe', 'DTSTART;TZID=Australia/Lord_Howe:20260405T012959'],
    ['2026-04-05T01:45:00+11:00', 'Australia/Lord_Howe', 'DTSTART:20260404T144500Z'],
    ['2026-04-05T01:45:00+10:30', 'Australia/Lord_Howe', 'DTSTART:20260404T151500Z'],
  ])('%s in %s is written so that it can only be this moment', (date, zone, line) => {
    expect(times(date, null, zone)).toEqual([line])
  })

  test('An end in the repeated hour is not before its beginning', () => {
    expect(times('2026-10-25T02:30:00+02:00', '2026-10-25T02:15:00+01:00', 'Europe/Vienna')).toEqual([
      'DTSTART:20261025T003000Z',
      'DTEND:20261025T011500Z',
    ])
  })
})
