import { beforeAll, describe, expect, test } from 'vitest'
import type { Answer } from '../../dev/http-client.ts'
import { shiftMoment } from '../../web/lib/dates/shift.ts'
import { assetRow } from '../support/rows.ts'
import { type World, world } from '../support/world.ts'

/** A call that accepts a date and a location. `more` is that part of the body. */
type Send = (more: object) => Promise<Answer>

let w: World
let post: string
let asset: string
beforeAll(async () => {
  w = await world()
  post = (await w.as('ada').post('/api/post', { type: 'note', title: 'T' })).body.post.id
  asset = await assetRow(w, 'ada')
})

const DATES: [name: string, send: Send][] = [
  ['a new post', (more) => w.as('ada').post('/api/post', { type: 'note', title: 'T', ...more })],
  ['an edited post', (more) => w.as('ada').patch(`/api/post/${post}`, more)],
  ['an asset', (more) => w.as('ada').put(`/api/asset/${asset}`, more)],
  ['posts in bulk', (more) => w.as('ada').post('/api/post/bulk.date', { ids: [post], date: null, ...more })],
  ['assets in bulk', (more) => w.as('ada').post('/api/asset/bulk.date', { ids: [asset], date: null, ...more })],
]
const LOCATIONS: [name: string, send: Send][] = [
  ...DATES.slice(0, 3),
  ['posts in bulk', (more) => w.as('ada').post('/api/post/bulk.location', { ids: [post], ...more })],
  ['assets in bulk', (more) => w.as('ada').post('/api/asset/bulk.location', { ids: [asset], ...more })],
]

describe.each(DATES)('the date of %s', (_name, send) => {
  test.each([
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+14:00',
    '9999-12-31T23:59:59-01:00',
    '10000-01-01T00:00:00Z',
    '-000001-01-01T00:00:00Z',
    '2025-02-29T10:00:00Z',
    '1900-02-29T10:00:00Z',
    '2026-02-30T10:00:00Z',
    '2026-13-01T10:00:00Z',
    '2026-05-01',
    '2026-05-01T10:00:00',
    '2026-05-01 10:00:00Z',
    '2026-05-01T24:00:00Z',
    '2026-05-01T23:59:60Z',
    '2026-05-01T10:00:00+25:00',
    '2026-05-01T10:00:00+16:00',
    '2026-05-01T10:00:00-23:59',
    '2026-05-01T10:00:00 Europe/Vienna',
    'yesterday',
    'now',
    'infinity',
    '',
    0,
    1_777_629_600_000,
    {},
  ])('A date refuses %j', async (date) => {
    const { status, body } = await send({ date })
    expect([status, body.error?.fields && 'date' in body.error.fields], JSON.stringify(body)).toEqual([400, true])
  })

  test.each(['Mars/Olympus', 'Europe/Wien', '', ' ', '../etc/passwd', '+25:00', 'Europe/Vienna\u0000', "UTC'; --", 'x'.repeat(65), 1])(
    'A date refuses the zone %j',
    async (dateZone) => {
      const { status, body } = await send({ date: '2026-05-01T10:00:00Z', dateZone })
      expect([status, body.error?.fields && 'dateZone' in body.error.fields], JSON.stringify(body)).toEqual([400, true])
    },
  )

  test.each([
    ['2024-02-29T23:59:59.999Z', 'UTC'],
    ['2000-02-29T12:00:00+05:30', 'Asia/Kolkata'],
    ['0001-01-01T00:00:00Z', null],
    ['9999-12-31T23:59:59.999Z', 'Pacific/Kiritimati'],
    ['2026-03-29T02:30:00+01:00', 'Europe/Vienna'],
    ['2026-10-25T02:30:00+02:00', 'Europe/Vienna'],
    ['2026-10-25T02:30:00+01:00', 'Europe/Vienna'],
    ['2026-05-01T10:00:00-00:00', '+02:00'],
    ['2026-05-01T10:00:00-15:59', '+23:59'],
    ['1847-06-01T12:00:00Z', 'Europe/London'],
  ])('A date accepts %s in %j and returns the same moment', async (date, dateZone) => {
    const answer = await send({ date, dateZone })
    expect([200, 201], JSON.stringify(answer.body)).toContain(answer.status)
    const row = answer.body.post ?? answer.body.asset ?? (await rowOf(answer))
    expect([new Date(row.date).toISOString(), row.date_zone]).toEqual([new Date(date).toISOString(), dateZone])
  })
})

test.each(['0000-05-01T10:00:00Z', '2026-05-01T10:00:00+16:00'])('The feed cannot have been seen at %s', async (seenAt) => {
  const { status, body } = await w.as('ada').put('/api/feed/visit', { seenAt })
  expect([status, Object.keys(body.error?.fields ?? {})]).toEqual([400, ['seenAt']])
})

describe.each(LOCATIONS)('the location of %s', (_name, send) => {
  test.each([
    { lat: 90.0001, lon: 0 },
    { lat: -90.0001, lon: 0 },
    { lat: 0, lon: 180.0001 },
    { lat: 0, lon: -180.0001 },
    { lat: 151.2, lon: -33.9 },
    { lat: '48.2', lon: '16.4' },
    { lat: 48.2 },
    { lon: 16.4 },
    { lat: null, lon: null },
    { lat: 48.2, lon: 16.4, altitude: 200 },
    [48.2, 16.4],
    '48.2,16.4',
    {},
  ])('A location refuses %j', async (location) => {
    const { status, body } = await send({ location })
    expect([status, Object.keys(body.error?.fields ?? {}).every((field) => field.startsWith('location'))]).toEqual([400, true])
  })

  test.each([
    { lat: 90, lon: 180 },
    { lat: -90, lon: -180 },
    { lat: 0, lon: 0 },
    { lat: -0, lon: -0 },
    { lat: 1e-7, lon: -1e-7 },
  ])('A location accepts %j', async (location) => {
    const answer = await send({ location })
    expect([200, 201], JSON.stringify(answer.body)).toContain(answer.status)
    const row = answer.body.post ?? answer.body.asset ?? (await rowOf(answer))
    expect(row.location).toEqual({ lat: location.lat + 0, lon: location.lon + 0 })
  })
})

