import sharp from 'sharp'
import { beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import type { Asset } from '../../contract/assets.ts'
import { Client } from '../../dev/http-client.ts'
import { upload } from '../support/files.ts'
import { scriptOf } from '../support/tokens.ts'
import { PASSWORD, type World, world } from '../support/world.ts'

/** Pictures that a session has just seen may be sent for 10 s more; worker/queries/picture-access.test.ts has the clock. */

let w: World
let photo: Asset
let thumb: string
let image: string
let original: string

beforeAll(async () => {
  w = await world({ cy: 'read', eve: null })
})

beforeEach(async () => {
  await w.sql`insert into members (collection_id, user_id, role) values (${w.collection.id}, ${w.as('cy').id}, 'read') on conflict do nothing`
  photo = await newPhoto()
  thumb = `/api/asset/${photo.id}/renditions/thumb?v=${photo.version}`
  image = `/_image/w_64,f_webp/${photo.id}?v=${photo.version}`
  original = `/api/asset/${photo.id}/file`
})

async function newPhoto(): Promise<Asset> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 30 }
  const bytes = await sharp({ create: { width: 90, height: 60, channels: 3, background: '#888', noise } })
    .jpeg()
    .toBuffer()
  const { id } = await upload(w.as('ada'), new Uint8Array(bytes), { collectionIds: [w.collection.id], width: 90, height: 60 })
  await w.as('ada').put(`/api/asset/${id}/renditions/thumb`, new Uint8Array(await sharp(bytes).webp().toBuffer()), { type: 'image/webp' })
  return (await w.as('ada').get(`/api/asset/${id}`)).body.asset
}

async function signedIn(name: string): Promise<Client> {
  const browser = new Client(inject('stack').origin)
  expect((await browser.post('/api/auth/sign-in', { email: w.as(name).email, password: PASSWORD })).status).toBe(200)
  return browser
}

const statusOf = async (client: Client, ...paths: string[]) => {
  const statuses: number[] = []
  for (const path of paths) statuses.push((await client.get(path)).status)
  return statuses
}

const LOST: [what: string, status: number, lose: (photo: Asset) => Promise<unknown>][] = [
  ['is removed as a member', 404, () => w.sql`delete from members where user_id = ${w.as('cy').id} and collection_id = ${w.collection.id}`],
  ['asks for a photo that was unlinked', 404, ({ id }) => w.sql`delete from asset_collections where asset_id = ${id}`],
  ['asks for a photo in the trash', 404, ({ id }) => w.as('ada').delete(`/api/asset/${id}`)],
  ['has a session that was revoked elsewhere', 401, () => w.sql`delete from sessions where user_id = ${w.as('cy').id}`],
]

test.each(LOST)('A user who %s gets pictures just seen for a moment, but no original and no other version', async (_, refused, lose) => {
  const phone = await signedIn('cy')
  expect(await statusOf(phone, thumb, image, original)).toEqual([200, 200, 200])
  await lose(photo)
  expect(await statusOf(phone, thumb, image)).toEqual([200, 200])
  expect(await statusOf(phone, original, `/api/asset/${photo.id}`)).toEqual([refused, refused])
  expect(await statusOf(phone, thumb.replace('?v=', '?v=1'))).toEqual([refused])
})

describe('A picture that one session has seen', () => {
  beforeEach(async () => {
    expect(await statusOf(w.as('ada'), thumb, image)).toEqual([200, 200])
  })

  test('is refused to users who do not see it, without a session, and to scripts of other collections', async () => {
    const { collection } = (await w.as('ada').post('/api/collections', { name: 'Other' })).body
    const script = await scriptOf(w.as('ada'), 'read', collection.id)
    expect(await statusOf(w.as('eve'), thumb, image)).toEqual([404, 404])
    expect(await statusOf(w.anonymous, thumb, image)).toEqual([401, 401])
    expect(await statusOf(script, thumb, image)).toEqual([404, 404])
  })

  test('is refused to another session of the user after the photo is gone', async () => {
    const phone = await signedIn('ada')
    await w.as('ada').delete(`/api/asset/${photo.id}`)
    expect(await statusOf(phone, thumb, image)).toEqual([404, 404])
  })
})

test('A session that signs out is refused pictures at once, with a copy of its cookies too', async () => {
  const phone = await signedIn('cy')
  const copy = new Client(phone.origin)
  for (const [name, value] of phone.cookies) copy.cookies.set(name, value)
  expect(await statusOf(copy, thumb, image)).toEqual([200, 200])
  await phone.post('/api/auth/sign-out')
  expect(await statusOf(new Copy(copy), thumb, image)).toEqual([401, 401])
})

/** Sends the same cookies with every call, whatever the answers say. */
class Copy extends Client {
  constructor(of: Client) {
    super(of.origin)
    for (const [name, value] of of.cookies) this.cookies.set(name, value)
    this.cookies.delete = () => false
  }
}

test('A session that is revoked in the list of sessions is refused pictures at once', async () => {
  const phone = await signedIn('cy')
  expect(await statusOf(phone, thumb)).toEqual([200])
  const { sessions } = (await phone.get('/api/access')).body
  const desk = await signedIn('cy')
  const { id } = sessions.find(({ current }: { current: boolean }) => current)
  expect((await desk.delete(`/api/access/session/${id}`)).status).toBe(200)
  expect(await statusOf(phone, thumb)).toEqual([401])
})

test('A new rendition is never answered from the row before it', async () => {
  const ada = w.as('ada')
  expect((await ada.get(thumb)).headers.get('content-type')).toBe('image/webp')
  const red = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#f00' } })
    .jpeg()
    .toBuffer()
  await ada.put(`/api/asset/${photo.id}/renditions/thumb`, new Uint8Array(red), { type: 'image/jpeg' })
  const { version } = (await ada.get(`/api/asset/${photo.id}`)).body.asset
  const shown = await ada.get(`/api/asset/${photo.id}/renditions/thumb?v=${version}`)
  expect([shown.headers.get('content-type'), shown.headers.get('cache-control')]).toEqual([
    'image/jpeg',
    'private, max-age=31536000, immutable',
  ])
})
