import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { Asset } from '../../contract/assets.ts'
import { newId } from '../../contract/ids.ts'
import { begin, jpegLike, sendParts, upload } from '../support/files.ts'
import { makeRenditions } from '../support/missing-renditions.ts'
import { objectBytes, objectsOf, runMinutesTask } from '../support/storage.ts'
import { type World, world } from '../support/world.ts'

/** Noise, so that no two are alike, with metadata as a camera writes it. */
async function camera(width: number, height: number, orientation = 1): Promise<Uint8Array> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 30 }
  const image = sharp({ create: { width, height, channels: 3, background: '#888', noise } })
  const exif = { IFD2: { BodySerialNumber: 'SECRET-SERIAL' }, IFD3: { GPSLatitude: '48/1 12/1 0/1', GPSLatitudeRef: 'N' } }
  return new Uint8Array(await image.withExif(exif).withMetadata({ orientation }).jpeg().toBuffer())
}

const inKyoto = (w: World) => ({ collectionIds: [w.collection.id] })
const waiting = (w: World, id: string) => w.sql`select attempts::int from missing_renditions where asset_id = ${id}`
const due = (w: World, id: string) => w.sql`update missing_renditions set due_at = '-infinity' where asset_id = ${id}`

test('A photo uploaded by a script without renditions gets them, its size and a thumbhash from the minute’s task', async () => {
  const w = await world({ bob: 'read' })
  const { id, version } = await upload(w.as('ada'), await camera(2_400, 1_200), inKyoto(w))
  const asset = await makeRenditions(w, w.as('bob'), id)
  expect(asset).toMatchObject({
    width: 2_400,
    height: 1_200,
    thumbhash: expect.stringMatching(/^[\w+/]{20,}={0,2}$/),
    version: version + 1,
  })
  for (const [name, width, height] of [
    ['thumb', 512, 256],
    ['preview', 2_048, 1_024],
  ] as const) {
    const { status, bytes, headers } = await w.as('bob').get(`/api/asset/${id}/renditions/${name}?v=${asset.version}`)
    expect([status, headers.get('content-type')]).toEqual([200, 'image/webp'])
    const metadata = await sharp(bytes).metadata()
    expect(metadata).toMatchObject({ format: 'webp', width, height })
    expect([metadata.exif, Buffer.from(bytes).includes('SECRET')]).toEqual([undefined, false])
  }
  expect(await waiting(w, id)).toEqual([])
})

test('The feed, covers and changes since a revision have the photo with its renditions', async () => {
  const w = await world({ bob: 'read' })
  const { id } = await upload(w.as('ada'), await camera(800, 600), inKyoto(w))
  const { revision } = (await w.as('bob').get(`/api/asset?collection_id=${w.collection.id}`)).body
  await makeRenditions(w, w.as('ada'), id)
  const since = (await w.as('bob').get(`/api/asset?collection_id=${w.collection.id}&since=${revision}`)).body
  expect(since.assets).toMatchObject([{ id, renditions: ['thumb', 'preview'] }])
  expect((await w.as('bob').get('/api/feed')).body.items[0].samples).toMatchObject([{ id, renditions: ['thumb', 'preview'] }])
  expect((await w.as('bob').get('/api/collections')).body.collections[0].covers).toMatchObject([{ id }])
})

test('A photo that a camera stored on its side gets the size with which it is shown', async () => {
  const w = await world()
  const { id } = await upload(w.as('ada'), await camera(1_200, 800, 6), inKyoto(w))
  const asset = await makeRenditions(w, w.as('ada'), id)
  expect(asset).toMatchObject({ width: 800, height: 1_200 })
  expect(await sharp((await objectBytes(`assets/${id}/thumb`)) ?? undefined).metadata()).toMatchObject({ width: 341, height: 512 })
})

