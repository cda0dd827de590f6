import { describe, expect, test } from 'vitest'
import { writeCalendar } from './calendar.ts'

type Post = Parameters<typeof writeCalendar>[0]['posts'][number]

/** A calendar with one event. */
function calendarOf(event: Partial<Post> & Pick<Post, 'date' | 'date_zone'>) {
  const text = { type: 'event', kind: null, title: 'Concert', body: '', location: null, version: 1 }
  const written = { created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' }
  const post = { id: 'p', ...text, ...written, ends_at: null, date_precision: 'minute' as const, ...event }
  return writeCalendar({ name: 'Kyoto', collectionId: 'c', origin: 'https://cairn.example', posts: [post] })
}

/** DTSTART and DTEND of an event between two moments. */
function times(date: string, ends_at: string | null, date_zone: string) {
  const calendar = calendarOf({ date, ends_at, date_zone })
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
    // A year has four digits, and there is no year 0.
    ['9999-12-31T22:59:59Z', 'Europe/Vienna', 'DTSTART;TZID=Europe/Vienna:99991231T235959'],
    ['9999-12-31T23:00:00Z', 'Europe/Vienna', 'DTSTART:99991231T230000Z'],
    ['0001-01-01T04:56:02Z', 'America/New_York', 'DTSTART;TZID=America/New_York:00010101T000000'],
    ['0001-01-01T00:00:00Z', 'America/New_York', 'DTSTART:00010101T000000Z'],
  ])('%s in %s is written so that it can only be this moment', (date, zone, line) => {
    expect(times(date, null, zone)).toEqual([line])
  })

  test('An end in the repeated hour is not before its beginning', () => {
    expect(times('2026-10-25T02:30:00+02:00', '2026-10-25T02:15:00+01:00', 'Europe/Vienna')).toEqual([
      'DTSTART:20261025T003000Z',
      'DTEND:20261025T011500Z',
    ])
  })

  test.each([
    ['9999-12-31T23:00:00Z', 'Europe/Vienna'],
    ['0001-01-01T00:00:00Z', 'America/New_York'],
    ['0001-01-01T12:00:00Z', 'America/New_York'],
    ['0001-01-01T00:00:00Z', 'Asia/Tokyo'],
  ])('Every time in a calendar is in the years 1 to 9999, with an event at %s in %s', (date, date_zone) => {
    const moments = calendarOf({ date, date_zone }).match(/^DT.*/gm) ?? []
    for (const line of moments) expect(line).toMatch(/:(?!0000)\d{8}T\d{6}Z?\s*$/)
  })
})

test('A zone that this runtime does not know counts as UTC', () => {
  expect(times('2026-05-01T10:00:00Z', null, 'Mars/Olympus_Mons')).toEqual(['DTSTART;TZID=Mars/Olympus_Mons:20260501T100000'])
})

test('Coordinates close to 0 are written with digits alone', () => {
  const calendar = calendarOf({ date: '2026-05-01T10:00:00Z', date_zone: null, location: { lat: 1e-7, lon: -12.3456789 } })
  expect(calendar).toContain('\r\nGEO:0.000000;-12.345679\r\n')
})
