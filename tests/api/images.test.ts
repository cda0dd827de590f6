import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Asset } from '../../contract/assets.ts'
import { ATTEMPTS } from '../../contract/attempts.ts'
import { newId } from '../../contract/ids.ts'
import { avatarPreset, buildModifiers, imagePath, PRESETS } from '../../contract/images.ts'
import { attemptKey } from '../../worker/services/accounts/limit-attempts.ts'
import { pixelBomb } from '../support/bombs.ts'
import { upload } from '../support/files.ts'
import { guestOf, makeLink } from '../support/guests.ts'
import { objectBytes, objectsOf, runMinutesTask } from '../support/storage.ts'
import { type World, world } from '../support/world.ts'

let w: World
let photo: Asset
let original: Uint8Array
beforeAll(async () => {
  w = await world({ bob: 'read', eve: null })
  original = await camera(1_600, 1_200)
  photo = await upload(w.as('ada'), original, { collectionIds: [w.collection.id], width: 1_600, height: 1_200 })
})

/** A JPEG as a camera writes it: with location, serial number and orientation. Noise, so that no two are alike. */
async function camera(width: number, height: number): Promise<Uint8Array> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 30 }
  return sharp({ create: { width, height, channels: 3, background: '#888', noise } })
    .withExif({
      IFD0: { Make: 'Canon', ImageDescription: 'SECRET-DESCRIPTION' },
      IFD2: { BodySerialNumber: 'SECRET-SERIAL' },
      IFD3: { GPSLatitude: '48/1 12/1 0/1', GPSLatitudeRef: 'N' },
    })
    .jpeg()
    .toBuffer()
    .then((buffer) => new Uint8Array(buffer))
}

const get = (path: string, headers: Record<string, string> = {}, who = 'bob') => w.as(who).get(path, { headers })
const sized = (modifiers: string, asset = photo) => `/_image/${modifiers}/${asset.id}?v=${asset.file_version}`
const stored = async (id: string) => (await objectsOf(id)).filter((key) => key.includes('/images/'))