test('Renditions and fields that a client has sent stay as they are', async () => {
  const w = await world()
  const bytes = await camera(900, 600)
  const own = { width: 900, height: 600, thumbhash: '1QcSHQRnh493V4dIh4eXh1h4kJUI' }
  const { id } = await begin(w.as('ada'), bytes, { ...own, ...inKyoto(w) })
  await sendParts(w.as('ada'), id, bytes)
  const thumb = new Uint8Array(
    await sharp({ create: { width: 90, height: 60, channels: 3, background: '#f00' } })
      .jpeg()
      .toBuffer(),
  )
  await w.as('ada').put(`/api/asset/${id}/renditions/thumb`, thumb, { type: 'image/jpeg' })
  await w.as('ada').post(`/api/asset/${id}/complete`)
  expect(await makeRenditions(w, w.as('ada'), id)).toMatchObject(own)
  const { bytes: shown } = await w.as('ada').get(`/api/asset/${id}/renditions/thumb`)
  expect(await sharp(shown).metadata()).toMatchObject({ format: 'jpeg', width: 90 })
})

test('A client has a minute to send its own renditions', async () => {
  const w = await world()
  const { id } = await upload(w.as('ada'), await camera(300, 200), inKyoto(w))
  await runMinutesTask()
  expect((await w.as('ada').get(`/api/asset/${id}`)).body.asset.renditions).toEqual([])
  const [row] = await w.sql`select extract(epoch from due_at - now())::int as seconds from missing_renditions where asset_id = ${id}`
  expect(row?.seconds).toBeGreaterThan(30)
  expect(row?.seconds).toBeLessThanOrEqual(60)
})

test('A photo with renditions and thumbhash, and a file that is no photo, wait for nothing', async () => {
  const w = await world()
  const bytes = await camera(300, 200)
  const { id } = await begin(w.as('ada'), bytes, { thumbhash: '1QcSHQRnh493V4dIh4eXh1h4kJUI', ...inKyoto(w) })
  await sendParts(w.as('ada'), id, bytes)
  for (const name of ['thumb', 'preview']) await w.as('ada').put(`/api/asset/${id}/renditions/${name}`, bytes, { type: 'image/jpeg' })
  await w.as('ada').post(`/api/asset/${id}/complete`)
  const text = await upload(w.as('ada'), new TextEncoder().encode(newId()), { name: 'a.txt', type: 'text/plain', ...inKyoto(w) })
  for (const asset of [id, text.id]) expect(await waiting(w, asset)).toEqual([])
})

test('A damaged photo is tried once and then left', async () => {
  const w = await world()
  const asset = await upload(w.as('ada'), jpegLike(), inKyoto(w))
  await due(w, asset.id)
  await expect
    .poll(async () => {
      await runMinutesTask()
      return waiting(w, asset.id)
    })
    .toEqual([{ attempts: 5 }])
  await due(w, asset.id)
  await runMinutesTask()
  expect(await waiting(w, asset.id)).toEqual([{ attempts: 5 }])
  expect((await w.as('ada').get(`/api/asset/${asset.id}`)).body.asset).toMatchObject({
    version: asset.version,
    renditions: [],
  } satisfies Partial<Asset>)
  expect(await objectsOf(asset.id)).toEqual([`assets/${asset.id}/original`])
})

test('A photo whose renditions cannot be made takes no attempt from the photos after it', async () => {
  const w = await world()
  const broken = await upload(w.as('ada'), await camera(300, 200), inKyoto(w))
  const after = await upload(w.as('ada'), await camera(400, 300), inKyoto(w))
  // Its row has a thumbnail that is missing in the storage.
  await w.sql`update assets set renditions = '{"thumb": "image/webp"}' where id = ${broken.id}`
  await due(w, broken.id)
  await w.sql`update missing_renditions set due_at = '2000-01-01' where asset_id = ${after.id}`
  await expect
    .poll(
      async () => {
        await runMinutesTask()
        return [await waiting(w, broken.id), await waiting(w, after.id)]
      },
      { timeout: 50_000 },
    )
    .toEqual([[{ attempts: 5 }], []])
})

test('A photo in the trash waits until it is restored', async () => {
  const w = await world()
  const { id } = await upload(w.as('ada'), await camera(300, 200), inKyoto(w))
  await w.as('ada').delete(`/api/asset/${id}`)
  await due(w, id)
  await runMinutesTask()
  expect(await waiting(w, id)).toEqual([{ attempts: 0 }])
  await w.as('ada').post('/api/trash/restore', { assetIds: [id] })
  await makeRenditions(w, w.as('ada'), id)
})
