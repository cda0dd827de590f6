import ICAL from 'ical.js'
import { expect, test } from 'vitest'
import { ATTEMPTS } from '../../contract/attempts.ts'
import { Client } from '../../dev/http-client.ts'
import { hashSecret } from '../../worker/auth/secret.ts'
import { attemptKey } from '../../worker/services/accounts/limit-attempts.ts'
import { scriptOf } from '../support/tokens.ts'
import { type World, world } from '../support/world.ts'

const linkPath = (w: World) => `/api/collections/${w.collection.id}/calendar-link`

/** Path of a new link of this user. */
async function linkOf(w: World, name: string, options: object = {}): Promise<string> {
  const { status, body } = await w.as(name).put(linkPath(w), options)
  expect(status).toBe(200)
  return new URL(body.url).pathname
}

async function write(w: World, fields: object): Promise<string> {
  const { status, body } = await w.as('ada').post('/api/post', { type: 'event', title: 'T', collectionIds: [w.collection.id], ...fields })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.post.id
}

/** Reads a calendar as another program does: without cookies, with its own parser. */
async function read(w: World, path: string) {
  const answer = await new Client(w.origin).get(path)
  const text = new TextDecoder().decode(answer.bytes)
  const calendar = new ICAL.Component(ICAL.parse(text))
  ICAL.TimezoneService.reset()
  for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone)
  const events = new Map(
    calendar.getAllSubcomponents('vevent').map((part) => [String(part.getFirstPropertyValue('summary')), new ICAL.Event(part)]),
  )
  return { answer, text, calendar, events }
}

test('The calendar has events in local time, and whole days as days', async () => {
  const w = await world()
  const id = await write(w, {
    title: 'Concert, late; loud',
    kind: 'concert',
    body: '<p>Row 4 &amp; <b>5</b></p><ul><li>tickets</li></ul>',
    date: '2024-03-30T20:00:00+01:00',
    endsAt: '2024-03-31T04:00:00+02:00',
    dateZone: 'Europe/Vienna',
    datePrecision: 'minute',
    location: { lat: 48.2, lon: 16.37, name: 'Konzerthaus, Wien' },
  })
  await write(w, {
    title: 'Skiing',
    date: '2024-12-30T12:00:00+09:00',
    endsAt: '2025-01-02T12:00:00+09:00',
    dateZone: 'Asia/Tokyo',
    datePrecision: 'day',
  })
  await write(w, { title: 'Nearly midnight', date: '2024-07-03T23:30:00+09:00', dateZone: 'Asia/Tokyo', datePrecision: 'minute' })
  await write(w, { title: 'Offset', date: '2024-07-03T10:00:00+05:00', dateZone: '+05:00', datePrecision: 'minute' })
  await write(w, { title: 'Sometime', date: '2024-05-01T12:00:00Z', datePrecision: 'month' })
  await write(w, { title: 'No idea when' })
  await write(w, { title: 'A note', type: 'note', date: '2024-05-01T12:00:00Z', datePrecision: 'day' })

  const { answer, text, calendar, events } = await read(w, await linkOf(w, 'ada'))
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
  expect([...events.keys()].toSorted()).toEqual(['Concert, late; loud', 'Nearly midnight', 'Offset', 'Skiing'])
  expect(calendar.getFirstPropertyValue('version')).toBe('2.0')
  expect(calendar.getFirstPropertyValue('name')).toBe('Kyoto')

  const concert = events.get('Concert, late; loud')
  expect(concert?.uid).toBe(`${id}@${new URL(w.origin).host}`)
  expect(concert?.startDate.toString()).toBe('2024-03-30T20:00:00')
  expect(concert?.startDate.zone?.tzid).toBe('Europe/Vienna')
  // The clocks went forward that night.
  expect(concert?.startDate.toJSDate().toISOString()).toBe('2024-03-30T19:00:00.000Z')
  expect(concert?.endDate.toJSDate().toISOString()).toBe('2024-03-31T02:00:00.000Z')
  expect(concert?.description).toBe('Row 4 & 5\n• tickets')
  expect(concert?.location).toBe('Konzerthaus, Wien')
  expect(concert?.component.getFirstPropertyValue('geo')).toEqual([48.2, 16.37])
  expect(String(concert?.component.getFirstPropertyValue('url'))).toContain(
    `/collections/calendar?c=${w.collection.id}&view=month&on=2024-03&day=2024-03-30`,
  )
  for (const name of ['dtstamp', 'last-modified', 'created']) expect(concert?.component.getFirstPropertyValue(name), name).toBeTruthy()

  const skiing = events.get('Skiing')
  expect([skiing?.startDate.isDate, skiing?.startDate.toString(), skiing?.endDate.toString()]).toEqual([true, '2024-12-30', '2025-01-03'])
  expect(events.get('Nearly midnight')?.startDate.toString()).toBe('2024-07-03T23:30:00')
  expect(events.get('Nearly midnight')?.startDate.toJSDate().toISOString()).toBe('2024-07-03T14:30:00.000Z')
  expect(events.get('Offset')?.startDate.toString()).toBe('2024-07-03T05:00:00Z')
  for (const line of text.split('\r\n')) expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75)
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
})

