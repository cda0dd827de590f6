import sharp, { type Color } from 'sharp'
import { describe, expect, test } from 'vitest'
import { LIMITS } from '../../contract/limits.ts'
import { deleteAvatar, putAvatar } from '../../contract/users.ts'
import { scanBomb } from '../support/bombs.ts'
import { reseal } from '../support/sessions.ts'
import { keysUnder, runMinutesTask } from '../support/storage.ts'
import { scriptOf } from '../support/tokens.ts'
import { type Actor, register, type World, world } from '../support/world.ts'

const RED = '#f00000'
const GREEN = '#00f000'
const BLUE = '#0000f0'

/** Stripes of 200 × 300 pixels side by side. */
async function stripes(...colors: Color[]): Promise<Buffer> {
  const stripe = (background: Color) =>
    sharp({ create: { width: 200, height: 300, channels: 3, background } })
      .png()
      .toBuffer()
  const parts = await Promise.all(colors.map(stripe))
  const create = { width: 200 * parts.length, height: 300, channels: 3 as const, background: '#fff' }
  return sharp({ create })
    .composite(parts.map((input, nth) => ({ input, left: nth * 200, top: 0 })))
    .png()
    .toBuffer()
}

const put = (who: Actor, bytes: Uint8Array, { crop = '', type = 'image/png' } = {}) =>
  who.put(`/api/users/avatar${crop && `?crop=${crop}`}`, new Uint8Array(bytes), { type })

async function set(who: Actor, bytes: Uint8Array, crop = ''): Promise<string> {
  const { status, body } = await put(who, bytes, { crop })
  expect(status, JSON.stringify(body)).toBe(200)
  return putAvatar.response.parse(body).profile.avatar ?? ''
}

const addressOf = ({ id }: Actor, version?: string) => `/api/users/${id}/avatar${version ? `?v=${version}` : ''}`

/** Mean colour of a picture, rounded to multiples of 80. */
async function colorOf(bytes: Uint8Array): Promise<number[]> {
  const { channels } = await sharp(bytes).stats()
  return channels.slice(0, 3).map(({ mean }) => Math.round(mean / 80) * 80)
}

const pictureOf = (who: Actor) => keysUnder(`avatars/${encodeURIComponent(who.id)}/`)

describe('setting a picture', () => {
  test('A picture becomes a small square without metadata, of its middle', async () => {
    const ada = await register('ada')
    const photo = await sharp(await stripes(RED, GREEN, BLUE))
      .withExif({ IFD2: { BodySerialNumber: 'SECRET-SERIAL' } })
      .jpeg()
      .toBuffer()
    const version = await set(ada, photo)
    const { bytes, headers } = await ada.get(addressOf(ada, version))
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 96, height: 96 })
    expect(Buffer.from(bytes).includes('SECRET')).toBe(false)
    expect((await colorOf(bytes))[1]).toBe(160)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'private, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
    })
    expect((await ada.get('/api/users/profile')).body.avatar).toBe(version)
  })

  test.each([
    ['0,0,200', [240, 0, 0]],
    ['200,100,200', [0, 240, 0]],
    ['400,0,200', [0, 0, 240]],
    ['450,120,100', [0, 0, 240]],
  ])('The crop %s takes this square of the picture', async (crop, color) => {
    const ada = await register('ada')
    await set(ada, await stripes(RED, GREEN, BLUE), crop)
    expect(await colorOf((await ada.get(addressOf(ada))).bytes)).toEqual(color)
  })

  test('A crop is in pixels of the picture as it is shown, also of a large one that a camera stored on its side', async () => {
    const ada = await register('ada')
    // Orientation 6: the left edge is stored at the bottom, and shown 900 pixels wide and 1800 high.
    const large = await sharp(await stripes(RED, GREEN, BLUE))
      .resize(1_800, 900, { fit: 'fill' })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    for (const [crop, color] of [
      ['0,0,500', [240, 0, 0]],
      ['200,650,500', [0, 240, 0]],
      ['400,1300,500', [0, 0, 240]],
    ] as const) {
      await set(ada, large, crop)
      expect(await colorOf((await ada.get(addressOf(ada))).bytes), crop).toEqual(color)
    }
    expect((await put(ada, large, { crop: '1300,0,500', type: 'image/jpeg' })).body.error.fields).toEqual({
      crop: 'The crop leaves the picture, which is 900 × 1800 pixels',
    })
  })

  test.each(['1,2', 'a,b,c', '-1,0,5', '0,0,0', '0.5,0,9', '0,0,301', '500,0,200', ''])('The crop %j is refused', async (crop) => {
    const ada = await register('ada')
    const { status, body } = await ada.put(`/api/users/avatar?crop=${crop}`, new Uint8Array(await stripes(RED, GREEN, BLUE)), {
      type: 'image/png',
    })
    expect([status, Object.keys(body.error.fields)]).toEqual([400, ['crop']])
    expect((await ada.get('/api/users/profile')).body.avatar).toBeNull()
  })

  test('A file that is no picture, a truncated one and one that is too large are refused, and the old one stays', async () => {
    const ada = await register('ada')
    const version = await set(ada, await stripes(RED))
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>')
    const png = await stripes(RED, GREEN)
    for (const bytes of [svg, Buffer.from('hello'), png.subarray(0, 60), Buffer.alloc(0)]) {
      const { status, body } = await put(ada, bytes)
      expect([status, body.error.code]).toEqual([415, 'unsupported_media'])
    }
    expect((await put(ada, Buffer.alloc(LIMITS.avatarSize + 1))).status).toBe(413)
    expect((await ada.get('/api/users/profile')).body.avatar).toBe(version)
    expect((await ada.get(addressOf(ada, version))).status).toBe(200)
  })

  test('A JPEG of thousands of scans is refused before it is decoded', async () => {
    const ada = await register('ada')
    const { status, body } = await put(ada, Buffer.from(scanBomb(5_000)))
    expect([status, body.error.code, body.error.message]).toEqual([400, 'invalid', expect.stringContaining('scans')])
  })

  test('A picture with more than fifty million pixels is refused before it is decoded', async () => {
    const ada = await register('ada')
    const bomb = await sharp({ create: { width: 9_000, height: 6_000, channels: 3, background: '#fff' } })
      .png({ compressionLevel: 9 })
      .toBuffer()
    expect(bomb.length).toBeLessThan(LIMITS.avatarSize)
    expect((await put(ada, bomb)).status).toBe(413)
  })

  test('A new picture has a new version and replaces the stored one', async () => {
    const ada = await register('ada')
    const [first, second] = [await set(ada, await stripes(RED)), await set(ada, await stripes(BLUE))]
    expect(second).not.toBe(first)
    expect(await pictureOf(ada)).toHaveLength(1)
    // Under an old version the present picture is not cached.
    expect((await ada.get(addressOf(ada, first))).headers.get('cache-control')).toBe('private, no-cache')
    const etag = (await ada.get(addressOf(ada, second))).headers.get('etag') ?? ''
    expect((await ada.get(addressOf(ada, second), { headers: { 'if-none-match': etag } })).status).toBe(304)
  })

  test('An access token cannot set or remove a picture', async () => {
    const ada = await register('ada')
    const script = await scriptOf(ada, 'write')
    expect((await script.put('/api/users/avatar', new Uint8Array(await stripes(RED)), { type: 'image/png' })).status).toBe(403)
    expect((await script.delete('/api/users/avatar')).status).toBe(403)
  })
})

