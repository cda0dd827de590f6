import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Asset, NewAsset } from '../../contract/assets.ts'
import { newId } from '../../contract/ids.ts'
import type { FoundInFile, UnreadAsset } from '../../contract/unread.ts'
import { MIB, sendWhole, upload, video } from '../support/files.ts'
import { readByServer } from '../support/missing-renditions.ts'
import { PIXEL } from '../support/role-scene.ts'
import { type Actor, type World, world } from '../support/world.ts'

// A device of the author reads what the server cannot. It asks for a list of such assets and sends back what it has found.

const fixture = async (name: string) => new Uint8Array(await readFile(path.join(import.meta.dirname, '../fixtures', name)))
const read = async (who: Actor, id: string): Promise<Asset> => (await who.get(`/api/asset/${id}`)).body.asset
const said = ({ date, date_zone, date_precision, location, alt }: Asset) => ({ date, date_zone, date_precision, location, alt })
const NOTHING = { date: null, date_zone: null, date_precision: 'unknown', location: null, alt: null }
const FOUND = {
  ...{ width: 96, height: 64, duration: 2, thumbhash: '1QcSHQRnh493V4dIh4eXh1h4kJUI', contentId: 'shot-1' },
  ...{ date: '2022-09-30T17:20:00Z', dateZone: '+02:00', datePrecision: 'minute', location: { lat: 47.5, lon: 9.25 }, alt: 'Fog' },
} satisfies FoundInFile
const FILLED = {
  date: '2022-09-30T17:20:00+00:00',
  date_zone: '+02:00',
  date_precision: 'minute',
  location: { lat: 47.5, lon: 9.25 },
  alt: 'Fog',
}

/** In which the server has found nothing. */
async function film(w: World, who: Actor, more: Partial<NewAsset> = {}): Promise<Asset> {
  const asset = { name: 'phone.mp4', collectionIds: [w.collection.id], ...more }
  const { body } = await sendWhole(who, video(), { asset })
  await readByServer(w, body.asset.id)
  return read(who, body.asset.id)
}

const listed = async (who: Actor): Promise<UnreadAsset[]> => (await who.get('/api/asset/unread')).body.assets
const record = (who: Actor, id: string, found: unknown = FOUND) => who.post(`/api/asset/${id}/metadata`, found)
const sendPicture = (who: Actor, id: string, name: string) => who.put(`/api/asset/${id}/renditions/${name}`, PIXEL, { type: 'image/webp' })

test('A film of a script waits for a device of its author, and of nobody else', async () => {
  const w = await world({ bob: 'admin' })
  const { id, size } = await film(w, w.as('ada'))
  expect(await listed(w.as('ada'))).toEqual([{ id, name: 'phone.mp4', type: 'video/mp4', size, renditions: [] }])
  expect(await listed(w.as('bob'))).toEqual([])
  expect((await record(w.as('bob'), id)).status).toBe(404)
})

test('What the device has found fills the film once, as one change that is no edit', async () => {
  const w = await world({ bob: 'read' })
  const { id } = await film(w, w.as('ada'))
  for (const name of ['thumb', 'preview']) await sendPicture(w.as('ada'), id, name)
  const before = await read(w.as('bob'), id)
  const { revision } = (await w.as('bob').get(`/api/asset?collection_id=${w.collection.id}`)).body
  expect((await record(w.as('ada'), id)).body).toEqual({ success: true })
  const after = await read(w.as('bob'), id)
  expect(after).toMatchObject({ ...FILLED, width: 96, height: 64, duration: 2, content_id: 'shot-1', thumbhash: FOUND.thumbhash })
  expect([after.version, after.file_version]).toEqual([before.version + 1, before.file_version])
  const since = (await w.as('bob').get(`/api/asset?collection_id=${w.collection.id}&since=${revision}`)).body
  expect(since).toMatchObject({ revision: revision + 1, assets: [{ id, alt: 'Fog' }] })
  expect(await w.sql`select from edits where user_id = ${w.as('ada').id}`).toEqual([])
  expect(await listed(w.as('ada'))).toEqual([])

  await record(w.as('ada'), id, { ...FOUND, date: '2001-01-01T00:00:00Z', alt: 'Other', width: 1, height: 1 })
  expect(await read(w.as('bob'), id)).toEqual(after)
})

test('A film in which nothing is found is not listed again, and does not change', async () => {
  const w = await world()
  const before = await film(w, w.as('ada'))
  expect((await record(w.as('ada'), before.id, {})).status).toBe(200)
  expect(await listed(w.as('ada'))).toEqual([])
  expect(await read(w.as('ada'), before.id)).toEqual(before)
})

