import { dayOf } from '../../contract/dates.ts'
import { offsetSeconds } from '../../contract/zones.ts'
import { component, dayValue, type Line, momentValue, textValue, wallValue } from './ical.ts'
import { plainText } from './sanitize.ts'
import { changesBetween } from './time-zone.ts'

/** Time of an event whose date is known to the minute or the day. */
export interface Span {
  date: string
  date_zone: string | null
  date_precision: 'minute' | 'day'
  ends_at: string | null
}

interface Entry extends Span {
  id: string
  type: string
  kind: string | null
  title: string
  body: string
  location: { lat: number; lon: number; name?: string | undefined } | null
  version: number
  created_at: string
  updated_at: string
}

interface Calendar {
  name: string
  collectionId: string
  /** Of the app, for links and UIDs. */
  origin: string
}

/** An iCalendar file (RFC 5545) with the time zones that its times use. */
export function writeCalendar({ posts, ...calendar }: Calendar & { posts: readonly Entry[] }): string {
  return [calendarHead(calendar, posts), ...posts.map((post) => calendarEvent(calendar, post)), CALENDAR_END].join('')
}

export const CALENDAR_END = 'END:VCALENDAR\r\n'

/** The part before the events. `spans` are their times, for the time zones. */
export function calendarHead({ name }: Calendar, spans: readonly Span[]): string {
  const whole = component('VCALENDAR', [
    ['VERSION', '2.0'],
    ['PRODID', '-//Cairn//Calendar//EN'],
    ['CALSCALE', 'GREGORIAN'],
    ['METHOD', 'PUBLISH'],
    ['NAME', textValue(name)],
    ['X-WR-CALNAME', textValue(name)],
    ['REFRESH-INTERVAL;VALUE=DURATION', 'PT1H'],
    ['X-PUBLISHED-TTL', 'PT1H'],
    ...zonesOf(spans),
  ])
  return whole.slice(0, -CALENDAR_END.length)
}

export function calendarEvent({ collectionId, origin }: Calendar, post: Entry): string {
  const { location, kind, version } = post
  const description = plainText(post.body)
  const day = dayOf(post.date, post.date_zone) ?? ''
  return component('VEVENT', [
    ['UID', `${post.id}@${new URL(origin).host}`],
    ['DTSTAMP', momentValue(post.updated_at)],
    ['CREATED', momentValue(post.created_at)],
    ['LAST-MODIFIED', momentValue(post.updated_at)],
    ['SEQUENCE', String(version - 1)],
    ...(post.date_precision === 'day' ? wholeDays(post) : times(post)),
    ['SUMMARY', textValue(post.title)],
    ...(description ? [['DESCRIPTION', textValue(description)] satisfies Line] : []),
    ...(location?.name ? [['LOCATION', textValue(location.name)] satisfies Line] : []),
    ...(location ? [['GEO', `${location.lat.toFixed(6)};${location.lon.toFixed(6)}`] satisfies Line] : []),
    ['CATEGORIES', [post.type, ...(kind ? [kind] : [])].map(textValue).join(',')],
    ['TRANSP', 'TRANSPARENT'],
    ['URL', `${origin}/collections/calendar?c=${collectionId}&view=month&on=${day.slice(0, 7)}&day=${day}`],
  ])
}

/** DTEND of whole days is exclusive: the day after the last. */
function wholeDays({ date, date_zone, ends_at }: Span): Line[] {
  const first = dayOf(date, date_zone) ?? ''
  const last = dayOf(ends_at, date_zone) ?? first
  return [
    ['DTSTART;VALUE=DATE', dayValue(first)],
    // There is no day after 9999-12-31.
    ...(last === '9999-12-31' ? [] : [['DTEND;VALUE=DATE', dayValue(last, 1)] satisfies Line]),
  ]
}

function times({ date, date_zone, ends_at }: Span): Line[] {
  const at = (name: string, moment: string): Line =>
    isNamed(date_zone) && isWritable(Date.parse(moment), date_zone) && !isRepeated(Date.parse(moment), date_zone)
      ? [`${name};TZID=${date_zone}`, wallValue(Date.parse(moment), offsetSeconds(Date.parse(moment), date_zone))]
      : [name, momentValue(moment)]
  return [at('DTSTART', date), ...(ends_at && ends_at !== date ? [at('DTEND', ends_at)] : [])]
}

/** Whether the local year has four digits, and is not 0. */
function isWritable(moment: number, zone: string): boolean {
  const year = new Date(moment + offsetSeconds(moment, zone) * 1000).getUTCFullYear()
  return year >= 1 && year <= 9999
}

/**
 * Whether clocks show this time twice, as when they go back in autumn. By RFC 5545 §3.3.5 a local time means the first of both, but programs take
 * either, so both are written in UTC.
 */
function isRepeated(moment: number, zone: string): boolean {
  return changesBetween(zone, moment - 86_400_000, moment + 86_400_000).some(
    ({ at, from, to }) => at - (from - to) * 1000 <= moment && moment < at + (from - to) * 1000,
  )
}

/** False for UTC and fixed offsets: they need no VTIMEZONE. */
const isNamed = (zone: string | null): zone is string => zone?.includes('/') === true

/** A VTIMEZONE for every named zone, with its changes in the years of the spans. */
function zonesOf(spans: readonly Span[]): string[] {
  const years = new Map<string, Set<number>>()
  for (const { date, date_zone, date_precision, ends_at } of spans) {
    if (date_precision !== 'minute' || !isNamed(date_zone)) continue
    const used = years.get(date_zone) ?? new Set()
    years.set(date_zone, used)
    for (const moment of [date, ends_at]) if (moment) used.add(new Date(moment).getUTCFullYear())
  }
  return [...years].map(([zone, used]) =>
    component('VTIMEZONE', [['TZID', zone], ...[...used].toSorted((a, b) => a - b).flatMap((year) => observances(zone, year))]),
  )
}

/** The offset at the start of a year, and every change in it. Begins a day early, so that no local New Year is missed. */
function observances(zone: string, year: number): string[] {
  const at = (n: number) => new Date(0).setUTCFullYear(n, 0, 1)
  // Not before the year 1 of the zone.
  const [begin, end] = [Math.max(at(year) - 86_400_000, at(1) - offsetSeconds(at(1), zone) * 1000), at(year + 1) + 86_400_000]
  const start = { at: begin, from: offsetSeconds(begin, zone), to: offsetSeconds(begin, zone) }
  return [start, ...changesBetween(zone, begin, end)].map(({ at: moment, from, to }) =>
    component(to > from ? 'DAYLIGHT' : 'STANDARD', [
      ['DTSTART', wallValue(moment, from)],
      ['TZOFFSETFROM', offsetValue(from)],
      ['TZOFFSETTO', offsetValue(to)],
    ]),
  )
}

/** `+0200`; with seconds for historical local mean times. */
function offsetValue(seconds: number): string {
  const two = (n: number) => String(n).padStart(2, '0')
  const abs = Math.abs(seconds)
  const rest = abs % 60 ? two(abs % 60) : ''
  return `${seconds < 0 ? '-' : '+'}${two(Math.floor(abs / 3600))}${two(Math.floor(abs / 60) % 60)}${rest}`
}