test.each([
  // On 25 October 2026 clocks in Vienna go back from 03:00 to 02:00, on 5 April those of Lord Howe by half an hour.
  ['Europe/Vienna', ['2026-10-25T02:30:00+02:00', '2026-10-25T02:30:00+01:00', '2026-10-25T03:30:00+01:00']],
  ['Australia/Lord_Howe', ['2026-04-05T01:45:00+11:00', '2026-04-05T01:45:00+10:30', '2026-04-05T02:15:00+10:30']],
])('The hour that clocks in %s show twice is read by another member as the right one of both', async (dateZone, dates) => {
  const w = await world({ rita: 'read' })
  for (const date of dates) await write(w, { title: date, date, dateZone, datePrecision: 'minute' })
  const [begin, end] = dates
  await write(w, { title: 'Both', date: begin, endsAt: end, dateZone, datePrecision: 'minute' })
  const { events } = await read(w, await linkOf(w, 'rita'))
  const moment = (time: ICAL.Time | undefined) => time?.toJSDate().toISOString()
  for (const date of dates) expect(moment(events.get(date)?.startDate), date).toBe(new Date(date).toISOString())
  const both = events.get('Both')
  expect([moment(both?.startDate), moment(both?.endDate)]).toEqual([begin, end].map((date) => new Date(date ?? '').toISOString()))
  // Programs take one or the other of a local time.
  expect(dates.map((date) => events.get(date)?.startDate.zone?.tzid)).toEqual(['UTC', 'UTC', dateZone])
})

test('Long lines are folded between characters and read back unchanged', async () => {
  const w = await world()
  const title = '長い旅 🏔️ '.repeat(14).trim()
  await write(w, { title, date: '0799-12-31T12:00:00Z', datePrecision: 'day' })
  const { events, text } = await read(w, await linkOf(w, 'ada'))
  expect([...events.keys()]).toEqual([title])
  expect(text).toContain('DTSTART;VALUE=DATE:07991231')
  for (const line of text.split('\r\n')) expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75)
})

test('Of very long events the newest keep their text and the others lose only it', async () => {
  const w = await world()
  for (let day = 10; day < 20; day++) await write(w, { title: `Day ${day}`, date: `2024-05-${day}T12:00:00Z`, dateZone: 'UTC' })
  await w.sql`update posts set body = repeat('a', 1000000) where user_id = ${w.as('ada').id}`
  const { events } = await read(w, await linkOf(w, 'ada'))
  const lengths = [...events].map(([title, event]) => `${title}: ${event.description?.length ?? 0}`)
  expect(lengths.toSorted()).toEqual(Array.from({ length: 10 }, (_, n) => `Day ${10 + n}: ${n < 2 ? 0 : 1_000_000}`))
})

test('Notes are included on request', async () => {
  const w = await world({ rita: 'read' })
  await write(w, { title: 'Diary', type: 'note', date: '2024-05-01T12:00:00Z', datePrecision: 'day' })
  expect([...(await read(w, await linkOf(w, 'rita', { notes: true }))).events.keys()]).toEqual(['Diary'])
  expect((await w.as('rita').get(linkPath(w))).body.link).toMatchObject({ notes: true })
})

test('A note that becomes an event appears, and an event that becomes a note disappears', async () => {
  const w = await world()
  const id = await write(w, { title: 'Diary', type: 'note', date: '2024-05-01T12:00:00Z', datePrecision: 'day' })
  const path = await linkOf(w, 'ada')
  expect((await read(w, path)).events.size).toBe(0)
  for (const [type, count] of [
    ['event', 1],
    ['note', 0],
  ]) {
    expect((await w.as('ada').patch(`/api/post/${id}`, { type })).status).toBe(200)
    expect((await read(w, path)).events.size, `as ${type}`).toBe(count)
  }
})