test('What a person has set or removed stays, and what was never there as well once they have edited it', async () => {
  const w = await world()
  const dated = await film(w, w.as('ada'), { date: '2001-02-03T04:05:06Z' })
  await w.as('ada').put(`/api/asset/${dated.id}`, { name: 'lake.mp4' })
  for (const name of ['thumb', 'preview']) await sendPicture(w.as('ada'), dated.id, name)
  expect((await listed(w.as('ada'))).map(({ id }) => id)).toEqual([dated.id])
  await record(w.as('ada'), dated.id)
  expect(await read(w.as('ada'), dated.id)).toMatchObject({ ...NOTHING, name: 'lake.mp4', width: 96, duration: 2 })
})

test('What somebody has removed before there was a mark stays away', async () => {
  const w = await world()
  const { id } = await film(w, w.as('ada'), { date: '2001-02-03T04:05:06Z' })
  await w.as('ada').put(`/api/asset/${id}`, {})
  await w.sql`update assets set metadata_read = null where id = ${id}`
  for (const name of ['thumb', 'preview']) await sendPicture(w.as('ada'), id, name)
  await record(w.as('ada'), id)
  expect(said(await read(w.as('ada'), id))).toEqual(NOTHING)
})

test('What the uploading client has read or said stays', async () => {
  const w = await world()
  const own = await film(w, w.as('ada'), { date: '2001-02-03T04:05:06Z' })
  await record(w.as('ada'), own.id)
  expect(said(await read(w.as('ada'), own.id))).toMatchObject({ date: '2001-02-03T04:05:06+00:00', date_zone: null, alt: 'Fog' })
  await w.as('ada').delete(`/api/asset/${own.id}`)
  const none = await film(w, w.as('ada'), { location: null })
  expect((await listed(w.as('ada'))).map(({ id }) => id)).toEqual([none.id])
  await record(w.as('ada'), none.id)
  expect(await read(w.as('ada'), none.id)).toMatchObject({ ...NOTHING, width: 96, duration: 2 })
})

test('A photo is listed when the server has given up its picture, and its own reading stays', async () => {
  const w = await world()
  const bytes = await fixture('photos/phone.heic')
  const { body } = await sendWhole(w.as('ada'), bytes, { asset: { name: 'phone.heic', collectionIds: [w.collection.id] } })
  const { id } = body.asset
  expect(await listed(w.as('ada'))).toEqual([])
  await w.sql`update missing_renditions set attempts = 5 where asset_id = ${id}`
  await w.sql`update assets set metadata_read = 1, alt = 'By the server' where id = ${id}`
  expect((await listed(w.as('ada'))).map((asset) => [asset.id, asset.type])).toEqual([[id, 'image/heic']])
  await record(w.as('ada'), id)
  expect(await read(w.as('ada'), id)).toMatchObject({ ...NOTHING, alt: 'By the server', width: 96, height: 64 })
})

/** A TIFF of 9 MiB whose tags come last. */
async function longScan(): Promise<Uint8Array> {
  const scan = Buffer.from(await fixture('photos/scan.tif'))
  const at = scan.readUInt32LE(4)
  const tags = scan.subarray(at, at + 6 + 12 * scan.readUInt16LE(at))
  const start = Buffer.concat([scan, Buffer.alloc(9 * MIB)])
  start.writeUInt32LE(start.length, 4)
  return Buffer.concat([start, tags])
}

test('A TIFF whose tags come after what the server reads is left to a device, unless somebody edits it', async () => {
  const w = await world()
  const bytes = await longScan()
  const scan = await upload(w.as('ada'), bytes, { name: 'scan.tif', type: 'image/tiff' })
  const other = await upload(w.as('ada'), Buffer.concat([bytes, Buffer.alloc(2)]), { name: 'edited.tif', type: 'image/tiff' })
  for (const { id } of [scan, other]) {
    await readByServer(w, id)
    expect(await w.sql`select metadata_read from assets where id = ${id}`).toEqual([{ metadata_read: -1 }])
  }
  await w.as('ada').put(`/api/asset/${other.id}`, { alt: null, name: 'edited.tif', date: '2001-02-03T04:05:06Z' })
  await w.as('ada').put(`/api/asset/${other.id}`, { name: 'edited.tif' })
  for (const { id } of [scan, other]) {
    for (const name of ['thumb', 'preview']) await sendPicture(w.as('ada'), id, name)
    await record(w.as('ada'), id)
  }
  expect(said(await read(w.as('ada'), scan.id))).toEqual(FILLED)
  expect(said(await read(w.as('ada'), other.id))).toEqual(NOTHING)
  expect(await listed(w.as('ada'))).toEqual([])
})

