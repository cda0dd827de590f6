import { expect, test } from 'vitest'
import { dayOf } from '../../contract/dates.ts'
import { newId } from '../../contract/ids.ts'
import { type Bucket, getTimeline } from '../../contract/timeline.ts'
import { assetRow } from '../support/rows.ts'
import { type World, world } from '../support/world.ts'

const timeline = async (w: World, who = 'bob'): Promise<Bucket[]> => {
  const { body } = await w.as(who).get(`/api/collections/${w.collection.id}/timeline`)
  return getTimeline.response.parse(body).buckets
}
const post = (w: World, date: string | null, dateZone?: string, more = {}) =>
  w
    .as('ada')
    .post('/api/post', { type: 'note', title: 'x', date, ...(dateZone && { dateZone }), collectionIds: [w.collection.id], ...more })

test('The timeline counts by local month, newest first, with unknown dates last', async () => {
  const w = await world({ bob: 'read' })
  const moments: [string, string | undefined][] = [
    ['2026-05-31T23:30:00Z', 'Europe/Vienna'],
    ['2026-05-31T23:30:00Z', undefined],
    ['2026-05-31T23:30:00Z', '+01:00'],
    ['2026-06-01T00:30:00Z', '-01:00'],
    ['2026-06-01T00:30:00Z', 'America/New_York'],
    ['2026-01-01T02:00:00Z', '-03:30'],
    ['1969-12-31T23:59:59Z', 'Asia/Tokyo'],
    ['0900-02-28T12:00:00Z', 'UTC'],
  ]
  for (const [date, zone] of moments) expect((await post(w, date, zone)).status).toBe(201)
  await post(w, null)
  const months = new Map<string, number>()
  for (const [date, zone] of moments) {
    const month = dayOf(new Date(date).toISOString(), zone ?? null)?.slice(0, 7) ?? ''
    months.set(month, (months.get(month) ?? 0) + 1)
  }
  const expected = [...months].toSorted(([a], [b]) => (a < b ? 1 : -1)).map(([month, posts]) => ({ month, posts, assets: 0 }))
  const found = await timeline(w)
  expect(found.filter(({ month }) => !month?.startsWith('0900'))).toEqual([
    ...expected.filter(({ month }) => /^(19|20)/.test(month)),
    { month: null, posts: 1, assets: 0 },
  ])
  expect(found).toContainEqual({ month: '0900-02', posts: 1, assets: 0 })
})

test('The timeline follows every change: dates, zones, trash and restore, links, finished uploads', async () => {
  const w = await world({ bob: 'read' })
  const { id } = (await post(w, '2026-05-31T23:30:00Z', 'UTC')).body.post
  const photo = await assetRow(w, 'ada', [w.collection.id])
  const both = [
    { month: '2026-05', posts: 1, assets: 0 },
    { month: null, posts: 0, assets: 1 },
  ]
  expect(await timeline(w)).toEqual(both)
  await w.as('ada').patch(`/api/post/${id}`, { dateZone: 'Europe/Vienna' })
  expect((await timeline(w))[0]).toEqual({ month: '2026-06', posts: 1, assets: 0 })
  await w.as('ada').put(`/api/asset/${photo}`, { date: '2026-06-15T10:00:00Z' })
  expect(await timeline(w)).toEqual([{ month: '2026-06', posts: 1, assets: 1 }])
  await w.as('ada').delete(`/api/post/${id}`)
  await w.sql`update assets set status = 'uploading' where id = ${photo}`
  expect(await timeline(w)).toEqual([])
  await w.sql`update assets set status = 'ready' where id = ${photo}`
  await w.sql`update posts set deleted_at = null where id = ${id}`
  expect(await timeline(w)).toEqual([{ month: '2026-06', posts: 1, assets: 1 }])
  await w.sql`delete from post_collections where post_id = ${id}`
  expect(await timeline(w)).toEqual([{ month: '2026-06', posts: 0, assets: 1 }])
})

test('A zone known only to the browser counts as UTC without an error', async () => {
  const w = await world({ bob: 'read' })
  const { id } = (await post(w, '2026-05-01T00:30:00Z')).body.post
  await w.sql`update posts set date_zone = 'Moon/Tranquility' where id = ${id}`
  expect(await timeline(w)).toEqual([{ month: '2026-05', posts: 1, assets: 0 }])
})

test('An unchanged timeline gets 304', async () => {
  const w = await world({ bob: 'read', eve: null })
  const path = `/api/collections/${w.collection.id}/timeline`
  const first = await w.as('bob').get(path)
  expect(first.body.buckets).toEqual([])
  const etag = first.headers.get('etag') ?? ''
  const again = () => w.as('bob').get(path, { headers: { 'if-none-match': etag } })
  expect((await again()).status).toBe(304)
  await post(w, '2026-05-01T00:30:00Z')
  expect((await again()).body).toMatchObject({ buckets: [{ posts: 1 }], revision: first.body.revision + 1 })
  expect((await w.as('eve').get(path, { headers: { 'if-none-match': etag } })).status).toBe(404)
  expect((await w.as('bob').get(`/api/collections/${newId()}/timeline`)).status).toBe(404)
})