describe('a rendition on request', () => {
  test.each([
    ['w_320', 'image/avif,image/webp,*/*', 'image/avif', 320, 240],
    ['w_320,f_auto', 'image/webp,image/png,*/*;q=0.8', 'image/webp', 320, 240],
    ['w_320', 'image/avif;q=0,*/*', 'image/jpeg', 320, 240],
    ['w_320,f_jpeg', 'image/avif', 'image/jpeg', 320, 240],
    ['h_320,f_webp,q_80', '*/*', 'image/webp', 427, 320],
    ['w_128,h_128,f_webp', '*/*', 'image/webp', 128, 128],
    ['w_128,h_128,f_webp,fit_inside', '*/*', 'image/webp', 128, 96],
    ['w_128,h_128,f_webp,fit_contain', '*/*', 'image/webp', 128, 96],
    // Never enlarged: that would add nothing.
    ['w_2048,f_webp', '*/*', 'image/webp', 1_600, 1_200],
    [buildModifiers(PRESETS.timeline), '*/*', 'image/webp', 75, 56],
    [buildModifiers(PRESETS.placeholder), 'image/webp', 'image/webp', 10, 10],
    [buildModifiers(avatarPreset('3xl')), 'image/webp', 'image/webp', 48, 48],
  ])('%s for %s has the expected type and size', async (modifiers, accept, type, width, height) => {
    const answer = await get(sized(modifiers), { accept })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    const found = await sharp(answer.bytes).metadata()
    expect([`image/${found.format === 'heif' ? 'avif' : found.format}`, found.width, found.height]).toEqual([type, width, height])
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': type,
      'content-length': String(answer.bytes.length),
      'cache-control': 'private, max-age=31536000, immutable',
      vary: expect.stringMatching(/accept/i),
      etag: expect.stringMatching(/^"/),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'same-origin',
    })
  })

  test.each(['f_jpeg', 'f_webp', 'f_avif'])('A rendition as %s has no location, camera or text metadata', async (format) => {
    expect(Buffer.from(original).includes('SECRET-SERIAL')).toBe(true)
    const { bytes } = await get(sized(`w_640,${format}`))
    const metadata = await sharp(bytes).metadata()
    expect(metadata).toMatchObject({ width: 640 })
    for (const kind of ['exif', 'xmp', 'iptc'] as const) expect(metadata[kind]).toBeUndefined()
    for (const word of ['SECRET', 'Canon', 'Exif', 'GPS', 'http://ns.adobe.com']) expect(Buffer.from(bytes).includes(word)).toBe(false)
  })

  test('A rendition is stored and reused for all equivalent addresses', async () => {
    const asset = await upload(w.as('ada'), await camera(700, 500), { collectionIds: [w.collection.id] })
    const first = await get(sized('w_320,f_webp', asset))
    await expect.poll(() => stored(asset.id)).toHaveLength(1)
    const [key = ''] = await stored(asset.id)
    expect(key).toBe(`assets/${asset.id}/images/${asset.version}-w_320.f_webp.fit_inside`)
    expect(await objectBytes(key)).toEqual(first.bytes)
    const again = await get(sized('fit_inside,w_320', asset), { accept: 'image/webp' })
    expect(again.bytes).toEqual(first.bytes)
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'))
    expect(await stored(asset.id)).toHaveLength(1)
  })

  test('Renditions of an older version are deleted when one of the new version is made', async () => {
    const asset = await upload(w.as('ada'), await camera(700, 500), { collectionIds: [w.collection.id] })
    await get(sized('w_320,f_webp', asset))
    await expect.poll(() => stored(asset.id)).toHaveLength(1)
    const preview = await sharp({ create: { width: 640, height: 457, channels: 3, background: '#0f0' } })
      .webp()
      .toBuffer()
    await w.as('ada').put(`/api/asset/${asset.id}/renditions/preview`, new Uint8Array(preview), { type: 'image/webp' })
    const edited: Asset = (await w.as('ada').get(`/api/asset/${asset.id}`)).body.asset
    const old = await get(sized('w_320,f_webp', asset), {}, 'ada')
    expect(old.headers.get('cache-control')).toBe('private, no-cache')
    await expect.poll(() => stored(asset.id)).toEqual([expect.stringContaining(`/${edited.file_version}-`)])
  })

  test('An edited description changes no URL of a picture and makes none anew', async () => {
    const asset = await upload(w.as('ada'), await camera(700, 500), { collectionIds: [w.collection.id] })
    const first = await get(sized('w_320,f_webp', asset))
    await expect.poll(() => stored(asset.id)).toHaveLength(1)
    const edited: Asset = (await w.as('ada').put(`/api/asset/${asset.id}`, { alt: 'A lake' })).body.asset
    expect(edited).toMatchObject({ version: asset.version + 1, file_version: asset.file_version })
    expect(imagePath(edited, { width: 320, format: 'webp' })).toBe(sized('w_320,f_webp', asset))
    const again = await get(sized('w_320,f_webp', edited), { 'if-none-match': first.headers.get('etag') ?? '' }, 'ada')
    expect([again.status, again.headers.get('cache-control')]).toEqual([304, 'private, max-age=31536000, immutable'])
    expect(await stored(asset.id)).toHaveLength(1)
  })

  test('Renditions are deleted with their asset', async () => {
    const asset = await upload(w.as('ada'), await camera(400, 300), { collectionIds: [w.collection.id] })
    await get(sized('w_320,f_webp', asset))
    await expect.poll(() => stored(asset.id)).toHaveLength(1)
    await w.as('ada').delete(`/api/asset/${asset.id}`)
    // With the version, it may be sent for 10 s more (picture-access.test.ts).
    expect((await get(`/_image/w_320,f_webp/${asset.id}`)).status).toBe(404)
    await w.sql`update assets set deleted_at = now() - interval '31 days' where id = ${asset.id}`
    await expect
      .poll(async () => {
        await runMinutesTask()
        return objectsOf(asset.id)
      })
      .toEqual([])
  })

  test('A rendition is not sent again to a client that has it', async () => {
    const { headers } = await get(sized('w_320,f_webp'))
    const known = await get(sized('w_320,f_webp'), { 'if-none-match': headers.get('etag') ?? '' })
    expect([known.status, known.bytes.length]).toEqual([304, 0])
    const head = await w.as('bob').head(sized('w_320,f_webp'))
    expect([head.status, head.bytes.length]).toEqual([200, 0])
    expect((await get(sized('w_320,f_webp'), { 'if-none-match': '"other"' })).status).toBe(200)
  })

  test('A rendition is made from the preview if that is large enough, otherwise from the original', async () => {
    const wide = await upload(w.as('ada'), await camera(2_400, 300), { collectionIds: [w.collection.id], width: 2_400, height: 300 })
    const red = await sharp({ create: { width: 2_048, height: 256, channels: 3, background: '#f00' } })
      .webp()
      .toBuffer()
    expect((await w.as('ada').put(`/api/asset/${wide.id}/renditions/preview`, new Uint8Array(red), { type: 'image/webp' })).status).toBe(
      200,
    )
    const isRed = async (modifiers: string) => {
      const { channels } = await sharp((await get(sized(modifiers, wide))).bytes).stats()
      return (channels[0]?.mean ?? 0) > 200 && (channels[1]?.mean ?? 255) < 50
    }
    expect(await isRed('w_320,f_webp')).toBe(true)
    expect(await isRed('w_2560,f_webp')).toBe(false)
  })
})

