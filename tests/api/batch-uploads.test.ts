import { beforeAll, expect, test } from 'vitest'
import { newId } from '../../contract/ids.ts'
import { LIMITS } from '../../contract/limits.ts'
import { begin, declared, jpegLike, sendParts, upload } from '../support/files.ts'
import { type World, world } from '../support/world.ts'

let w: World
beforeAll(async () => {
  w = await world({ rae: 'read', wes: 'write' })
})

const many = (count: number) => Array.from({ length: count }, () => jpegLike())

test('Each file has its own result, in order, and a refused one changes nothing for the others', async () => {
  const ada = w.as('ada')
  const collectionIds = [w.collection.id]
  const here = jpegLike()
  const { id } = await upload(ada, here)
  const [fresh, unfinished, ...others] = many(5)
  const begun = await begin(ada, unfinished as Uint8Array)
  const taken = await begin(w.as('wes'), jpegLike())
  const { status, body } = await ada.post('/api/asset/batch', {
    assets: [
      declared(fresh as Uint8Array, { collectionIds, alt: 'A lake' }),
      declared(here, { collectionIds }),
      declared(unfinished as Uint8Array, { id: begun.id }),
      declared(others[0] as Uint8Array, { id: taken.id }),
      declared(others[1] as Uint8Array, { collectionIds: [newId()] }),
      declared(others[2] as Uint8Array, { peopleIds: [newId()] }),
    ],
  })
  expect(status).toBe(200)
  const upload1 = { partSize: LIMITS.partSize, parts: 1 }
  expect(body.results).toEqual([
    { asset: expect.objectContaining({ status: 'uploading', alt: 'A lake' }), upload: upload1 },
    { asset: expect.objectContaining({ id, status: 'ready' }), duplicate: true, linked: collectionIds },
    { asset: expect.objectContaining({ id: begun.id, status: 'uploading' }), upload: upload1 },
    { error: expect.objectContaining({ code: 'conflict' }) },
    { error: expect.objectContaining({ code: 'not_found', fields: { collectionIds: expect.any(String) } }) },
    { error: expect.objectContaining({ code: 'not_found', fields: { peopleIds: expect.any(String) } }) },
  ])
})

test('A hundred uploads begin at once, and go on as if each had begun by itself', async () => {
  const wes = w.as('wes')
  const files = many(LIMITS.uploadsPerCall)
  const { body } = await wes.post('/api/asset/batch', {
    assets: files.map((bytes) => declared(bytes, { collectionIds: [w.collection.id] })),
  })
  const last = body.results.at(-1).asset.id
  await sendParts(wes, last, files.at(-1) as Uint8Array)
  expect((await wes.post(`/api/asset/${last}/complete`)).body.asset.status).toBe('ready')
  expect(new Set(body.results.map(({ asset }: { asset: { id: string } }) => asset.id)).size).toBe(LIMITS.uploadsPerCall)
})

test('The same file twice begins twice, and the same id twice once', async () => {
  const [bytes, other] = many(2) as [Uint8Array, Uint8Array]
  const id = newId()
  const assets = [declared(bytes), declared(bytes), declared(other, { id }), declared(other, { id })]
  const { body } = await w.as('ada').post('/api/asset/batch', { assets })
  const ids = body.results.map(({ asset }: { asset: { id: string } }) => asset.id)
  expect(new Set(ids).size).toBe(3)
  expect(ids.slice(2)).toEqual([id, id])
})

test('A file that is here already is told the links of its own line', async () => {
  const ada = w.as('ada')
  const bytes = jpegLike()
  await upload(ada, bytes)
  const oslo = (await ada.post('/api/collections', { name: 'Oslo' })).body.collection.id
  const lines = [[w.collection.id], [oslo, w.collection.id], [oslo]]
  const { body } = await ada.post('/api/asset/batch', { assets: lines.map((collectionIds) => declared(bytes, { collectionIds })) })
  expect(body.results.map(({ linked }: { linked: string[] }) => linked)).toEqual([[w.collection.id], [oslo], []])
})

test('Two members who begin uploads into the same collections in another order both succeed', async () => {
  const pair = await world({ wes: 'write' })
  const [ada, wes] = [pair.as('ada'), pair.as('wes')]
  const other = (await ada.post('/api/collections', { name: 'Oslo' })).body.collection.id
  await pair.sql`insert into members (collection_id, user_id, role) values (${other}, ${wes.id}, 'write')`
  const there = [pair.collection.id, other]
  const filesIn = (collections: string[]) => ({
    assets: Array.from({ length: 40 }, (_, nth) => declared(jpegLike(), { collectionIds: [collections[nth % 2] ?? ''] })),
  })
  const rounds = Array.from({ length: 5 }, async () => [
    await Promise.all([ada.post('/api/asset/batch', filesIn(there)), wes.post('/api/asset/batch', filesIn(there.toReversed()))]),
  ])
  const statuses = (await Promise.all(rounds)).flat(2).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([200]))
})

test('If not all of them fit, none is begun', async () => {
  const full = await world()
  const ada = full.as('ada')
  await full.sql`insert into quotas (owner, bytes, items) values (${ada.id}, 1000000000, 3)`
  const { status, body } = await ada.post('/api/asset/batch', { assets: many(4).map((bytes) => declared(bytes)) })
  expect([status, body.error.code]).toEqual([413, 'quota_exceeded'])
  expect(await full.sql`select id from assets where user_id = ${ada.id}`).toEqual([])
  expect((await ada.post('/api/asset/batch', { assets: many(3).map((bytes) => declared(bytes)) })).status).toBe(200)
})

test.for<[string, unknown, string]>([
  ['no file', { assets: [] }, 'assets'],
  ['too many files', { assets: many(LIMITS.uploadsPerCall + 1).map((bytes) => declared(bytes)) }, 'assets'],
  ['a file without a checksum', { assets: [declared(jpegLike()), { ...declared(jpegLike()), checksum: undefined }] }, 'assets.1.checksum'],
])('With %s nothing is begun', async ([, sent, field]) => {
  const { status, body } = await w.as('ada').post('/api/asset/batch', sent)
  expect([status, Object.keys(body.error.fields)]).toEqual([400, [field]])
})
