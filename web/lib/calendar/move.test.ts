import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Post } from '../../../contract/posts.ts'
import { minutesOf as at, DAY_MINUTES } from './hours.ts'
import { dateAt, draggedTime, QUARTER, rowAt, slotOf, stepped } from './move.ts'

const VIENNA = 'Europe/Vienna'
const post = (date: string | null, ends_at: string | null = null, date_zone: string | null = VIENNA) =>
  ({ id: 'p', title: 'Concert', date, ends_at, date_zone, date_precision: date ? 'minute' : 'unknown' }) as Post
/** Day and time of begin and end in the zone of the post: `31 02:30 to 31 04:15`. */
function read(row: Post): string {
  const of = (moment: string) =>
    new Intl.DateTimeFormat('en-CA', {
      ...{ timeZone: row.date_zone ?? 'UTC', day: '2-digit', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
    }).format(new Date(moment))
  return [row.date, row.ends_at]
    .filter((moment) => moment !== null)
    .map(of)
    .join(' to ')
    .replaceAll(',', '')
}
const moved = (row: Post, day: string, time: string) => read(rowAt(row, { day, minutes: at(time) }))

test('A post is placed by the clock of its own zone, whatever the zone of the device', () => {
  expect(slotOf(post('2024-05-03T23:30:00+09:00', null, 'Asia/Tokyo'))).toEqual({ day: '2024-05-03', minutes: at('23:30') })
  expect(slotOf(post('2024-05-03T23:30:00Z', null, null))).toEqual({ day: '2024-05-03', minutes: at('23:30') })
  expect(slotOf({ ...post('2024-05-03T12:00:00Z'), date_precision: 'day' })).toBeNull()
  expect(slotOf(post(null))).toBeNull()
})

test.each([
  ['a short way changes nothing', '10:05', 7, '10:05'],
  ['a longer way moves it to a quarter of an hour', '10:05', 8, '10:15'],
  ['a longer way up moves it to an earlier quarter', '10:05', -8, '10:00'],
  ['a long way moves it by hours', '10:00', 187, '13:00'],
  ['above midnight stops at the start of the day', '01:00', -90, '00:00'],
  ['below midnight stops at the end of the day', '20:00', 600, '22:30'],
])('Dragging a post: %s', (_, from, by, to) => {
  const row = post(`2024-05-03T${from}:00+02:00`, new Date(Date.parse(`2024-05-03T${from}:00+02:00`) + 90 * 60_000).toISOString())
  expect(draggedTime(row, at(from), by)).toBe(at(to))
})

test('A post without an end can begin until a quarter to midnight, and a later one may stay there', () => {
  expect(draggedTime(post('2024-05-03T20:00:00+02:00'), at('20:00'), 900)).toBe(at('23:45'))
  expect(draggedTime(post('2024-05-03T23:50:00+02:00'), at('23:50'), 30)).toBe(at('23:50'))
  expect(stepped(post('2024-05-03T23:50:00+02:00'), at('23:50'), 1)).toBe(at('23:50'))
  expect(stepped(post('2024-05-03T23:50:00+02:00'), at('23:50'), -1)).toBe(at('23:45'))
  expect(stepped(post('2024-05-03T23:45:00+02:00'), at('23:45'), 1)).toBe(at('23:45'))
  expect(stepped(post('2024-05-03T00:05:00+02:00'), at('00:05'), -1)).toBe(0)
  expect(stepped(post('2024-05-03T00:00:00+02:00'), 0, -1)).toBe(0)
})

test('A move over a clock change keeps the chosen time and the duration', () => {
  const evening = post('2024-03-30T20:00:00+01:00', '2024-03-30T22:30:00+01:00')
  expect(dateAt(evening, { day: '2024-03-31', minutes: at('20:00') })).toBe('2024-03-31T20:00:00+02:00')
  expect(dateAt(evening, { day: '2024-03-31', minutes: at('18:15') })).toBe('2024-03-31T18:15:00+02:00')
  expect(moved(evening, '2024-03-31', '18:15')).toBe('31 18:15 to 31 20:45')
  const morning = post('2024-10-26T09:10:00+02:00', '2024-10-26T10:00:00+02:00')
  expect(moved(morning, '2024-10-27', '09:10')).toBe('27 09:10 to 27 10:00')
  expect(moved(morning, '2024-10-27', '11:45')).toBe('27 11:45 to 27 12:35')
  expect(dateAt(morning, { day: '2024-10-28', minutes: at('09:15') })).toBe('2024-10-28T09:15:00+01:00')
})

test('A post that spans a clock change keeps its duration, whatever its clock time at the end', () => {
  const night = post('2024-03-30T01:00:00+01:00', '2024-03-30T04:00:00+01:00')
  expect(moved(night, '2024-03-31', '01:00')).toBe('31 01:00 to 31 05:00')
  expect(moved(night, '2024-03-31', '00:30')).toBe('31 00:30 to 31 04:30')
  expect(moved(night, '2024-10-27', '01:00')).toBe('27 01:00 to 27 03:00')
})

test('A time skipped by a clock change becomes an hour later, never earlier', () => {
  const short = post('2024-03-30T02:30:00+01:00', '2024-03-30T03:15:00+01:00')
  expect(moved(short, '2024-03-31', '02:30')).toBe('31 03:30 to 31 04:15')
  expect(moved(short, '2024-03-31', '02:15')).toBe('31 03:15 to 31 04:00')
  // The hour occurs twice: the second one counts.
  expect(dateAt(short, { day: '2024-10-27', minutes: at('02:15') })).toBe('2024-10-27T02:15:00+01:00')
})

test('An unchanged time keeps its seconds', () => {
  const photo = post('2024-05-03T10:05:42+02:00')
  expect(dateAt(photo, { day: '2024-05-04', minutes: at('10:05') })).toBe('2024-05-04T10:05:42+02:00')
  expect(dateAt(photo, { day: '2024-05-04', minutes: at('10:15') })).toBe('2024-05-04T10:15:00+02:00')
})

test('A post moved to any slot is placed there, in its zone and with its duration', () => {
  const zones = fc.constantFrom(VIENNA, 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', '+05:30', null)
  const day = fc.integer({ min: 0, max: 365 }).map((n) => new Date(Date.UTC(2024, 0, 1 + n)).toISOString().slice(0, 10))
  const lasting = fc.integer({ min: 0, max: 600 })
  fc.assert(
    fc.property(zones, day, fc.integer({ min: 0, max: DAY_MINUTES / QUARTER - 1 }), lasting, (zone, to, quarter, minutes) => {
      const date = '2024-06-15T12:07:00Z'
      const row = rowAt(post(date, new Date(Date.parse(date) + minutes * 60_000).toISOString(), zone), {
        day: to,
        minutes: quarter * QUARTER,
      })
      expect(row.date_zone).toBe(zone)
      expect(Date.parse(row.ends_at ?? '') - Date.parse(row.date ?? '')).toBe(minutes * 60_000)
      const slot = slotOf(row)
      expect(slot?.day).toBe(to)
      // Times in the skipped hour move an hour later, on Lord Howe half an hour.
      expect([0, 30, 60]).toContain((slot?.minutes ?? 0) - quarter * QUARTER)
    }),
  )
})