describe('access to renditions', () => {
  test('A rendition gets 404 for users who cannot see the asset and 401 without a session', async () => {
    expect((await get(sized('w_320'), {}, 'eve')).status).toBe(404)
    expect((await w.anonymous.get(sized('w_320'))).status).toBe(401)
    expect((await get(sized('w_320', { ...photo, id: newId() }))).status).toBe(404)
  })

  test('A stored rendition gets 404 for users who cannot see the asset', async () => {
    expect((await get(sized('w_128,f_webp'))).status).toBe(200)
    expect((await get(sized('w_128,f_webp'), {}, 'eve')).status).toBe(404)
  })
})

describe('an invalid address of a rendition', () => {
  test.each([
    'w_641',
    'w_1',
    'w_99999',
    'w_320,q_81',
    'w_320,q_90',
    's_320x640',
    'w_320,x_1',
    'w_320,w_640',
    'f_webp',
    '_',
    'w_%2e%2e',
    '..%2f..%2fw_320',
    'w_320%252cf_webp',
  ])('The modifiers %s are refused', async (modifiers) => {
    const { status, body } = await get(sized(modifiers))
    expect([status, body.error.code]).toEqual([400, 'invalid'])
  })

  test.each([
    '/_image/w_320/..%2f..%2fassets%2fx',
    '/_image/w_320/%252e%252e%252fx',
    '/_image/w_320/x',
    '/_image/w_320',
    '/_image',
    '/_image/w_320/a/b',
    '/_image/w_320/%00',
  ])('The address %s is not found', async (path) => {
    const { status, body } = await get(path)
    expect([status, body.error.code]).toEqual([404, 'not_found'])
  })

  test('A path that leaves the asset reaches nothing else', async () => {
    const { status } = await get(`/_image/w_320/${photo.id}/../../../api/health/..%2f`)
    expect(status).toBe(404)
  })

  test('Only GET is allowed for a rendition', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) expect((await w.as('bob').call(method, sized('w_320'), {})).status).toBe(404)
  })
})