test('Only what a device can do is listed: no small change of a film that is whole, no file, no photo of 200 MB', async () => {
  const w = await world()
  const ada = w.as('ada')
  const whole = await film(w, ada, { ...FOUND, date: null })
  for (const name of ['thumb', 'preview']) await sendPicture(ada, whole.id, name)
  const { body } = await sendWhole(ada, await fixture('photos/scan.tif'), { asset: { name: 'scan.tif' } })
  expect((await listed(ada)).map(({ id }) => id)).toEqual([body.asset.id])
  await w.sql`update assets set size = 200000000 where id = ${body.asset.id}`
  expect(await listed(ada)).toEqual([])
  const text = await sendWhole(ada, new TextEncoder().encode('Words'), { asset: { name: 'a.txt' } })
  expect([text.body.asset.type, await listed(ada)]).toEqual(['text/plain', []])
})

test('The list goes on after an id, ten at a time', async () => {
  const w = await world()
  const [ada] = [w.as('ada')]
  const ids = Array.from({ length: 12 }, (_, nth) => newId(Date.now() + nth))
  for (const id of ids)
    await w.sql`insert into assets (id, user_id, status, name, type, size, checksum)
      values (${id}, ${ada.id}, 'ready', 'a.mov', 'video/quicktime', 1, ${(id + newId()).replaceAll('-', '')})`
  const first = (await listed(ada)).map(({ id }) => id)
  const rest = (await ada.get(`/api/asset/unread?after=${first.at(-1)}`)).body.assets.map(({ id }: UnreadAsset) => id)
  expect([...first, ...rest]).toEqual(ids.toReversed())
  expect(first).toHaveLength(10)
})

test('Not listed, and not filled: assets in the trash, of readers, and of authors who have left', async () => {
  const w = await world({ bob: 'write', cy: 'write' })
  const [ada, bob, cy] = [w.as('ada'), w.as('bob'), w.as('cy')]
  const [trashed, lowered, left] = [await film(w, ada), await film(w, bob), await film(w, cy)]
  await ada.delete(`/api/asset/${trashed.id}`)
  await ada.put(`/api/collections/${w.collection.id}/members/${bob.id}`, { role: 'read' })
  await cy.delete(`/api/collections/${w.collection.id}/invites/leave`)
  const outcomes = [ada, bob, cy].map(async (who, nth) => [
    await listed(who),
    (await record(who, [trashed, lowered, left][nth]?.id ?? '')).status,
  ])
  expect(await Promise.all(outcomes)).toEqual([
    [[], 404],
    [[], 403],
    [[], 403],
  ])
  expect(said(await read(ada, lowered.id))).toEqual(NOTHING)
})

test('What no device would find is refused, and the film stays listed', async () => {
  const w = await world()
  const ada = w.as('ada')
  const { id } = await film(w, ada)
  const refused = {
    'a date without an offset': { date: '2022-09-30T17:20:00' },
    'an unknown time zone': { date: FOUND.date, dateZone: 'Mars/Base' },
    'a latitude of 100 degrees': { location: { lat: 100, lon: 0 } },
    'a named place': { location: { lat: 1, lon: 2, name: 'Lake' } },
    'no width': { width: 0, height: 10 },
    'a description of 2,000 characters': { alt: 'x'.repeat(2_000) },
    'a thumbhash that is none': { thumbhash: '<script>' },
    'a name': { name: 'other.mp4' },
  }
  for (const [what, found] of Object.entries(refused)) expect((await record(ada, id, found)).status, what).toBe(400)
  expect((await listed(ada)).map((asset) => asset.id)).toEqual([id])
})

test('The size of a picture with too many pixels is not believed', async () => {
  const w = await world()
  const bytes = await fixture('photos/screenshot.png')
  // Width and height are at 16.
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(16, 60_000)
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(20, 60_000)
  const { body } = await sendWhole(w.as('ada'), bytes, { asset: { name: 'bomb.png' } })
  await record(w.as('ada'), body.asset.id, { width: 96, height: 72 })
  expect(await read(w.as('ada'), body.asset.id)).toMatchObject({ width: null, height: null })
})