test('An unchanged calendar is not sent again', async () => {
  const w = await world()
  const id = await write(w, { title: 'First', date: '2024-05-01T12:00:00Z', datePrecision: 'day' })
  const path = await linkOf(w, 'ada')
  const { answer, events } = await read(w, path)
  expect(events.get('First')?.sequence).toBe(0)
  const known = { headers: { 'if-none-match': answer.headers.get('etag') ?? '' } }
  const again = await new Client(w.origin).get(path, known)
  expect([again.status, again.bytes.length]).toEqual([304, 0])
  await w.as('ada').patch(`/api/post/${id}`, { title: 'Second' })
  expect((await new Client(w.origin).get(path, known)).status).toBe(200)
  expect((await read(w, path)).events.get('Second')?.sequence).toBe(1)
})

test('The secret is stored as a hash, shown once, and replaced by a new one', async () => {
  const w = await world()
  const first = await linkOf(w, 'ada')
  const secret = first.slice('/api/calendar/'.length, -'.ics'.length)
  const [row] = await w.sql`select hash from calendar_links where collection_id = ${w.collection.id}`
  expect(row?.hash).toBe(await hashSecret(secret))
  expect(JSON.stringify((await w.as('ada').get(linkPath(w))).body)).not.toContain(secret)
  const second = await linkOf(w, 'ada')
  expect((await new Client(w.origin).get(first)).status).toBe(404)
  expect((await new Client(w.origin).get(second)).status).toBe(200)
  expect((await w.as('ada').delete(linkPath(w))).status).toBe(200)
  expect((await new Client(w.origin).get(second)).status).toBe(404)
  expect((await w.as('ada').get(linkPath(w))).body.link).toBeNull()
})

test('A link ends with the membership and does not return with it', async () => {
  const w = await world({ rita: 'read' })
  const path = await linkOf(w, 'rita')
  expect((await w.as('ada').delete(`/api/collections/${w.collection.id}/members/${w.as('rita').id}`)).status).toBe(200)
  expect((await new Client(w.origin).get(path)).status).toBe(404)
  await w.sql`insert into members (collection_id, user_id, role) values (${w.collection.id}, ${w.as('rita').id}, 'read')`
  expect((await new Client(w.origin).get(path)).status).toBe(404)
})

test('A link ends with its collection, and an invalid secret gets 404', async () => {
  const w = await world()
  const path = await linkOf(w, 'ada')
  await w.as('ada').delete(`/api/collections/${w.collection.id}`)
  for (const other of [path, '/api/calendar/none.ics', `/api/calendar/${'x'.repeat(43)}.ics`, path.replace('.ics', '')]) {
    expect((await new Client(w.origin).get(other)).status, other).toBe(404)
  }
})

test('The calendar leaves out other collections and the trash', async () => {
  const w = await world()
  await w.as('ada').post('/api/post', { type: 'event', title: 'Elsewhere', date: '2024-05-01T12:00:00Z' })
  const id = await write(w, { title: 'Gone', date: '2024-05-01T12:00:00Z' })
  await w.as('ada').delete(`/api/post/${id}`)
  expect((await read(w, await linkOf(w, 'ada'))).events.size).toBe(0)
})

test('A link requested too often gets 429, and others still work', async () => {
  const w = await world({ rita: 'read' })
  const [mine, other] = [await linkOf(w, 'ada'), await linkOf(w, 'rita')]
  const hash = await hashSecret(mine.slice('/api/calendar/'.length, -'.ics'.length))
  const allowed = ATTEMPTS.calendar.perUser * 1000
  await w.sql`insert into rate_limits (key, tries, resets_at) values (${await attemptKey('calendar', `user:${hash}`)}, ${allowed}, now() + interval '5 minutes')`
  const refused = await new Client(w.origin).get(mine)
  expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited'])
  expect((await new Client(w.origin).get(other)).status).toBe(200)
})

test('An access token cannot create a calendar link, which would outlive it', async () => {
  const w = await world()
  const script = await scriptOf(w.as('ada'), 'write')
  expect((await script.put(linkPath(w), {})).status).toBe(403)
  expect((await w.as('ada').get(linkPath(w))).body.link).toBeNull()
})