describe('a file that cannot be decoded', () => {
  const refused = async (bytes: Uint8Array, type: string, more: { width?: number; height?: number } = {}) => {
    const asset = await upload(w.as('ada'), bytes, { type, collectionIds: [w.collection.id], ...more })
    const { status, body } = await get(sized('w_320', asset))
    expect([status, body.error.code], `${asset.type} ${JSON.stringify(body)}`).toEqual([415, 'unsupported_media'])
    expect(await stored(asset.id)).toEqual([])
    return asset
  }

  test('A PNG of 60,000 × 60,000 pixels is refused, whatever size it declares', async () => {
    await refused(pixelBomb(60_000, 60_000, newId()), 'image/png', { width: 100, height: 100 })
  })

  test('A JPEG whose header declares 60,000 × 60,000 pixels is refused', async () => {
    const bytes = await camera(64, 64)
    const frame = bytes.findIndex((byte, i) => byte === 0xff && bytes[i + 1] === 0xc0)
    new DataView(bytes.buffer).setUint32(frame + 5, 60_000 * 2 ** 16 + 60_000)
    await refused(bytes, 'image/jpeg')
  })

  test('HEIC, SVG, HTML named .jpg, a video and truncated photos are refused', async () => {
    const heic = new Uint8Array([0, 0, 0, 24, ...Buffer.from('ftypheic'), 0, 0, 0, 0, ...Buffer.from('mif1heic'), ...Buffer.from(newId())])
    await refused(heic, 'image/heic')
    await refused(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" id="${newId()}"><script>1</script></svg>`), 'image/svg+xml')
    await refused(Buffer.from(`<!doctype html><p>${newId()}`), 'image/jpeg')
    await refused(Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from(`ftypisom${newId()}`)]), 'video/mp4')
    await refused((await camera(64, 64)).subarray(0, 300), 'image/jpeg')
    const cut = await camera(640, 480)
    await refused(cut.subarray(0, cut.length / 3), 'image/jpeg')
  })

  test('A file that cannot be decoded is shown by its uploaded rendition', async () => {
    const asset = await refused(pixelBomb(50_000, 50_000, newId()), 'image/png', { width: 50_000, height: 50_000 })
    const preview = await sharp({ create: { width: 512, height: 512, channels: 3, background: '#0f0' } })
      .webp()
      .toBuffer()
    await w.as('ada').put(`/api/asset/${asset.id}/renditions/preview`, new Uint8Array(preview), { type: 'image/webp' })
    const { status, bytes } = await get(sized('w_320,f_webp', { ...asset, file_version: asset.version + 1 }))
    expect(status).toBe(200)
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 320 })
  })

  test('An unfinished upload has no renditions', async () => {
    const asset = await upload(w.as('ada'), await camera(64, 64))
    await w.sql`update assets set status = 'uploading' where id = ${asset.id}`
    expect((await get(sized('w_320', asset), {}, 'ada')).status).toBe(404)
  })
})

test('The worker answers the address built by the contract', async () => {
  expect((await get(imagePath(photo, PRESETS.timeline))).status).toBe(200)
})

test('New sizes of one photo are limited by the minute, for each user; stored ones are not', async () => {
  const asset = await upload(w.as('ada'), await camera(400, 300), { collectionIds: [w.collection.id], width: 400, height: 300 })
  expect((await get(sized('w_64,f_webp', asset))).status).toBe(200)
  await expect.poll(() => stored(asset.id)).toHaveLength(1)
  const key = await attemptKey('image', `photo:${asset.id} ${w.as('bob').id}`)
  await w.sql`update rate_limits set tries = ${ATTEMPTS.image.perPhoto * 1000}, resets_at = now() + interval '1 minute' where key = ${key}`
  const refused = await get(sized('w_96,f_webp', asset))
  expect([refused.status, refused.body.error.message]).toEqual([429, 'Too many sizes of one photo. Try again in a minute'])
  expect((await get(sized('w_64,f_webp', asset))).status).toBe(200)
  expect((await get(sized('w_96,f_webp', asset), {}, 'ada')).status).toBe(200)
})

test('New sizes of one photo are counted for all guests of a link together', async () => {
  const asset = await upload(w.as('ada'), await camera(400, 300), { collectionIds: [w.collection.id], width: 400, height: 300 })
  const made = await makeLink(w.as('ada'), w.collection.id)
  const enter = () => guestOf(w.as('ada'), w.collection.id, {}, {}, made)
  const key = await attemptKey('image', `photo:${asset.id} ${made.id}`)
  await w.sql`insert into rate_limits (key, tries, resets_at) values (${key}, ${ATTEMPTS.image.perPhoto * 1000 - 1}, now() + interval '1 minute')`
  const statuses = []
  for (const [who, width] of [
    [await enter(), 64],
    [await enter(), 96],
    [w.as('bob'), 96],
  ] as const)
    statuses.push((await who.get(sized(`w_${width},f_webp`, asset))).status)
  expect(statuses).toEqual([200, 429, 200])
})
