import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { CallOptions } from '../../dev/http-client.ts'
import { Unzipped } from '../support/archives.ts'
import { beginning, jpegLike, noise, sendFilm, sha256, upload } from '../support/files.ts'
import { type PlacedFile, placedFiles, tracesIn } from '../support/placed-files.ts'
import { type World, world } from '../support/world.ts'

const FILES = await placedFiles()
const TIFF = new Uint8Array(await readFile(path.resolve(import.meta.dirname, '../fixtures/photos/scan.tif')))
const GPX = '<?xml version="1.0"?><gpx xmlns="http://www.topografix.com/GPX/1/1"><wpt lat="47.5622" lon="13.6493"/></gpx>'
const REFUSED: [name: string, type: string, bytes: Uint8Array, words: string][] = [
  ['scan.tif', 'image/tiff', TIFF, 'from a TIFF'],
  ['walk.gpx', 'application/gpx+xml', new TextEncoder().encode(GPX), 'from a track'],
  ['letter.pdf', 'application/pdf', beginning('%PDF-1.7\n'), 'from a PDF'],
  ['unknown.bin', 'application/octet-stream', noise(300), 'from a file of this kind'],
  ['broken.jpg', 'image/jpeg', jpegLike(), 'because the file is damaged'],
]

let w: World
const ids = new Map<string, string>()
const idOf = (name: string) => ids.get(name) ?? ''
const get = (who: string, name: string, options?: CallOptions, query = '') =>
  w.as(who).get(`/api/asset/${idOf(name)}/file${query}`, options)
const show = async (places: string) => {
  expect((await w.as('ada').put(`/api/collections/${w.collection.id}`, { name: 'Kyoto', places })).status).toBe(200)
}

/** tom is the author of all files, in a collection of which readers see no places. */
beforeAll(async () => {
  w = await world({ tom: 'write', dee: 'admin', rae: 'read', wes: 'write' })
  const add = async (name: string, type: string, bytes: Uint8Array) =>
    ids.set(name, (await upload(w.as('tom'), bytes, { name, type, collectionIds: [w.collection.id] })).id)
  for (const { name, type, bytes } of FILES) await add(name, type, bytes)
  for (const [name, type, bytes] of REFUSED) await add(name, type, bytes)
  await show('nothing')
})