test.each(['NaN', 'Infinity', '-Infinity', '1e999', '0x10', '1_0', '+1'])('A latitude written %s is refused', async (lat) => {
  const body = `{"ids":["${post}"],"location":{"lat":${lat},"lon":0}}`
  expect((await w.as('ada').post('/api/post/bulk.location', body, { type: 'application/json' })).status).toBe(400)
})

describe('the end of an event', () => {
  const event = (more: object) => w.as('ada').post('/api/post', { type: 'event', title: 'T', date: '2026-05-01T10:00:00+02:00', ...more })

  test('An event may end when it starts, in any offset, and not before', async () => {
    expect((await event({ endsAt: '2026-05-01T08:00:00Z' })).status).toBe(201)
    expect((await event({ endsAt: '2026-05-01T07:59:59.999Z' })).body.error.fields).toHaveProperty('endsAt')
  })

  test('An edit cannot move the end of an event before its start, or the start after its end', async () => {
    const { id } = (await event({ endsAt: '2026-05-01T12:00:00+02:00' })).body.post
    for (const edit of [{ date: '2026-05-02T00:00:00Z' }, { endsAt: '2026-04-30T00:00:00Z' }]) {
      const { status, body } = await w.as('ada').patch(`/api/post/${id}`, edit)
      expect([status, body.error?.code], JSON.stringify(edit)).toEqual([400, 'invalid'])
    }
    expect((await w.as('ada').patch(`/api/post/${id}`, { date: '2026-05-02T00:00:00Z', endsAt: '2026-05-03T00:00:00Z' })).status).toBe(200)
  })
})

describe('a date moved to where the clocks change', () => {
  const dated = async (date: string, dateZone: string) => {
    const { id } = (await w.as('ada').post('/api/post', { type: 'note', title: 'T', date, dateZone })).body.post
    return {
      shift: (shift: object) => w.as('ada').post('/api/post/bulk.date', { ids: [id], shift }),
      now: async () => new Date((await w.as('ada').get(`/api/post/${id}`)).body.post.date).toISOString(),
    }
  }

  test.each([
    // Half past two does not exist that night: the clocks go from two to three.
    ['2026-03-28T02:30:00+01:00', 'Europe/Vienna', 1, '2026-03-29T01:30:00.000Z'],
    ['2026-03-30T02:30:00+02:00', 'Europe/Vienna', -1, '2026-03-29T01:30:00.000Z'],
    ['2026-03-07T02:30:00-05:00', 'America/New_York', 1, '2026-03-08T07:30:00.000Z'],
    ['2026-03-07T00:15:00-05:00', 'America/Havana', 1, '2026-03-08T05:15:00.000Z'],
    ['2026-09-05T00:00:00-04:00', 'America/Santiago', 1, '2026-09-06T04:00:00.000Z'],
    ['2026-10-03T02:15:00+10:30', 'Australia/Lord_Howe', 1, '2026-10-03T15:45:00.000Z'],
    // Half past two occurs twice: the second is meant.
    ['2026-10-24T02:30:00+02:00', 'Europe/Vienna', 1, '2026-10-25T01:30:00.000Z'],
    ['2026-10-26T02:30:00+01:00', 'Europe/Vienna', -1, '2026-10-25T01:30:00.000Z'],
    ['2026-10-31T01:30:00-04:00', 'America/New_York', 1, '2026-11-01T06:30:00.000Z'],
    ['2026-10-31T00:30:00-04:00', 'America/Havana', 1, '2026-11-01T05:30:00.000Z'],
    ['2026-04-03T23:30:00-03:00', 'America/Santiago', 1, '2026-04-05T03:30:00.000Z'],
    ['2026-04-04T01:45:00+11:00', 'Australia/Lord_Howe', 1, '2026-04-04T15:15:00.000Z'],
    // Samoa had no 30th of December 2011.
    ['2011-12-29T12:00:00-10:00', 'Pacific/Apia', 1, '2011-12-30T22:00:00.000Z'],
  ])('%s in %s moves by %i days and keeps local time, in the browser as on the server', async (date, zone, days, expected) => {
    const { shift, now } = await dated(date, zone)
    const { status, body } = await shift({ days })
    expect([status, await now()]).toEqual([200, expected])
    // The browser shows the same before the server answers.
    expect(new Date(shiftMoment(date, zone, days)).toISOString()).toBe(expected)
    expect((await w.as('ada').post(`/api/undo/${body.changeId}`)).status).toBe(200)
    expect(await now()).toBe(new Date(date).toISOString())
  })

  test('A shift by minutes counts elapsed time across a change of the clocks', async () => {
    const { shift, now } = await dated('2026-03-29T01:30:00+01:00', 'Europe/Vienna')
    await shift({ minutes: 60 })
    expect(await now()).toBe('2026-03-29T01:30:00.000Z')
  })
})

async function rowOf({ body }: Answer) {
  const [id] = body.ids
  const { post: row, asset: file } = (await w.as('ada').get(id === post ? `/api/post/${id}` : `/api/asset/${id}`)).body
  return row ?? file
}
