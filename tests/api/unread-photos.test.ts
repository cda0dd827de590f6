import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Asset, NewAsset } from '../../contract/assets.ts'
import { begin, sendParts, sendWhole, upload } from '../support/files.ts'
import { makeRenditions, readByServer } from '../support/missing-renditions.ts'
import { type Actor, type World, world } from '../support/world.ts'

// The minute's task reads date, place and caption of photos that no browser has read.

const fixture = async (name: string) => new Uint8Array(await readFile(path.join(import.meta.dirname, '../fixtures/photos', name)))
const read = async (who: Actor, id: string): Promise<Asset> => (await who.get(`/api/asset/${id}`)).body.asset
const said = ({ date, date_zone, date_precision, location, alt }: Asset) => ({ date, date_zone, date_precision, location, alt })
const NOTHING = { date: null, date_zone: null, date_precision: 'unknown', location: null, alt: null }
const WEBP = {
  date: '2024-02-29T17:00:00+00:00',
  date_zone: '+01:00',
  date_precision: 'minute',
  location: { lat: 47.5, lon: 9.25 },
  alt: null,
}

/** A photo as an earlier version of the app has left it: uploaded by a browser that read nothing in it, or only `known`. */
async function old(w: World, who: Actor, name: string, known: Partial<NewAsset> = {}): Promise<Asset> {
  const bytes = await fixture(name)
  const { id } = await begin(who, bytes, {
    alt: null,
    thumbhash: '1QcSHQRnh493V4dIh4eXh1h4kJUI',
    collectionIds: [w.collection.id],
    ...known,
  })
  await sendParts(who, id, bytes)
  const picture = await fixture('exif.webp')
  for (const rendition of ['thumb', 'preview']) await who.put(`/api/asset/${id}/renditions/${rendition}`, picture, { type: 'image/webp' })
  await who.post(`/api/asset/${id}/complete`)
  return read(who, id)
}

const forget = (w: World, id: string) => w.sql`update assets set metadata_read = null where id = ${id}`

test.each([
  ['exif.webp', WEBP],
  ['phone.heic', { date: '2024-10-01T07:00:00+00:00', date_zone: '+02:00', location: { lat: 47.5, lon: 9.25 } }],
  ['picture.jxl', { date: '2024-02-29T17:00:00+00:00', date_zone: '+01:00' }],
  ['scan.tif', { date: '1989-05-05T14:08:45+00:00', date_zone: 'UTC', date_precision: 'minute', location: { lat: 47.5, lon: 9.25 } }],
  ['screenshot.png', { date: '2021-12-27T14:01:00+00:00', date_zone: '+08:00' }],
  ['burst.jpg', { date: '2023-05-01T10:00:00.035+00:00', alt: 'Größe: 3 m' }],
  ['iptc.jpg', { date: '1978-07-15T10:00:00+00:00', date_zone: 'UTC', alt: 'Café am See' }],
  ['xmp.jpg', { date: '1989-05-05T14:08:45+00:00', location: { lat: 47.5, lon: -9.25 }, alt: 'Lake at noon' }],
])('A script uploads %s without a word about it: date, place and caption are those of the file', async (name, expected) => {
  const w = await world({ bob: 'read' })
  const { body } = await sendWhole(w.as('ada'), await fixture(name), { asset: { name, collectionIds: [w.collection.id] } })
  expect(said(body.asset)).toEqual(NOTHING)
  await readByServer(w, body.asset.id)
  await expect.poll(async () => said(await read(w.as('bob'), body.asset.id))).toMatchObject(expected)
})

test('Renditions, date and place come together, as one change', async () => {
  const w = await world({ bob: 'read' })
  const { id, version } = await upload(w.as('ada'), await fixture('exif.webp'), { collectionIds: [w.collection.id] })
  const { revision } = (await w.as('bob').get(`/api/asset?collection_id=${w.collection.id}`)).body
  const asset = await makeRenditions(w, w.as('bob'), id)
  expect([asset.version, said(asset)]).toEqual([version + 1, WEBP])
  const since = (await w.as('bob').get(`/api/asset?collection_id=${w.collection.id}&since=${revision}`)).body
  expect([since.revision, since.assets[0].date]).toEqual([revision + 1, WEBP.date])
})

test('A photo without an offset is in its author’s time zone, and one without a date is dated by its name', async () => {
  const w = await world()
  await w.as('ada').put('/api/users/profile', { timeZone: 'Asia/Tokyo' })
  const scan = await upload(w.as('ada'), await fixture('scan.tif'))
  await readByServer(w, scan.id)
  await expect
    .poll(async () => said(await read(w.as('ada'), scan.id)))
    .toMatchObject({ date: '1989-05-05T05:08:45+00:00', date_zone: 'Asia/Tokyo' })
  // A picture without tags.
  const plain = (await fixture('modified.jpg')).slice()
  const exif = Buffer.from(plain).indexOf('Exif')
  plain[exif] = 0
  const named = await upload(w.as('ada'), plain, { name: 'IMG-20190601-WA0001.jpg' })
  await readByServer(w, named.id)
  await expect
    .poll(async () => said(await read(w.as('ada'), named.id)))
    .toMatchObject({ date: '2019-06-01T03:00:00+00:00', date_precision: 'day' })
})