describe('removing a picture', () => {
  test('A removed picture leaves the profile and the storage', async () => {
    const ada = await register('ada')
    const version = await set(ada, await stripes(RED))
    const { status, body } = await ada.delete('/api/users/avatar')
    expect([status, deleteAvatar.response.parse(body).profile.avatar]).toEqual([200, null])
    expect(await pictureOf(ada)).toEqual([])
    expect((await ada.get(addressOf(ada, version))).status).toBe(404)
    expect((await ada.delete('/api/users/avatar')).status).toBe(200)
  })

  test('A picture is deleted with the account', async () => {
    const w = await world({ bob: 'write' })
    const bob = w.as('bob')
    const version = await set(bob, await stripes(RED))
    await reseal(bob, { provenAt: Date.now() })
    expect((await bob.delete('/api/users/profile', { email: bob.email, items: 'leave', deleteCollections: [] })).status).toBe(200)
    expect((await w.as('ada').get(addressOf(bob, version))).status).toBe(404)
    await runMinutesTask()
    await expect.poll(() => pictureOf(bob)).toEqual([])
    await expect.poll(() => w.sql`select avatar from users where id = ${bob.id}`).toEqual([{ avatar: null }])
  })
})

describe('who sees a picture', () => {
  const seen = async (w: World, who: string, version: string) => (await w.as(who).get(addressOf(w.as('bob'), version))).status

  test('A picture is seen by members of a shared collection, and gets 404 for all others', async () => {
    const w = await world({ bob: 'read', cleo: 'read', eve: null })
    const version = await set(w.as('bob'), await stripes(RED))
    expect(await Promise.all(['bob', 'ada', 'cleo', 'eve'].map((who) => seen(w, who, version)))).toEqual([200, 200, 200, 404])
    expect((await w.anonymous.get(addressOf(w.as('bob'), version))).status).toBe(401)
    await w.as('ada').delete(`/api/collections/${w.collection.id}/members/${w.as('cleo').id}`)
    expect(await seen(w, 'cleo', version)).toBe(404)
    await w.as('ada').delete(`/api/collections/${w.collection.id}`)
    expect(await seen(w, 'ada', version)).toBe(404)
    expect((await w.as('bob').get('/api/users/nobody%00/avatar')).status).toBe(404)
  })

  test('Members and the feed name the version of a picture, the feed only for users who are still members', async () => {
    const w = await world({ bob: 'write' })
    const [ada, bob] = [w.as('ada'), w.as('bob')]
    await bob.post('/api/post', { type: 'note', title: 'Hi', collectionIds: [w.collection.id] })
    const members = async () => (await ada.get(`/api/collections/${w.collection.id}/members`)).body.members
    expect(await members()).toMatchObject([{ avatar: null }, { avatar: null }])
    const version = await set(bob, await stripes(RED))
    expect(await members()).toMatchObject([{ avatar: null }, { name: 'Bob Test', avatar: version }])
    const ofPost = async () => (await ada.get('/api/feed')).body.items.find(({ kind }: { kind: string }) => kind === 'post').user_avatar
    expect(await ofPost()).toBe(version)
    await ada.delete(`/api/collections/${w.collection.id}/members/${bob.id}`)
    expect(await ofPost()).toBeNull()
  })
})
