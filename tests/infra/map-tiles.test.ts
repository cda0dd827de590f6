import { gzipSync } from 'node:zlib'
import { FetchSource, PMTiles } from 'pmtiles'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WORKER_BUNDLE } from '../../dev/build-worker.ts'
import { Client } from '../../dev/http-client.ts'
import { type Stack, startStack } from '../../dev/stack.ts'
import { PASSWORD } from '../support/world.ts'

const KEY = 'map/test.pmtiles'
let stack: Stack
let ada: Client

beforeAll(async () => {
  const vars = { MAP_TILES: KEY, MAP_STYLE_URL: 'https://maps.example/style.json', MAP_HOSTS: 'https://tiles.example' }
  stack = await startStack({ worker: WORKER_BUNDLE, assets: false, vars })
  await (await stack.bucket()).put(KEY, archiveOf(Buffer.from('one tile')))
  ada = new Client(stack.origin)
  await ada.post('/api/auth/sign-up', { email: 'ada@example.org', password: PASSWORD, firstName: 'Ada' })
})

afterAll(() => stack?.stop())

test('A PMTiles reader finds a tile in the archive', async () => {
  const cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const archive = new PMTiles(new FetchSource(`${stack.origin}/api/map/tiles`, new Headers({ cookie })))
  expect((await archive.getHeader()).maxZoom).toBe(0)
  expect(new TextDecoder().decode((await archive.getZxy(0, 0, 0))?.data)).toBe('one tile')
  expect(await archive.getZxy(3, 1, 1)).toBeUndefined()
})

test.each([
  ['bytes=0-6', 206, 'PMTiles'],
  ['bytes=127-127', 206, undefined],
  ['bytes=99999-100000', 416, undefined],
  ['bytes=0-999999999', 413, undefined],
  ['bytes=-5', 400, undefined],
  [undefined, 400, undefined],
])('A range of %s gets %d', async (range, status, text) => {
  const answer = await ada.get('/api/map/tiles', range ? { headers: { range } } : {})
  expect(answer.status).toBe(status)
  if (text) expect(answer.headers.get('content-range')).toMatch(/^bytes 0-6\//)
})

test('A known part of the archive gets 304, and strangers get none', async () => {
  const { headers } = await ada.get('/api/map/tiles', { headers: { range: 'bytes=0-6' } })
  const again = await ada.get('/api/map/tiles', { headers: { range: 'bytes=0-6', 'if-none-match': headers.get('etag') ?? '' } })
  expect(again.status).toBe(304)
  const stranger = await new Client(stack.origin).get('/api/map/tiles', { headers: { range: 'bytes=0-6' } })
  expect(stranger.status).toBe(401)
})

test("The app gets the map's sources and may load them", async () => {
  const { body, headers } = await ada.get('/api/map/config')
  const style = 'https://maps.example/style.json'
  expect(body).toEqual({ success: true, style: { light: style, dark: style }, tiles: true })
  expect(headers.get('content-security-policy')).toContain("connect-src 'self' https://maps.example https://tiles.example;")
})

/** The smallest archive of version 3: header, a root directory with one entry, metadata, and a tile at 0/0/0. */
function archiveOf(tile: Buffer): Buffer {
  const metadata = gzipSync(Buffer.from('{}'))
  const data = gzipSync(tile)
  const directory = gzipSync(Buffer.from([1, 0, 1, data.length, 1]))
  const header = Buffer.alloc(127)
  header.write('PMTiles', 0)
  header.writeUInt8(3, 7)
  const offsets = [
    127,
    directory.length,
    127 + directory.length,
    metadata.length,
    0,
    0,
    127 + directory.length + metadata.length,
    data.length,
    1,
    1,
    1,
  ]
  for (const [nth, value] of offsets.entries()) header.writeBigUInt64LE(BigInt(value), 8 + nth * 8)
  // Clustered; directories and tiles compressed with gzip; vector tiles; zoom 0 only.
  for (const [nth, value] of [1, 2, 2, 1, 0, 0].entries()) header.writeUInt8(value, 96 + nth)
  return Buffer.concat([header, directory, metadata, data])
}
