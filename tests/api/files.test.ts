import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../contract/ids.ts'
import { LIMITS } from '../../contract/limits.ts'
import { begin, jpegLike, MIB, noise, sendParts, upload } from '../support/files.ts'
import { deleteObject, objectBytes, objectsOf } from '../support/storage.ts'
import { type World, world } from '../support/world.ts'

let w: World
beforeAll(async () => {
  w = await world({ bob: 'read', eve: null })
})

const inCollection = () => ({ collectionIds: [w.collection.id] })
const text = (content: string) => new TextEncoder().encode(content)

describe('the original file', () => {
  const bytes = jpegLike(1_000)
  let path = ''
  let etag = ''
  beforeAll(async () => {
    const asset = await upload(w.as('ada'), bytes, inCollection())
    path = `/api/asset/${asset.id}/file`
    etag = `"${asset.checksum}"`
  })
  const get = (headers: Record<string, string> = {}) => w.as('bob').get(path, { headers })

  test('A reader gets the whole file with safe headers', async () => {
    const { status, headers, bytes: received } = await get()
    expect(status).toBe(200)
    expect(received).toEqual(bytes)
    expect(Object.fromEntries(headers)).toMatchObject({
      etag,
      'accept-ranges': 'bytes',
      'content-type': 'image/jpeg',
      'content-length': '1000',
      'content-disposition': `inline; filename="photo.jpg"; filename*=UTF-8''photo.jpg`,
      'cache-control': expect.stringContaining('private'),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
    })
  })

  test('The file is a download on request', async () => {
    const { headers } = await w.as('bob').get(`${path}?download=1`)
    expect(headers.get('content-disposition')).toMatch(/^attachment; /)
  })

  test('The file gets 404 for strangers and 401 without a session', async () => {
    expect((await w.as('eve').get(path)).status).toBe(404)
    expect((await w.anonymous.get(path)).status).toBe(401)
    expect((await w.as('bob').get(`/api/asset/${newId()}/file`)).status).toBe(404)
    expect((await w.as('bob').get('/api/asset/..%2f..%2fx/file')).status).toBe(404)
  })

  test.each([
    ['bytes=0-0', 0, 1],
    ['bytes=10-19', 10, 20],
    ['bytes=990-', 990, 1_000],
    ['bytes=990-99999', 990, 1_000],
    ['bytes=-1', 999, 1_000],
    ['bytes=-5000', 0, 1_000],
  ])('A range gets part of the file: %s', async (range, from, to) => {
    const { status, headers, bytes: received } = await get({ range })
    expect(status).toBe(206)
    expect(headers.get('content-range')).toBe(`bytes ${from}-${to - 1}/1000`)
    expect(headers.get('content-length')).toBe(String(to - from))
    expect(received).toEqual(bytes.subarray(from, to))
  })

  test.each(['bytes=1000-', 'bytes=5000-6000', 'bytes=-0'])('A range beyond the end gets 416: %s', async (range) => {
    const { status, headers, body } = await get({ range })
    expect(status).toBe(416)
    expect(headers.get('content-range')).toBe('bytes */1000')
    expect(body.error.code).toBe('range_not_satisfiable')
  })

  test.each(['bytes=5-2', 'bytes=0-1,5-6', 'lines=1-2', 'nonsense'])('The range %s is ignored', async (range) => {
    const answer = await get({ range })
    expect(answer.status).toBe(200)
    expect(answer.bytes).toEqual(bytes)
  })

  test('If-Range gets the part with the current tag, and the whole file with another tag or a date', async () => {
    expect((await get({ range: 'bytes=0-9', 'if-range': etag })).status).toBe(206)
    for (const old of ['"old"', `W/${etag}`, 'Sat, 21 Nov 2026 09:00:00 GMT']) {
      expect((await get({ range: 'bytes=0-9', 'if-range': old })).status).toBe(200)
    }
  })

  test('If-None-Match gets 304 without a body', async () => {
    const known = await get({ 'if-none-match': `"other", ${etag}` })
    expect(known.status).toBe(304)
    expect(known.bytes).toHaveLength(0)
    expect(known.headers.get('etag')).toBe(etag)
    expect((await get({ 'if-none-match': '"other"' })).status).toBe(200)
  })

  test('HEAD gets the same headers without the bytes', async () => {
    const whole = await w.as('bob').head(path)
    expect(whole.status).toBe(200)
    expect(whole.headers.get('content-length')).toBe('1000')
    const part = await w.as('bob').head(path, { headers: { range: 'bytes=0-9' } })
    expect(part.status).toBe(206)
    expect(part.headers.get('content-range')).toBe('bytes 0-9/1000')
    expect((await w.as('eve').head(path)).status).toBe(404)
  })

  test('A range across the borders of upload parts is complete', async () => {
    const large = noise(9 * MIB)
    const asset = await upload(w.as('ada'), large, { name: 'film.bin', type: 'application/octet-stream' })
    const from = LIMITS.partSize - 5
    const answer = await w.as('ada').get(`/api/asset/${asset.id}/file`, { headers: { range: `bytes=${from}-${from + 9}` } })
    expect(answer.status).toBe(206)
    expect(answer.bytes).toEqual(large.subarray(from, from + 10))
  })
})

