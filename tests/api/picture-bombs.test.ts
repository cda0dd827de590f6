import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../contract/ids.ts'
import { pixelBomb, scanBomb } from '../support/bombs.ts'
import { upload } from '../support/files.ts'
import { objectsOf, runMinutesTask } from '../support/storage.ts'
import { type World, world } from '../support/world.ts'

let w: World
beforeAll(async () => {
  w = await world({ bob: 'read' })
})

const flat = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: '#c60' } })
const photo = async () =>
  new Uint8Array(
    await flat(64, 48)
      .withExif({ IFD0: { ImageDescription: newId() } })
      .jpeg()
      .toBuffer(),
  )
const put = async (bytes: Uint8Array, type: string, name = 'thumb') => {
  const asset = await upload(w.as('ada'), await photo(), { collectionIds: [w.collection.id], width: 64, height: 48 })
  return { asset, answer: await w.as('ada').put(`/api/asset/${asset.id}/renditions/${name}`, bytes, { type }) }
}

/** An animation: GIF and WebP hold every frame. */
const frames = (pages: number) =>
  sharp({
    create: {
      width: 8,
      height: 8 * pages,
      channels: 3,
      background: '#000',
      pageHeight: 8,
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })

describe('a picture that a client made is not stored', () => {
  test.each<[string, string, () => Promise<Uint8Array>, RegExp]>([
    ['a JPEG of 5,000 scans', 'image/jpeg', async () => scanBomb(5_000, { side: 512 }), /scans/],
    ['a JPEG of more pixels than its size allows', 'image/jpeg', async () => scanBomb(1, { side: 16_384 }), /at most 512 pixels/],
    ['a JPEG of large sides', 'image/jpeg', async () => new Uint8Array(await flat(2_000, 10).jpeg().toBuffer()), /at most 512 pixels/],
    ['a WebP of large sides', 'image/webp', async () => new Uint8Array(await flat(16_383, 1).webp().toBuffer()), /at most 512 pixels/],
    ['an animated WebP', 'image/webp', async () => new Uint8Array(await frames(200).webp({ loop: 0 }).toBuffer()), /damaged/],
    [
      'an AVIF of large sides',
      'image/avif',
      async () => new Uint8Array(await flat(4_096, 64).avif({ effort: 0 }).toBuffer()),
      /at most 512 pixels/,
    ],
    ['a PNG of 60,000 × 60,000 pixels', 'image/png', async () => pixelBomb(60_000, 60_000, newId()), /WebP, AVIF or JPEG/],
    ['an animated GIF', 'image/gif', async () => new Uint8Array(await frames(200).gif().toBuffer()), /WebP, AVIF or JPEG/],
  ])('%s', async (_what, type, make, sentence) => {
    const { asset, answer } = await put(await make(), type)
    expect([400, 415]).toContain(answer.status)
    expect(answer.body.error.message).toMatch(sentence)
    expect(await objectsOf(asset.id)).toEqual([`assets/${asset.id}/original`])
  })

  test('an AVIF whose pixels are more than its boxes say is drawn again at the allowed size, or refused', async () => {
    const bytes = new Uint8Array(await flat(1_024, 1_024).avif({ effort: 0 }).toBuffer())
    const at = Buffer.from(bytes).indexOf('ispe')
    new DataView(bytes.buffer).setUint32(at + 8, 256)
    new DataView(bytes.buffer).setUint32(at + 12, 256)
    const { asset, answer } = await put(bytes, 'image/avif')
    if (answer.status !== 200) return expect([answer.status, await objectsOf(asset.id)]).toEqual([400, [`assets/${asset.id}/original`]])
    const shown = await w.as('bob').get(`/api/asset/${asset.id}/renditions/thumb`)
    const { width = 0, height = 0, format } = await sharp(shown.bytes).metadata()
    expect([format, Math.max(width, height) <= 512]).toEqual(['webp', true])
  })

  test('an ordinary picture is stored: JPEG, progressive JPEG, WebP, and AVIF as WebP', async () => {
    for (const [type, made] of [
      ['image/jpeg', flat(512, 384).jpeg()],
      ['image/jpeg', flat(512, 384).jpeg({ progressive: true })],
      ['image/webp', flat(512, 384).webp()],
      ['image/avif', flat(512, 384).avif({ effort: 0 })],
    ] as const) {
      const { asset, answer } = await put(new Uint8Array(await made.toBuffer()), type)
      expect(answer.status, JSON.stringify(answer.body)).toBe(200)
      const shown = await w.as('bob').get(`/api/asset/${asset.id}/renditions/thumb`)
      expect(shown.headers.get('content-type')).toBe(type === 'image/avif' ? 'image/webp' : type)
      expect(await sharp(shown.bytes).metadata()).toMatchObject({ width: 512, height: 384 })
    }
  })
})

describe('an original made to exhaust whoever draws it', () => {
  const small = { width: 400, height: 300 }
  test.each<[string, string, () => Uint8Array]>([
    ['a JPEG of 5,000 scans', 'image/jpeg', () => scanBomb(5_000, { note: newId() })],
    ['a JPEG of 5,000 scans behind half a megabyte of notes', 'image/jpeg', () => padded(scanBomb(5_000, { note: newId() }), 9)],
    [
      'a JPEG of 60,000 × 60,000 pixels behind half a megabyte of notes',
      'image/jpeg',
      () => padded(scanBomb(1, { side: 60_000, note: newId() }), 9),
    ],
    ['a PNG of 60,000 × 60,000 pixels', 'image/png', () => pixelBomb(60_000, 60_000, newId())],
    [
      'a GIF of 65,535 × 65,535 pixels',
      'image/gif',
      () => Uint8Array.from([...Buffer.from('GIF89a'), 255, 255, 255, 255, 0, 0, 0, ...Buffer.from(newId()), 0x3b]),
    ],
  ])('%s is kept as a file, and neither a browser nor the server draws it', async (_what, type, make) => {
    const bytes = make()
    const asset = await upload(w.as('ada'), bytes, { type, collectionIds: [w.collection.id], ...small })
    // Browsers show originals only of a known size.
    expect(asset).toMatchObject({ type, width: null, height: null })
    const made = await w.as('bob').get(`/_image/w_320/${asset.id}?v=${asset.version}`)
    expect([made.status, made.body.error.code]).toEqual([415, 'unsupported_media'])
    await w.sql`update missing_renditions set due_at = now() where asset_id = ${asset.id}`
    await runMinutesTask()
    expect((await w.as('bob').get(`/api/asset/${asset.id}`)).body.asset).toMatchObject({ width: null, height: null, renditions: [] })
    expect(await objectsOf(asset.id)).toEqual([`assets/${asset.id}/original`])
    // It can still be downloaded.
    expect((await w.as('bob').get(`/api/asset/${asset.id}/file`)).bytes.length).toBe(bytes.length)
  })

  test('an ordinary photo keeps its size, whether progressive or with a long comment', async () => {
    const noisy = sharp({ create: { ...small, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 30 } } })
    for (const bytes of [
      new Uint8Array(await noisy.clone().jpeg().toBuffer()),
      new Uint8Array(await noisy.clone().jpeg({ progressive: true }).toBuffer()),
      padded(new Uint8Array(await noisy.clone().jpeg().toBuffer()), 9),
    ]) {
      const asset = await upload(w.as('ada'), bytes, { collectionIds: [w.collection.id], ...small })
      expect(asset).toMatchObject(small)
      expect((await w.as('bob').get(`/_image/w_320/${asset.id}?v=${asset.version}`)).status).toBe(200)
    }
  })
})

/** Segments of a comment after the first two bytes, 64 KiB each. */
function padded(jpeg: Uint8Array, segments: number): Uint8Array {
  const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0xff, 0xff]), Buffer.alloc(65_533, 0x41)])
  return new Uint8Array(Buffer.concat([jpeg.subarray(0, 2), ...Array<Buffer>(segments).fill(comment), jpeg.subarray(2)]))
}