describe.each(FILES)('$name', ({ name, bytes }: PlacedFile) => {
  test('author, admin and owner get the bytes as they were sent', async () => {
    for (const who of ['tom', 'dee', 'ada']) {
      const { status, headers, bytes: got } = await get(who, name)
      expect([status, sha256(got), headers.get('etag')]).toEqual([200, sha256(bytes), `"${sha256(bytes)}"`])
    }
  })

  test('a reader and another writer get a file of the same length without the place', async () => {
    for (const who of ['rae', 'wes']) {
      for (const query of ['', '?download=1']) {
        const { status, headers, bytes: got } = await get(who, name, {}, query)
        expect([status, got.length, headers.get('content-length')]).toEqual([200, bytes.length, String(bytes.length)])
        expect(tracesIn(got)).toEqual([])
        expect(headers.get('cache-control')).toBe('private, no-cache')
      }
    }
  })

  test('each range is a part of the cleaned file', async () => {
    const whole = await get('rae', name)
    const etag = whole.headers.get('etag') ?? ''
    const size = bytes.length
    for (const [from, to] of [
      [0, 99],
      [size >> 1, size - 1],
      [100, 100 + (size >> 2)],
      [size - 40, size - 1],
    ] as const) {
      const headers = { range: `bytes=${from}-${to}`, 'if-range': etag }
      const part = await get('rae', name, { headers })
      expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes ${from}-${to}/${size}`])
      expect(part.headers.get('content-length')).toBe(String(to - from + 1))
      expect(part.bytes).toEqual(whole.bytes.slice(from, to + 1))
    }
    const stale = await get('rae', name, { headers: { range: 'bytes=0-9', 'if-range': `"${sha256(bytes)}"` } })
    expect([stale.status, stale.bytes]).toEqual([200, whole.bytes])
  })

  test('a browser that has the original is sent the cleaned file', async () => {
    const { headers } = await get('tom', name)
    const known = { headers: { 'if-none-match': headers.get('etag') ?? '' } }
    expect((await get('tom', name, known)).status).toBe(304)
    const cleaned = await get('rae', name, known)
    expect([cleaned.status, tracesIn(cleaned.bytes)]).toEqual([200, []])
    expect((await get('rae', name, { headers: { 'if-none-match': cleaned.headers.get('etag') ?? '' } })).status).toBe(304)
  })
})

test.each(REFUSED)('%s is refused to a reader with the reason, and sent to its author', async (name, _type, bytes, words) => {
  const { status, body } = await get('rae', name, { headers: { range: 'bytes=0-10' } })
  expect([status, body.error]).toEqual([
    403,
    expect.objectContaining({
      code: 'forbidden',
      message: `You may not see where this file was made, and the place could not be removed ${words}. Ask an admin or the author for it.`,
    }),
  ])
  expect((await w.as('rae').head(`/api/asset/${idOf(name)}/file`)).status).toBe(403)
  expect((await get('tom', name)).bytes).toEqual(bytes)
})

const exported = async (who: string) => (await w.as(who).get(`/api/collections/${w.collection.id}/export`)).bytes

test("A reader's export has no trace of the places, and lists what is left out", async () => {
  const bytes = await exported('rae')
  const zip = new Unzipped(bytes)
  expect(tracesIn(bytes)).toEqual([])
  const originals = zip.names.filter((name) => name.startsWith('originals/') && !name.endsWith('/'))
  expect(originals).toHaveLength(FILES.length)
  const [first = '', ...left] = zip.text('LEFT-OUT.txt').trim().split('\r\n')
  expect(first).toMatch(/^You may not see where these files were made/)
  expect(left).toHaveLength(REFUSED.length)
  for (const [name] of REFUSED) expect(zip.text('LEFT-OUT.txt')).toContain(`(${name})`)
  expect(zip.names).not.toContain('MISSING.txt')
})

test("An admin's export has the originals", async () => {
  const zip = new Unzipped(await exported('dee'))
  const sums = new Set(Object.values(zip.files).map(sha256))
  for (const bytes of [...FILES.map((file) => file.bytes), ...REFUSED.map(([, , sent]) => sent)]) expect(sums).toContain(sha256(bytes))
  expect(zip.names).not.toContain('LEFT-OUT.txt')
})

test('The playable film of a video is sent without the place', async () => {
  const film = FILES.find(({ name }) => name === 'telemetry.mp4')?.bytes ?? noise(1)
  await sendFilm(w.as('tom'), idOf('large.mp4'), film)
  const url = `/api/asset/${idOf('large.mp4')}/renditions/film`
  const own = await w.as('tom').get(`${url}?v=${(await w.as('tom').get(`/api/asset/${idOf('large.mp4')}`)).body.asset.file_version}`)
  expect([own.bytes, own.headers.get('cache-control')]).toEqual([film, 'private, no-cache'])
  const cleaned = await w.as('rae').get(url, { headers: { 'if-none-match': own.headers.get('etag') ?? '' } })
  expect([cleaned.status, cleaned.bytes.length, tracesIn(cleaned.bytes)]).toEqual([200, film.length, []])
  const part = await w.as('rae').get(url, { headers: { range: 'bytes=-900' } })
  expect([part.status, part.bytes]).toEqual([206, cleaned.bytes.slice(-900)])
})

test('Readers who see the town get cleaned files, and those who see the place get the originals, at once', async () => {
  const name = 'motion.jpg'
  const original = FILES.find((file) => file.name === name)?.bytes
  await show('town')
  expect(tracesIn((await get('rae', name)).bytes)).toEqual([])
  await show('exact')
  expect((await get('rae', name)).bytes).toEqual(original)
  await show('nothing')
  expect(tracesIn((await get('rae', name)).bytes)).toEqual([])
})

test('The place of a single item is hidden as well', async () => {
  const name = 'phone.heic'
  await show('exact')
  expect((await w.as('tom').put(`/api/asset/${idOf(name)}`, { name, placeHidden: true })).status).toBe(200)
  expect(tracesIn((await get('rae', name)).bytes)).toEqual([])
  expect(tracesIn((await get('tom', name)).bytes)).not.toEqual([])
  await show('nothing')
})

test('Others get files of whatever kind by somebody with home zones without the place, or not at all', async () => {
  await show('exact')
  const zones = (...list: object[]) => w.as('tom').put('/api/users/zones', { zones: list })
  expect((await zones({ name: 'Home', lat: 1, lon: 2, radius: 500 })).status).toBe(200)
  expect(tracesIn((await get('rae', 'motion.jpg')).bytes)).toEqual([])
  for (const [name, , bytes] of REFUSED) {
    expect((await get('rae', name)).status).toBe(403)
    for (const who of ['tom', 'dee', 'ada']) expect((await get(who, name)).bytes).toEqual(bytes)
  }
  expect((await zones()).status).toBe(200)
  for (const [name, , bytes] of REFUSED) expect((await get('rae', name)).bytes).toEqual(bytes)
  await show('nothing')
})