describe('files that a browser could execute', () => {
  const svg = () => text(`<svg xmlns="http://www.w3.org/2000/svg" id="${newId()}"><script>alert(1)</script></svg>`)
  test.each([
    ['an SVG', svg, 'image/svg+xml', 'image/svg+xml'],
    ['HTML named .jpg', () => text(`<!doctype html><script>alert("${newId()}")</script>`), 'image/jpeg', 'text/html'],
    ['a script', () => text(`alert("${newId()}")`), 'text/javascript', 'text/plain'],
    ['an archive', () => text(`PK\u0003\u0004${newId()}`), 'application/zip', 'application/zip'],
  ])('A file that a browser could execute is always a download: %s', async (_, make, declaredType, storedType) => {
    const asset = await upload(w.as('ada'), make(), { name: 'pic.jpg', type: declaredType })
    const { status, headers } = await w.as('ada').get(`/api/asset/${asset.id}/file`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(new RegExp(`^${storedType.replace('+', '\\+')}`))
    expect(headers.get('content-disposition')).toMatch(/^attachment; /)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
  })
})

test.each([
  ['../../etc/passwd', `filename="_.._etc_passwd"; filename*=UTF-8''_.._etc_passwd`],
  ['a "b".jpg', `filename="a _b_.jpg"; filename*=UTF-8''a%20%22b%22.jpg`],
  ['line\nbreak.jpg', `filename="line break.jpg"; filename*=UTF-8''line%20break.jpg`],
  ['京都.jpg', `filename="__.jpg"; filename*=UTF-8''%E4%BA%AC%E9%83%BD.jpg`],
  ['CON', `filename="_CON"; filename*=UTF-8''_CON`],
])('A file named %j can be saved', async (name, disposition) => {
  const asset = await upload(w.as('ada'), jpegLike(), { name })
  const { headers } = await w.as('ada').get(`/api/asset/${asset.id}/file?download=1`)
  expect(headers.get('content-disposition')).toBe(`attachment; ${disposition}`)
})

test('A row whose object is gone gets 404, not 500', async () => {
  const asset = await upload(w.as('ada'), jpegLike())
  await deleteObject(`assets/${asset.id}/original`)
  expect((await w.as('ada').get(`/api/asset/${asset.id}/file`)).status).toBe(404)
})

describe('a rendition', () => {
  const photo = () => sharp({ create: { width: 60, height: 40, channels: 3, background: '#c60' } })
  const withLocation = async (format: 'webp' | 'jpeg') =>
    new Uint8Array(
      await photo()
        .withExif({ IFD0: { Make: 'Canon' }, IFD3: { GPSLatitude: '35/1 0/1 42/1', GPSLatitudeRef: 'N' } })
        [format]()
        .toBuffer(),
    )

  test.each(['webp', 'jpeg'] as const)(
    'A %s rendition is stored without location and served to users who see the asset',
    async (format) => {
      const asset = await upload(w.as('ada'), jpegLike(), inCollection())
      const path = `/api/asset/${asset.id}/renditions/thumb`
      expect((await w.as('bob').get(path)).status).toBe(404)
      expect((await w.as('ada').put(path, await withLocation(format))).status).toBe(200)
      const after = (await w.as('bob').get(`/api/asset/${asset.id}`)).body.asset
      expect(after).toMatchObject({ renditions: ['thumb'], version: asset.version + 1 })

      const { status, headers, bytes } = await w.as('bob').get(`${path}?v=${after.version}`)
      expect(status).toBe(200)
      expect((await sharp(bytes).metadata()).exif).toBeUndefined()
      expect(new TextDecoder('latin1').decode(bytes)).not.toMatch(/Exif|Canon/)
      expect(bytes).toEqual(await objectBytes(`assets/${asset.id}/thumb`))
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': `image/${format}`,
        'cache-control': 'private, max-age=31536000, immutable',
        'content-security-policy': "sandbox; default-src 'none'",
        'x-content-type-options': 'nosniff',
      })
      const known = await w.as('bob').get(path, { headers: { 'if-none-match': headers.get('etag') ?? '' } })
      expect(known.status).toBe(304)
      expect((await w.as('eve').get(path)).status).toBe(404)
      await w.as('ada').put(path, await withLocation(format))
      const replaced = await w.as('bob').get(path, { headers: { 'if-none-match': headers.get('etag') ?? '' } })
      expect(replaced.status).toBe(200)
    },
  )

  test('A rendition may only be sent by the uploader, even before the file is complete', async () => {
    const bytes = jpegLike()
    const asset = await begin(w.as('ada'), bytes, inCollection())
    const path = `/api/asset/${asset.id}/renditions/preview`
    const rendition = new Uint8Array(await photo().webp().toBuffer())
    expect((await w.as('bob').put(path, rendition)).status).toBe(404)
    expect((await w.as('eve').put(path, rendition)).status).toBe(404)
    expect((await w.as('ada').put(path, rendition)).status).toBe(200)
    await sendParts(w.as('ada'), asset.id, bytes)
    const done = await w.as('ada').post(`/api/asset/${asset.id}/complete`)
    expect(done.body.asset.renditions).toEqual(['preview'])
  })

  test('The rendition of a finished upload stays when its owner may no longer edit the asset', async () => {
    const own = await world({ bob: 'write' })
    const asset = await upload(own.as('bob'), jpegLike(), { collectionIds: [own.collection.id] })
    const rendition = new Uint8Array(await photo().webp().toBuffer())
    const put = async (name: string) => (await own.as('bob').put(`/api/asset/${asset.id}/renditions/${name}`, rendition)).status
    expect(await put('thumb')).toBe(200)
    await own.sql`update members set role = 'read' where user_id = ${own.as('bob').id}`
    expect([await put('thumb'), await put('preview')]).toEqual([403, 403])
    await own.sql`delete from members where user_id = ${own.as('bob').id}`
    expect(await put('preview')).toBe(403)
    expect((await own.as('ada').get(`/api/asset/${asset.id}`)).body.asset).toMatchObject({
      renditions: ['thumb'],
      version: asset.version + 1,
    })
  })

  test('A rendition of another type than its header says is refused', async () => {
    const { id } = await upload(w.as('ada'), jpegLike())
    const put = async (type: string) =>
      (await w.as('ada').put(`/api/asset/${id}/renditions/thumb`, await withLocation('webp'), { type })).status
    expect([await put('image/jpeg'), await put('image/png'), await put('image/avif')]).toEqual([415, 415, 415])
    expect(await objectsOf(id)).toEqual([`assets/${id}/original`])
    expect([await put('image/webp'), await put('IMAGE/WEBP; q=1'), await put('application/octet-stream')]).toEqual([200, 200, 200])
  })

  test('A rendition that is not an image, too large, damaged or of another name is refused', async () => {
    const { id } = await upload(w.as('ada'), jpegLike())
    const put = (name: string, bytes: Uint8Array) => w.as('ada').put(`/api/asset/${id}/renditions/${name}`, bytes)
    expect((await put('thumb', text('<svg onload="alert(1)"/>'))).status).toBe(415)
    expect((await put('thumb', new Uint8Array(await photo().png().toBuffer()))).status).toBe(415)
    expect((await put('thumb', noise(LIMITS.renditionSize + 1))).status).toBe(413)
    expect((await put('thumb', (await withLocation('jpeg')).subarray(0, 200))).status).toBe(400)
    const wide = await sharp({ create: { width: 513, height: 4, channels: 3, background: '#c60' } })
      .webp()
      .toBuffer()
    expect((await put('thumb', new Uint8Array(wide))).status).toBe(400)
    expect((await put('original', await withLocation('webp'))).status).toBe(404)
    expect((await put('__proto__', await withLocation('webp'))).status).toBe(404)
    expect(await objectsOf(id)).toEqual([`assets/${id}/original`])
  })
})
