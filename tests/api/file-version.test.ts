import sharp from 'sharp'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Asset } from '../../contract/assets.ts'
import { begin, jpegLike, sendParts, upload } from '../support/files.ts'
import { makeRenditions } from '../support/missing-renditions.ts'
import { type World, world } from '../support/world.ts'

/** URLs of pictures contain the version at which the file or a rendition last changed. */

let w: World
let photo: Asset
let webp: Uint8Array
beforeAll(async () => {
  w = await world({ bob: 'read' })
  webp = new Uint8Array(
    await sharp({ create: { width: 60, height: 40, channels: 3, background: '#c60' } })
      .webp()
      .toBuffer(),
  )
})
beforeEach(async () => {
  const { id } = await upload(w.as('ada'), jpegLike(), { collectionIds: [w.collection.id] })
  await putThumb(id)
  photo = await read(id)
})

const putThumb = (id: string) => w.as('ada').put(`/api/asset/${id}/renditions/thumb`, webp, { type: 'image/webp' })
const read = async (id = photo.id): Promise<Asset> => (await w.as('bob').get(`/api/asset/${id}`)).body.asset

const EDITS: [what: string, edit: () => Promise<unknown>][] = [
  [
    'edited',
    () => w.as('ada').put(`/api/asset/${photo.id}`, { name: 'lake.jpg', alt: 'A lake', location: { lat: 48, lon: 16, name: '' } }),
  ],
  ['edited in bulk', () => w.as('ada').post('/api/asset/bulk.location', { ids: [photo.id], location: { lat: 48, lon: 16, name: '' } })],
  [
    'restored from the trash',
    async () => {
      await w.as('ada').delete(`/api/asset/${photo.id}`)
      await w.as('ada').post('/api/trash/restore', { assetIds: [photo.id] })
    },
  ],
]

test.each(EDITS)('A photo that is %s keeps its file version', async (_, edit) => {
  expect(photo.file_version).toBe(photo.version)
  await edit()
  const after = await read()
  expect(after.version).toBeGreaterThan(photo.version)
  expect(after.file_version).toBe(photo.file_version)
})

test('Undoing an edit keeps the file version', async () => {
  const { changeId } = (await w.as('ada').put(`/api/asset/${photo.id}`, { alt: 'A lake' })).body
  expect((await w.as('ada').post(`/api/undo/${changeId}`)).status).toBe(200)
  expect(await read()).toMatchObject({ alt: null, file_version: photo.file_version })
})

test('A rendition that is replaced, even by the same bytes, gets a new file version', async () => {
  await w.as('ada').put(`/api/asset/${photo.id}`, { alt: 'A lake' })
  await putThumb(photo.id)
  const after = await read()
  expect(after.file_version).toBe(after.version)
  expect(after.version).toBe(photo.version + 2)
})

test('A completed upload and renditions of the minute’s task get a new file version', async () => {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 30 }
  const bytes = new Uint8Array(
    await sharp({ create: { width: 90, height: 60, channels: 3, background: '#888', noise } })
      .jpeg()
      .toBuffer(),
  )
  const { id } = await begin(w.as('ada'), bytes, { collectionIds: [w.collection.id] })
  await sendParts(w.as('ada'), id, bytes)
  const { asset } = (await w.as('ada').post(`/api/asset/${id}/complete`)).body
  expect(asset.file_version).toBe(asset.version)
  const made = await makeRenditions(w, w.as('bob'), id)
  expect([made.renditions, made.file_version]).toEqual([['thumb', 'preview'], made.version])
  expect(made.version).toBeGreaterThan(asset.version)
})

test('Posts, the feed and covers have the file version of an edited photo, and rows from before it have their version', async () => {
  const { post } = (
    await w.as('ada').post('/api/post', { type: 'note', title: 'Walk', existingAssetIds: [photo.id], collectionIds: [w.collection.id] })
  ).body
  // As a migration leaves rows, or a backup from before it.
  await w.sql`alter table assets disable trigger assets_touched`
  await w.sql`update assets set file_version = null where id = ${photo.id}`
  await w.sql`alter table assets enable trigger assets_touched`
  expect((await read()).file_version).toBe(photo.version)
  await w.as('ada').put(`/api/asset/${photo.id}`, { alt: 'A lake' })
  expect(await read()).toMatchObject({ version: photo.version + 1, file_version: photo.version })
  const shown = (await w.as('bob').get(`/api/post/${post.id}`)).body.post.assets
  expect(shown).toEqual([expect.objectContaining({ version: photo.version + 1, file_version: photo.version })])
  const { collections } = (await w.as('bob').get('/api/collections')).body
  expect(collections[0].covers[0]).toMatchObject({ id: photo.id, version: photo.version })
  const { items } = (await w.as('bob').get('/api/feed')).body
  const samples = items.flatMap((item: { samples: { id: string; version: number }[] }) => item.samples)
  expect(samples.find(({ id }: { id: string }) => id === photo.id)).toMatchObject({ version: photo.version })
})
