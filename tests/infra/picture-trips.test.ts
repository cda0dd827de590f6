import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WORKER_BUNDLE } from '../../dev/build-worker.ts'
import { Client } from '../../dev/http-client.ts'
import { type Stack, startStack } from '../../dev/stack.ts'
import { jpegLike, upload } from '../support/files.ts'
import { PASSWORD } from '../support/world.ts'

let stack: Stack
let ada: Client
let collectionId: string

beforeAll(async () => {
  stack = await startStack({ worker: WORKER_BUNDLE, assets: false, vars: { RATE_LIMIT_FACTOR: '1000' } })
  // Its trips are not those of a picture.
  stack.worker.runMinutely(false)
  ada = new Client(stack.origin)
  await ada.post('/api/auth/sign-up', { email: 'ada@example.org', password: PASSWORD })
  collectionId = (await ada.post('/api/collections', { name: 'Kyoto' })).body.collection.id
})
afterAll(() => stack?.stop())

/** Addresses of thumbnails of new photos. */
async function newThumbs(count: number): Promise<string[]> {
  const webp = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#c60' } })
    .webp()
    .toBuffer()
  const paths: string[] = []
  for (let n = 0; n < count; n++) {
    const { id, version } = await upload(ada, jpegLike(), { collectionIds: [collectionId] })
    await ada.put(`/api/asset/${id}/renditions/thumb`, new Uint8Array(webp), { type: 'image/webp' })
    paths.push(`/api/asset/${id}/renditions/thumb?v=${version + 1}`)
  }
  return paths
}

/** Requests that the worker makes of the database meanwhile. */
async function tripsOf(work: () => Promise<unknown>): Promise<number> {
  const { requests } = stack.neon.served
  await work()
  return stack.neon.served.requests - requests
}

const statusOf = async (path: string, headers = {}) => (await ada.get(path, { headers })).status

test('Thumbnails of one screen cost one round trip, and none again; originals cost one each', async () => {
  const paths = await newThumbs(5)
  const all = async () => {
    for (const path of paths) expect(await statusOf(path)).toBe(200)
  }
  expect([await tripsOf(all), await tripsOf(all)]).toEqual([1, 0])
  const originals = paths.map((path) => path.replace(/renditions.*/, 'file'))
  const allOriginals = async () => {
    for (const path of originals) expect(await statusOf(path)).toBe(200)
  }
  expect([await tripsOf(allOriginals), await tripsOf(allOriginals)]).toEqual([5, 5])
})

test('A thumbnail without its version costs a round trip each time', async () => {
  const [path = ''] = await newThumbs(1)
  const anew = async () => expect(await statusOf(path.replace(/\?.*/, ''))).toBe(200)
  expect([await tripsOf(anew), await tripsOf(anew)]).toEqual([1, 1])
})
