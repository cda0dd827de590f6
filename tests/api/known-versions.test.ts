import { beforeAll, expect, test } from 'vitest'
import { Client } from '../../dev/http-client.ts'
import { assetRow } from '../support/rows.ts'
import { type World, world } from '../support/world.ts'

let w: World
let calendar: string
beforeAll(async () => {
  w = await world()
  await w.as('ada').post('/api/post', { type: 'event', title: 'Concert', date: '2026-05-01T10:00:00Z', collectionIds: [w.collection.id] })
  await assetRow(w, 'ada', [w.collection.id])
  calendar = new URL((await w.as('ada').put(`/api/collections/${w.collection.id}/calendar-link`, {})).body.url).pathname
})

const READS: [name: string, path: () => string][] = [
  ['posts', () => `/api/post?collection_id=${w.collection.id}`],
  ['assets', () => `/api/asset?collection_id=${w.collection.id}&form=columns`],
  ['the timeline', () => `/api/collections/${w.collection.id}/timeline`],
  ['a calendar', () => calendar],
  ['the documentation', () => '/api/docs'],
]

test.each(READS)('A client that has %s in this version is not sent it again, however it names its versions', async (_name, path) => {
  const client = path() === calendar ? new Client(w.origin) : w.as('ada')
  const first = await client.get(path())
  const opaque = (first.headers.get('etag') ?? '').replace('W/', '')
  const statuses = async (...headers: string[]) =>
    Promise.all(headers.map(async (known) => (await client.get(path(), { headers: { 'if-none-match': known } })).status))
  expect(await statuses(opaque, `W/${opaque}`, `"a, b", W/${opaque}`, `${opaque},"a"`, '*')).toEqual([304, 304, 304, 304, 304])
  expect(await statuses('"a"', `"a${opaque.slice(1)}`, `${opaque.slice(0, -1)}0"`, opaque.slice(1, -1), 'W/""')).toEqual([
    200, 200, 200, 200, 200,
  ])
})
