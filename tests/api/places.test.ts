import { beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { connect } from '../../worker/db/client.ts'
import { removeZonesOfDeleted } from '../../worker/queries/zones.ts'
import { jpegLike, sha256, upload } from '../support/files.ts'
import { COTTAGE, cottage, leaksTo, type Scene, secretsIn, TOWN } from '../support/hidden-places.ts'
import { collectionOf } from '../support/rows.ts'

let s: Scene
const anew = async () => {
  s = await cottage()
}

const set = async (places: string, id = s.id, name = 'dee') => {
  const { status, body } = await s.w.as(name).put(`/api/collections/${id}`, { places })
  expect(status, JSON.stringify(body)).toBe(200)
}
const postOf = async (name: string) => (await s.w.as(name).get(`/api/post/${s.post}`)).body.post
const photoOf = async (name: string) => (await s.w.as(name).get(`/api/asset/${s.photo}`)).body.asset
const zoneOf = (lat: number, lon: number, radius = 500) => ({ name: 'Grandmas', lat, lon, radius })
const setZones = async (...zones: object[]) => expect((await s.w.as('tom').put('/api/users/zones', { zones })).status).toBe(200)
const hide = async (placeHidden: boolean, name = 'tom') => {
  const asset = { name: 'a.jpg', location: COTTAGE, date: '2024-07-01T12:00:00Z', dateZone: 'Atlantic/Reykjavik', placeHidden }
  expect((await s.w.as(name).patch(`/api/post/${s.post}`, { placeHidden })).status).toBe(200)
  const { body } = await s.w.as('tom').get(`/api/asset?collection_id=${s.id}`)
  for (const { id } of body.assets) expect((await s.w.as(name).put(`/api/asset/${id}`, asset)).status).toBe(200)
}

test('The recorder finds the place where everybody sees it', async () => {
  await anew()
  const leaks = await leaksTo(s, 'rae')
  const paths = Object.keys(leaks).join(' ')
  for (const path of [
    '/api/bootstrap?',
    '/export',
    '/api/calendar/',
    '/groups/',
    '/api/post?',
    '/api/asset?',
    `/api/post/${s.post}`,
    `/api/asset/${s.photo}`,
  ])
    expect(paths).toContain(path)
  expect((await photoOf('rae')).place).toBeNull()
})

describe.each(['nothing', 'town', 'hidden', 'zone'])('With %s for others', (way) => {
  beforeAll(async () => {
    await anew()
    if (way === 'hidden') await hide(true)
    else if (way === 'zone') await setZones(zoneOf(64.147, -21.94))
    else await set(way)
  })
  const seen = way === 'nothing' || way === 'hidden' ? 'nothing' : 'town'

  test.each(['rae', 'wes'])('no reading call tells %s the place', async (name) => {
    expect(await leaksTo(s, name)).toEqual({})
    for (const item of [await postOf(name), await photoOf(name)]) {
      expect(item.location).toEqual(seen === 'town' ? TOWN : null)
      expect(item.place).toEqual({ seen })
      expect(item.date_zone).toBe('+00:00')
    }
  })

  test.each(['tom', 'dee', 'ada'])('%s sees the exact place, and that others do not', async (name) => {
    for (const item of [await postOf(name), await photoOf(name)]) {
      expect(item.location).toEqual(COTTAGE)
      expect(item.place).toEqual({ seen: 'exact', others: seen, hidden: way === 'hidden' })
      expect(item.date_zone).toBe('Atlantic/Reykjavik')
    }
    expect(await secretsIn(s.w.as(name), `/api/collections/${s.id}/export`)).toContain('Elfhome')
  })

  test('no refused, conflicting or undone change tells it', async () => {
    const wes = s.w.as('wes')
    const answers = [
      await wes.patch(`/api/post/${s.post}`, { location: TOWN }),
      await wes.put(`/api/asset/${s.photo}`, { location: TOWN }),
      await wes.post('/api/asset/bulk.location', { ids: [s.photo], location: TOWN }),
      await wes.post(`/api/post/${s.post}/copy`, {}),
      await wes.post('/api/post', { type: 'note', title: 'Mine', existingAssetIds: [s.photo], collectionIds: [s.id] }),
      await s.w.as('rae').post('/api/trash/restore', { assetIds: [s.photo] }),
    ]
    for (const { bytes } of answers) expect(Buffer.from(bytes).toString()).not.toMatch(/64\.146|Elfhome|Reykjavik/)
    expect((await postOf('tom')).location).toEqual(COTTAGE)
    expect((await photoOf('tom')).location).toEqual(COTTAGE)
  })
})

describe('a change while a list is open', () => {
  beforeEach(anew)

  const list = (kind: 'post' | 'asset', more = '') => `/api/${kind}?collection_id=${s.id}${more}`

  test.each(['post', 'asset'] as const)('of the setting gives %ss another entity tag, and asks for the whole list anew', async (kind) => {
    const rae = s.w.as('rae')
    const before = await rae.get(list(kind))
    await set('nothing')
    const again = await rae.get(list(kind), { headers: { 'if-none-match': before.headers.get('etag') ?? '' } })
    expect(again.status).toBe(200)
    expect(again.body[`${kind}s`][0].location).toBeNull()
    expect((await rae.get(list(kind, `&since=${before.body.revision}`))).status).toBe(410)
    expect((await rae.get(list(kind, `&since=${again.body.revision}`))).status).toBe(200)
    // For those for whom nothing changes, it reaches back.
    expect((await s.w.as('dee').get(list(kind, `&since=${before.body.revision}`))).status).toBe(200)
    expect((await s.w.changes()).at(-1)).toMatchObject({ table_name: 'collections', event: 'UPDATE' })
  })

  test.each(['post', 'asset'] as const)('of an override or a home zone is in the delta of %ss', async (kind) => {
    const rae = s.w.as('rae')
    let { revision } = (await rae.get(list(kind))).body
    const delta = async () => {
      const { status, body } = await rae.get(list(kind, `&since=${revision}`))
      expect(status).toBe(200)
      revision = body.revision
      return body[`${kind}s`].map(({ location }: { location: unknown }) => location)
    }
    const all = kind === 'post' ? 1 : 2
    await setZones(zoneOf(64.147, -21.94))
    expect(await delta()).toEqual(Array(all).fill(TOWN))
    await hide(true)
    expect(await delta()).toEqual(Array(all).fill(null))
    await setZones(zoneOf(64.147, -21.94), zoneOf(10, 10))
    expect(await delta()).toEqual([])
    await setZones()
    await hide(false)
    expect(await delta()).toEqual(Array(all).fill(COTTAGE))
  })

  test('of a role shows the place, or hides it, also in other collections', async () => {
    const other = await collectionOf(s.w, 'ada', { rae: 'read', tom: 'write' })
    await s.w.as('tom').post(`/api/asset/${s.photo}/collections`, { collectionIds: [other] })
    await set('nothing')
    await set('town', other, 'ada')
    const rae = s.w.as('rae')
    const there = `/api/asset?collection_id=${other}`
    const before = await rae.get(there)
    expect(before.body.assets[0].location).toEqual(TOWN)
    const role = (role: string) => s.w.as('ada').put(`/api/collections/${s.id}/members/${rae.id}`, { role })
    await role('admin')
    const etag = before.headers.get('etag') ?? ''
    const raised = await rae.get(there, { headers: { 'if-none-match': etag } })
    expect(raised.body.assets[0].location).toEqual(COTTAGE)
    await role('write')
    const lowered = await rae.get(there, { headers: { 'if-none-match': raised.headers.get('etag') ?? '' } })
    expect(lowered.body.assets[0].location).toEqual(TOWN)
  })

  test('gives the calendar another entity tag', async () => {
    const path = s.calendars.rae ?? ''
    const before = await s.w.anonymous.get(path)
    const known = { headers: { 'if-none-match': before.headers.get('etag') ?? '' } }
    expect((await s.w.anonymous.get(path, known)).status).toBe(304)
    await set('nothing')
    const after = await s.w.anonymous.get(path, known)
    expect(after.status).toBe(200)
    expect(Buffer.from(after.bytes).toString()).not.toMatch(/GEO:|LOCATION:|Reykjavik/)
  })
})

describe('what an item shows', () => {
  beforeEach(anew)

  test.each(['rows', 'columns'])('An item in two collections shows in %s the most that one of them allows', async (form) => {
    const other = await collectionOf(s.w, 'ada', { rae: 'read', tom: 'write' })
    await set('nothing')
    await s.w.as('tom').post(`/api/asset/${s.photo}/collections`, { collectionIds: [other] })
    const at = async () => {
      const { body } = await s.w.as('rae').get(`/api/asset?collection_id=${s.id}${form === 'columns' ? '&form=columns' : ''}`)
      const { fields } = body.assets
      const rows = fields
        ? fields.id.map((id: string, n: number) => ({ id, location: fields.location[n], place: fields.place[n] }))
        : body.assets
      return rows.find(({ id }: { id: string }) => id === s.photo)
    }
    expect(await at()).toMatchObject({ location: COTTAGE, place: { seen: 'exact', others: 'nothing', hidden: false } })
    await set('town', other, 'ada')
    expect(await at()).toMatchObject({ location: TOWN, place: { seen: 'town' } })
    await set('exact', other, 'ada')
    await setZones(zoneOf(64.147, -21.94))
    expect(await at()).toMatchObject({ location: TOWN, place: { seen: 'town' } })
    // Another admin of hers sees no more of what is in no collection of theirs.
    expect((await s.w.as('eve').get(`/api/asset/${s.photo}`)).status).toBe(404)
  })

  test('All items of a home zone are in the one cell of its middle', async () => {
    const tom = s.w.as('tom')
    await setZones(zoneOf(64.1999, -21.9001, 2_000))
    for (const location of [
      { lat: 64.199, lon: -21.901 },
      { lat: 64.201, lon: -21.901 },
      { lat: 64.199, lon: -21.899 },
      { lat: 64.2001, lon: -21.8999, name: 'Grandmas' },
    ]) {
      const { body } = await tom.post('/api/post', { type: 'note', title: 'T', location, collectionIds: [s.id] })
      expect((await s.w.as('rae').get(`/api/post/${body.post.id}`)).body.post.location).toEqual({ lat: 64.15, lon: -21.95 })
    }
    const outside = await tom.post('/api/post', { type: 'note', title: 'T', location: { lat: 64.25, lon: -21.9 }, collectionIds: [s.id] })
    expect((await s.w.as('rae').get(`/api/post/${outside.body.post.id}`)).body.post.location).toEqual({ lat: 64.25, lon: -21.9 })
  })

  test('An override is undone, copied, and kept by an edit that does not name it', async () => {
    const tom = s.w.as('tom')
    const { body } = await tom.patch(`/api/post/${s.post}`, { placeHidden: true })
    expect((await tom.post(`/api/undo/${body.changeId}`)).status).toBe(200)
    expect((await postOf('rae')).location).toEqual(COTTAGE)
    await tom.patch(`/api/post/${s.post}`, { placeHidden: true })
    await tom.put(`/api/post/${s.post}`, { type: 'event', title: 'New', location: COTTAGE })
    expect((await postOf('rae')).location).toBeNull()
    const copy = (await tom.post(`/api/post/${s.post}/copy`, { collectionIds: [s.id] })).body.post.id
    expect((await s.w.as('rae').get(`/api/post/${copy}`)).body.post).toMatchObject({ location: null, place: { seen: 'nothing' } })
  })
})

describe('the town and the offset', () => {
  beforeAll(async () => {
    await anew()
    await set('town')
  })

  test.each([
    [
      { lat: 90, lon: 180 },
      { lat: 89.95, lon: 179.95 },
    ],
    [
      { lat: -90, lon: -180 },
      { lat: -89.95, lon: -179.95 },
    ],
    [
      { lat: 0, lon: -0.00001 },
      { lat: 0.05, lon: -0.05 },
    ],
    [
      { lat: 64.3, lon: 10.7 },
      { lat: 64.35, lon: 10.75 },
    ],
  ])('The town of %j is %j', async (location, town) => {
    const { body } = await s.w.as('tom').post('/api/post', { type: 'note', title: 'T', location, collectionIds: [s.id] })
    expect((await s.w.as('rae').get(`/api/post/${body.post.id}`)).body.post.location).toEqual(town)
  })

  test.each([
    ['Europe/Vienna', '2024-07-01T12:00:00Z', '+02:00'],
    ['Europe/Vienna', '2024-01-01T12:00:00Z', '+01:00'],
    ['Asia/Kathmandu', '2024-01-01T12:00:00Z', '+05:45'],
    // Local mean time tells the longitude.
    ['Atlantic/Reykjavik', '1850-01-01T12:00:00Z', /^[+-]0[01]:00$/],
    ['-03:30', '2024-01-01T12:00:00Z', '-03:30'],
    ['America/St_Johns', '2024-01-01T12:00:00Z', '-03:30'],
  ])('The zone %s at %s becomes %s', async (dateZone, date, offset) => {
    const { body } = await s.w.as('tom').post('/api/post', { type: 'note', title: 'T', date, dateZone, collectionIds: [s.id] })
    expect((await s.w.as('rae').get(`/api/post/${body.post.id}`)).body.post.date_zone).toEqual(
      typeof offset === 'string' ? offset : expect.stringMatching(offset),
    )
  })
})

test('An editor who sends back what was shown instead of the place does not change it', async () => {
  await anew()
  const dee = s.w.as('dee')
  // As after a role was raised, from a form that was opened before.
  expect((await dee.patch(`/api/post/${s.post}`, { location: TOWN })).status).toBe(200)
  expect((await dee.put(`/api/asset/${s.photo}`, { location: TOWN, date: '2024-07-01T12:00:00Z' })).status).toBe(200)
  expect((await dee.post('/api/asset/bulk.location', { ids: [s.photo], location: TOWN })).status).toBe(200)
  expect((await postOf('tom')).location).toEqual(COTTAGE)
  expect((await photoOf('tom')).location).toEqual(COTTAGE)
  await setZones(zoneOf(64.147, -21.94))
  expect((await dee.patch(`/api/post/${s.post}`, { location: TOWN })).status).toBe(200)
  expect((await postOf('tom')).location).toEqual(COTTAGE)
  expect((await dee.patch(`/api/post/${s.post}`, { location: { ...TOWN, name: 'Reykjavik' } })).status).toBe(200)
  expect((await postOf('tom')).location).toEqual({ ...TOWN, name: 'Reykjavik' })
})

test('Of an account that was deleted, what was in its home zones shows no place any more', async () => {
  await anew()
  await setZones(zoneOf(64.147, -21.94))
  const { sql } = s.w
  const tom = s.w.as('tom')
  // Its bytes may have the place that it lacks.
  const bare = (await upload(tom, jpegLike(), { name: 'bare.jpg', collectionIds: [s.id] })).id
  expect((await tom.delete('/api/users/profile', { email: tom.email, items: 'leave', deleteCollections: [] })).status).toBe(200)
  expect((await postOf('rae')).location).toEqual(TOWN)
  await removeZonesOfDeleted(connect(inject('stack').databaseUrl))
  expect(await sql`select from home_zones where user_id = ${tom.id}`).toEqual([])
  expect((await postOf('rae')).location).toBeNull()
  expect((await postOf('dee')).location).toEqual(COTTAGE)
  expect((await s.w.as('rae').get(`/api/asset/${bare}`)).body.asset.place).toEqual({ seen: 'nothing' })
})

test('A file that is sent again with its place hidden is hidden', async () => {
  await anew()
  const tom = s.w.as('tom')
  const bytes = jpegLike()
  const file = { name: 'd.jpg', type: 'image/jpeg', size: bytes.length, checksum: sha256(bytes), location: COTTAGE, collectionIds: [s.id] }
  const { id } = await upload(tom, bytes, { ...file })
  const seen = async () => (await s.w.as('rae').get(`/api/asset/${id}`)).body.asset
  expect((await tom.post('/api/asset', file)).body).toMatchObject({ duplicate: true, asset: { id, place: null } })
  expect(await seen()).toMatchObject({ location: COTTAGE })
  const again = await tom.post('/api/asset', { ...file, placeHidden: true })
  expect(again.body).toMatchObject({
    duplicate: true,
    asset: { id, location: COTTAGE, place: { seen: 'exact', others: 'nothing', hidden: true } },
  })
  expect(await seen()).toMatchObject({ location: null, place: { seen: 'nothing' } })
  expect((await tom.post('/api/asset', file)).body.asset.place).toMatchObject({ hidden: true })
})

test('Only admins change the setting, and only known words; a repeated one changes nothing', async () => {
  await anew()
  for (const name of ['rae', 'wes']) expect((await s.w.as(name).put(`/api/collections/${s.id}`, { places: 'nothing' })).status).toBe(403)
  expect((await s.w.as('dee').put(`/api/collections/${s.id}`, { places: 'street' })).status).toBe(400)
  await set('town')
  const before = await s.w.changes()
  await set('town')
  expect(await s.w.changes()).toEqual(before)
})

test('Home zones are of their owner alone, at most ten, and not for access tokens', async () => {
  await anew()
  const tom = s.w.as('tom')
  await setZones(zoneOf(1, 2))
  expect((await s.w.as('ada').get('/api/users/zones')).body.zones).toEqual([])
  expect((await tom.get('/api/users/zones')).body.zones).toEqual([zoneOf(1, 2)])
  const refused = async (...zones: object[]) => expect((await tom.put('/api/users/zones', { zones })).status).toBe(400)
  await refused(...Array.from({ length: 11 }, (_, n) => zoneOf(n, 2)))
  await refused(zoneOf(91, 2))
  await refused(zoneOf(1, 2, 99))
  await refused(zoneOf(1, 2, 20_001))
  await refused({ ...zoneOf(1, 2), user_id: s.w.as('ada').id })
  expect((await s.w.anonymous.get('/api/users/zones')).status).toBe(401)
})

test('Nobody finds the home zones of others by giving their items places', async () => {
  await anew()
  await setZones(zoneOf(64.147, -21.94), zoneOf(48.2, 16.39, 2_000))
  const [ada, rae] = [s.w.as('ada'), s.w.as('rae')]
  const post = (await s.w.as('tom').post('/api/post', { type: 'note', title: 'Placeless', collectionIds: [s.id] })).body.post.id
  const photo = (await upload(s.w.as('tom'), jpegLike(), { collectionIds: [s.id] })).id
  const INSIDE = { lat: 48.2, lon: 16.405, name: 'Tried' }
  const OUTSIDE = { lat: 48.5, lon: 16.9, name: 'Tried' }
  const ways = [
    (location: object) => ada.patch(`/api/post/${post}`, { location }),
    (location: object) => ada.put(`/api/asset/${photo}`, { location }),
    (location: object) => ada.post('/api/post/bulk.location', { ids: [post], location }),
    (location: object) => ada.post('/api/asset/bulk.location', { ids: [photo], location }),
  ]
  // The third is the middle of the zone’s town.
  for (const give of ways)
    for (const location of [OUTSIDE, INSIDE, { lat: 48.25, lon: 16.35 }, INSIDE]) {
      expect((await give(location)).status).toBe(200)
      for (const who of [ada, rae]) {
        const items = [(await who.get(`/api/post/${post}`)).body.post, (await who.get(`/api/asset/${photo}`)).body.asset]
        const given = items.filter((item) => item.location !== null)
        expect(given.map((item) => item.place)).toEqual(given.map(() => null))
        expect(given.some((item) => item.location.lat === location.lat && item.location.lon === location.lon)).toBe(true)
      }
    }
  // A zone that is added later tells of nothing that others have placed there.
  const { revision } = (await rae.get(`/api/collections/${s.id}`)).body.collection
  await setZones(zoneOf(64.147, -21.94), zoneOf(48.2, 16.39, 3_000))
  expect((await rae.get(`/api/collections/${s.id}`)).body.collection.revision).toBe(revision)
})

test('What its author has placed at home stays hidden, whatever others change', async () => {
  await anew()
  await setZones(zoneOf(64.147, -21.94))
  const [ada, dee] = [s.w.as('ada'), s.w.as('dee')]
  const seen = async () => [(await postOf('rae')).location, (await photoOf('rae')).location]
  const asset = { name: 'a.jpg', date: '2024-07-01T12:00:00Z', dateZone: 'Atlantic/Reykjavik' }
  expect((await ada.patch(`/api/post/${s.post}`, { location: COTTAGE, title: 'Renamed' })).status).toBe(200)
  expect((await ada.put(`/api/asset/${s.photo}`, { ...asset, location: COTTAGE, alt: 'Described' })).status).toBe(200)
  expect(await seen()).toEqual([TOWN, TOWN])
  // Corrected, it is still at home.
  const corrected = { lat: 64.1466, lon: -21.9424, name: 'Elfhome' }
  await ada.patch(`/api/post/${s.post}`, { location: corrected })
  await dee.post('/api/asset/bulk.location', { ids: [s.photo], location: corrected })
  expect(await seen()).toEqual([TOWN, TOWN])
  // Moved away by others and back by undoing that.
  const away = { lat: 48.2, lon: 16.37 }
  const moved = [
    await ada.post('/api/post/bulk.location', { ids: [s.post], location: away }),
    await ada.post('/api/asset/bulk.location', { ids: [s.photo], location: away }),
  ]
  expect(await seen()).toEqual([away, away])
  for (const { body } of moved.toReversed()) expect((await ada.post(`/api/undo/${body.changeId}`)).status).toBe(200)
  expect(await seen()).toEqual([TOWN, TOWN])
  // Not by moving what is at home either: of another zone it tells nothing.
  await setZones(zoneOf(64.147, -21.94), zoneOf(48.2, 16.39, 2_000))
  for (const location of [
    { lat: 48.2, lon: 16.39 },
    { lat: 48.9, lon: 17.1 },
  ]) {
    const { body } = await ada.post('/api/post/bulk.location', { ids: [s.post], location })
    expect([(await postOf('ada')).place, (await postOf('rae')).location]).toEqual([null, location])
    expect((await ada.post(`/api/undo/${body.changeId}`)).status).toBe(200)
    expect((await postOf('rae')).location).toEqual(TOWN)
  }
  // The author's zones apply again to a place that the author gives.
  await ada.post('/api/post/bulk.location', { ids: [s.post], location: null })
  await s.w.as('tom').patch(`/api/post/${s.post}`, { location: COTTAGE })
  expect((await postOf('rae')).location).toEqual(TOWN)
})
