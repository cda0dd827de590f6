import { rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { WORKER_BUNDLE } from '../../dev/build-worker.ts'
import { type Answer, Client } from '../../dev/http-client.ts'
import { type Stack, startStack } from '../../dev/stack.ts'
import { begin, jpegLike, MIB, noise, partsOf, sendPart, sendParts, upload } from '../support/files.ts'

let stack: Stack
let ada: Client
let away = false

beforeAll(async () => {
  stack = await startStack({ worker: WORKER_BUNDLE, assets: false, vars: { RATE_LIMIT_FACTOR: '1000' } })
  ada = new Client(stack.origin)
  await ada.post('/api/auth/sign-up', { email: 'ada@example.org', password: 'correct horse battery' })
  // The bucket's folder is created with its first object.
  await upload(ada, jpegLike())
})

afterEach(async () => {
  if (away) await storageBack()
  await expectWhole()
})
afterAll(() => stack?.stop())

const blobs = () => path.join(stack.dir, 'storage/r2/cairn-files/blobs')

/** Breaks object storage: puts a file in place of its folder. */
async function storageFails(): Promise<void> {
  await rename(blobs(), `${blobs()}.away`)
  await writeFile(blobs(), '')
  away = true
}

async function storageBack(): Promise<void> {
  await rm(blobs())
  await rename(`${blobs()}.away`, blobs())
  away = false
}

function expectUnavailable({ status, headers, body }: Answer): void {
  expect(status).toBe(503)
  expect(headers.get('retry-after')).toMatch(/^\d+$/)
  expect(body.error.code).toBe('unavailable')
}

/** Checks that every ready row has an object of its size. */
async function expectWhole(): Promise<void> {
  const bucket = await stack.bucket()
  for (const { id, size } of await stack.sql`select id, size from assets where status = 'ready'`) {
    expect((await bucket.head(`assets/${id}/original`))?.size).toBe(Number(size))
  }
}

test('Storage failing during a part gets 503, records nothing, and the upload can continue', async () => {
  const bytes = jpegLike()
  const { id } = await begin(ada, bytes)
  await storageFails()
  expectUnavailable(await sendPart(ada, id, 1, bytes))
  await storageBack()
  expect((await ada.get(`/api/asset/${id}/upload`)).body.received).toEqual([])
  await sendParts(ada, id, bytes)
  expect((await ada.post(`/api/asset/${id}/complete`)).body.asset.status).toBe('ready')
})

test('Storage failing between the parts of a large file keeps stored parts, and the rest can be sent', async () => {
  const bytes = noise(17 * MIB)
  const [first, second, third] = partsOf(bytes) as [Uint8Array, Uint8Array, Uint8Array]
  const { id } = await begin(ada, bytes)
  expect((await sendPart(ada, id, 1, first)).status).toBe(200)
  await storageFails()
  expectUnavailable(await sendPart(ada, id, 2, second))
  await storageBack()
  expect((await ada.get(`/api/asset/${id}/upload`)).body.received).toEqual([1])
  await sendPart(ada, id, 2, second)
  await sendPart(ada, id, 3, third)
  expect((await ada.post(`/api/asset/${id}/complete`)).body.asset.status).toBe('ready')
})

test.each([
  ['one part', 2_000],
  ['several parts', 9 * MIB],
])('Storage failing while a file of %s is completed leaves it unfinished, and the requested parts complete it', async (_, size) => {
  const bytes = jpegLike(size)
  const { id } = await begin(ada, bytes)
  await sendParts(ada, id, bytes)
  await storageFails()
  expect((await ada.post(`/api/asset/${id}/complete`)).status).toBeGreaterThanOrEqual(400)
  expect((await ada.get(`/api/asset/${id}`)).body.asset.status).toBe('uploading')
  await storageBack()
  const { received } = (await ada.get(`/api/asset/${id}/upload`)).body
  for (const [i, part] of partsOf(bytes).entries()) if (!received.includes(i + 1)) await sendPart(ada, id, i + 1, part)
  expect((await ada.post(`/api/asset/${id}/complete`)).body.asset.status).toBe('ready')
})

test('Storage failing during a rendition gets 503, and the row does not list it', async () => {
  const asset = await upload(ada, jpegLike())
  const image = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#c60' } })
    .webp()
    .toBuffer()
  await storageFails()
  expectUnavailable(await ada.put(`/api/asset/${asset.id}/renditions/thumb`, new Uint8Array(image)))
  expect((await ada.get(`/api/asset/${asset.id}`)).body.asset).toMatchObject({ renditions: [], version: asset.version })
})