test('What a client has said stays: a date of its own, and that there is none', async () => {
  const w = await world()
  const date = '2001-02-03T04:05:06Z'
  const own = await upload(w.as('ada'), await fixture('xmp.jpg'), { date })
  await readByServer(w, own.id)
  await expect
    .poll(async () => said(await read(w.as('ada'), own.id)))
    .toMatchObject({
      date: '2001-02-03T04:05:06+00:00',
      location: { lat: 47.5 },
      alt: 'Lake at noon',
    })
  for (const [name, none] of [
    ['exif.webp', { date: null }],
    ['screenshot.png', { location: null }],
    ['iptc.jpg', { alt: '' }],
  ] as const) {
    const { id } = await upload(w.as('ada'), await fixture(name), none)
    await readByServer(w, id)
    expect(said(await read(w.as('ada'), id))).toEqual(NOTHING)
  }
})

test('What a person has changed before is not read', async () => {
  const w = await world()
  const { id } = await upload(w.as('ada'), await fixture('exif.webp'), { date: '2001-02-03T04:05:06Z', location: { lat: 1, lon: 2 } })
  await w.as('ada').put(`/api/asset/${id}`, { name: 'lake.webp' })
  await makeRenditions(w, w.as('ada'), id)
  await readByServer(w, id)
  expect(said(await read(w.as('ada'), id))).toEqual(NOTHING)
})

test('A photo that is here already is read once: it gets what it lacks, and nothing shows as edited', async () => {
  const w = await world({ bob: 'read' })
  const before = await old(w, w.as('ada'), 'xmp.jpg', { date: '2001-02-03T04:05:06Z' })
  await forget(w, before.id)
  const { revision } = (await w.as('bob').get(`/api/asset?collection_id=${w.collection.id}`)).body
  const feed = (await w.as('bob').get('/api/feed')).body.items
  await readByServer(w, before.id)
  const after = await read(w.as('bob'), before.id)
  expect(after).toMatchObject({ date: '2001-02-03T04:05:06+00:00', location: { lat: 47.5, lon: -9.25 }, alt: 'Lake at noon' })
  expect([after.version, after.file_version]).toEqual([before.version + 1, before.file_version])
  const since = (await w.as('bob').get(`/api/asset?collection_id=${w.collection.id}&since=${revision}`)).body
  expect(since).toMatchObject({ revision: revision + 1, assets: [{ id: before.id, alt: 'Lake at noon' }] })
  const later = (await w.as('bob').get('/api/feed')).body.items
  expect(later.map(({ id, at }: { id: string; at: string }) => [id, at])).toEqual(
    feed.map(({ id, at }: { id: string; at: string }) => [id, at]),
  )
  expect(await w.sql`select from edits where user_id = ${w.as('ada').id}`).toEqual([])
})

test('A photo that lacks nothing that its file says stays as it is', async () => {
  const w = await world({ bob: 'read' })
  const before = await old(w, w.as('ada'), 'modified.jpg', { date: '2001-02-03T04:05:06Z' })
  await forget(w, before.id)
  const { revision } = (await w.as('bob').get(`/api/asset?collection_id=${w.collection.id}`)).body
  await readByServer(w, before.id)
  expect(await read(w.as('bob'), before.id)).toMatchObject({ version: before.version, updated_at: before.updated_at })
  expect((await w.as('bob').get(`/api/asset?collection_id=${w.collection.id}`)).body.revision).toBe(revision)
})

test.each(['in parts', 'whole'])('What somebody has removed of a photo sent %s does not come back', async (way) => {
  const w = await world()
  const known = { date: '2024-02-29T17:00:00Z', location: { lat: 47.5, lon: 9.25 }, thumbhash: '1QcSHQRnh493V4dIh4eXh1h4kJUI' }
  const bytes = await fixture('exif.webp')
  const whole = () => sendWhole(w.as('ada'), bytes, { asset: { name: 'lake.webp', ...known }, thumb: bytes, preview: bytes })
  const { id } = way === 'whole' ? (await whole()).body.asset : await old(w, w.as('ada'), 'exif.webp', known)
  await w.as('ada').put(`/api/asset/${id}`, { name: 'lake.webp' })
  // As removed before there was `metadata_read`.
  await forget(w, id)
  await readByServer(w, id)
  expect(said(await read(w.as('ada'), id))).toEqual(NOTHING)
})

test('What somebody has removed since does not come back with a new rendition', async () => {
  const w = await world()
  const asset = await old(w, w.as('ada'), 'exif.webp', { date: '2024-02-29T17:00:00Z' })
  await forget(w, asset.id)
  await w.as('ada').put(`/api/asset/${asset.id}`, { name: 'lake.webp' })
  await w.as('ada').put(`/api/asset/${asset.id}/renditions/thumb`, await fixture('exif.webp'), { type: 'image/webp' })
  await readByServer(w, asset.id)
  expect(said(await read(w.as('ada'), asset.id))).toEqual(NOTHING)
})

test('A photo that its author sees no more stays as they have left it', async () => {
  const w = await world({ bob: 'write' })
  const asset = await old(w, w.as('bob'), 'exif.webp')
  await forget(w, asset.id)
  expect((await w.as('ada').delete(`/api/collections/${w.collection.id}/members/${w.as('bob').id}`)).status).toBe(200)
  await readByServer(w, asset.id)
  expect(said(await read(w.as('ada'), asset.id))).toEqual(NOTHING)
})

test('A photo in the trash is not read', async () => {
  const w = await world()
  const asset = await old(w, w.as('ada'), 'exif.webp')
  await forget(w, asset.id)
  await w.as('ada').delete(`/api/asset/${asset.id}`)
  const beside = await old(w, w.as('ada'), 'screenshot.png')
  await forget(w, beside.id)
  await readByServer(w, beside.id)
  expect(await w.sql`select metadata_read from assets where id = ${asset.id}`).toEqual([{ metadata_read: null }])
})
