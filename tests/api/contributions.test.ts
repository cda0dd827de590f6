import { readFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { test as base, expect } from 'vitest'
import { newId } from '../../contract/ids.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { Answer, Client } from '../../dev/http-client.ts'
import { begin, beginning, declared, jpegLike, MIB, noise, sendParts, sendWhole, upload, video } from '../support/files.ts'
import { type GuestClient, guestOf, secretOf } from '../support/guests.ts'
import { countMails, mailTo } from '../support/mail.ts'
import { readByServer } from '../support/missing-renditions.ts'
import { PIXEL } from '../support/role-scene.ts'
import { collectionOf } from '../support/rows.ts'
import { objectsOf, runMinutesTask } from '../support/storage.ts'
import { type Actor, register, type World, world } from '../support/world.ts'

/** Guests of a link add photos, which wait for an admin where the link wants it. */

const test = base.extend('w', () => world({ amy: 'admin', wes: 'write', rita: 'read' }))

const at = (w: World, path = '') => `/api/collections/${w.collection.id}/contributions${path}`
const waitingIn = async (w: World) => (await w.as('amy').get(at(w))).body.contributions
const idsIn = async (w: World, who: Client = w.as('rita')) =>
  (await who.get(`/api/asset?collection_id=${w.collection.id}`)).body.assets.map(({ id }: { id: string }) => id)
const adding = (w: World, link: object = {}, name = 'Oma') =>
  guestOf(w.as('ada'), w.collection.id, { allows: 'add', ...link }, name ? { name } : {})

/** A photo that says when it was taken. */
const photo = async (shade: string) =>
  new Uint8Array(
    await sharp({ create: { width: 64, height: 48, channels: 3, background: shade } })
      .withExif({ IFD2: { DateTimeOriginal: '2024:05:01 10:00:00', OffsetTimeOriginal: '+02:00' } })
      .jpeg()
      .toBuffer(),
  )

test('What a guest sends waits, seen by admins and the owner alone, until one of them accepts it', async ({ w }) => {
  const guest = await adding(w)
  const { id } = await upload(guest, await photo('#789'), { name: 'swing.jpg', alt: 'On the swing' })
  expect(await waitingIn(w)).toMatchObject([
    {
      asset: { id, name: 'swing.jpg', alt: 'On the swing', user_id: `guest:${guest.guest.id}`, user_name: 'Oma (guest)' },
      link: { id: guest.link },
    },
  ])
  expect((await w.as('ada').get(`/api/collections/${w.collection.id}`)).body.collection.contributions).toBe(1)
  expect((await w.as('rita').get(`/api/collections/${w.collection.id}`)).body.collection.contributions).toBeNull()
  const seen = async (who: Client) => (await who.get(`/_image/w_320/${id}`)).status
  expect([await seen(w.as('amy')), await seen(w.as('ada')), await seen(w.as('wes')), await seen(w.as('rita'))]).toEqual([
    200, 200, 404, 404,
  ])
  expect((await w.as('amy').get(`/api/asset/${id}`)).status).toBe(404)
  for (const [who, status] of [
    ['amy', 200],
    ['wes', 404],
  ] as const)
    expect((await w.as(who).get(`/api/asset/${id}/file`)).status).toBe(status)
  expect(await idsIn(w)).toEqual([])
  expect(await idsIn(w, guest)).toEqual([])

  const before = (await w.as('rita').get(`/api/asset?collection_id=${w.collection.id}`)).body.revision
  expect((await w.as('amy').post(at(w, '/accept'), { ids: [id] })).body).toEqual({ success: true, ids: [id] })
  const { assets } = (await w.as('rita').get(`/api/asset?collection_id=${w.collection.id}&since=${before}`)).body
  expect(assets).toMatchObject([{ id, user_name: 'Oma (guest)', collections: [{ user_id: `guest:${guest.guest.id}` }] }])
  expect(await idsIn(w, guest)).toEqual([id])
  expect(await waitingIn(w)).toEqual([])
  expect((await w.as('amy').post(at(w, '/accept'), { ids: [id] })).body.ids).toEqual([])
  const { items } = (await w.as('rita').get('/api/feed')).body
  expect(JSON.stringify(items)).toContain('Oma (guest)')
})

test('Without approval, a photo is in the collection as soon as it is complete', async ({ w }) => {
  const guest = await adding(w, { approve: false })
  const { id } = await begin(guest, jpegLike())
  expect(await idsIn(w)).toEqual([])
  const [photo, whole] = [await upload(guest, jpegLike()), await sendWhole(guest, jpegLike())]
  expect((await idsIn(w)).toSorted()).toEqual([photo.id, whole.body.asset.id].toSorted())
  expect((await w.changes()).filter(({ table_name: table }) => table === 'asset_collections')).toMatchObject([
    { event: 'INSERT', ids: [photo.id] },
    { event: 'INSERT', ids: [whole.body.asset.id] },
  ])
  expect(await waitingIn(w)).toEqual([])
  expect((await guest.get(`/api/asset/${id}/upload`)).status).toBe(200)
})

test('A film goes in parts, and what is sent twice is there once', async ({ w }) => {
  const guest = await adding(w)
  const film = noise(LIMITS.partSize + MIB)
  const { id } = await begin(guest, film, { name: 'swing.mp4', type: 'video/mp4' })
  await sendParts(guest, id, film)
  expect((await guest.post(`/api/asset/${id}/complete`)).status).toBe(200)
  const again = async () => (await guest.post('/api/asset', declared(film, { name: 'again.mp4', type: 'video/mp4' }))).body
  expect(await again()).toMatchObject({ duplicate: true, asset: { id } })
  expect((await waitingIn(w)).map(({ asset }: { asset: { id: string } }) => asset.id)).toEqual([id])
  await w.as('ada').post(at(w, '/accept'), { ids: [id] })
  expect(await again()).toMatchObject({ duplicate: true, asset: { id } })
  expect([await waitingIn(w), await idsIn(w)]).toEqual([[], [id]])
})

test('A guest gets nothing into a collection past an admin, and nothing into another', async ({ w }) => {
  const guest = await adding(w)
  const other = await collectionOf(w, 'ada', {})
  for (const collectionIds of [[w.collection.id], [other], [w.collection.id, other]]) await upload(guest, jpegLike(), { collectionIds })
  expect(await idsIn(w, w.as('ada'))).toEqual([])
  expect((await w.as('ada').get(`/api/asset?collection_id=${other}`)).body.assets).toEqual([])
  expect(await waitingIn(w)).toHaveLength(3)
  const { person } = (await w.as('ada').post(`/api/collections/${w.collection.id}/people`, { name: 'Ann' })).body
  expect((await guest.post('/api/asset', declared(jpegLike(), { peopleIds: [person.id] }))).status).toBe(404)
  const [{ asset }] = await waitingIn(w)
  for (const call of [
    guest.post(at(w, '/accept'), { ids: [asset.id] }),
    guest.post(`/api/asset/${asset.id}/collections`, { collectionIds: [w.collection.id] }),
    guest.post('/api/post', { type: 'note', title: 'Hi', collectionIds: [w.collection.id] }),
  ])
    expect((await call).status).toBe(401)
  for (const who of ['wes', 'rita'])
    for (const answer of ['/accept', '/decline']) expect((await w.as(who).post(at(w, answer), { ids: [asset.id] })).status, who).toBe(403)
  // Nor does an admin of another collection answer for this one.
  expect((await w.as('ada').post(`/api/collections/${other}/contributions/accept`, { ids: [asset.id] })).body.ids).toEqual([])
  expect(await waitingIn(w)).toHaveLength(3)
})

test.for([{ allows: 'look' }, { allows: 'answer' }] as const)('A link that lets people $allows takes no files', async (link, { w }) => {
  const guest = await guestOf(w.as('ada'), w.collection.id, link)
  const { status, body } = await guest.post('/api/asset', declared(jpegLike()))
  expect([status, body.error.message]).toEqual([403, 'This link does not let you add anything'])
})

test('Only links to the whole collection let guests add, also after a change', async ({ w }) => {
  const post = (await w.as('ada').post('/api/post', { type: 'note', title: 'A', collectionIds: [w.collection.id] })).body.post.id
  const path = `/api/collections/${w.collection.id}/links`
  expect(await w.as('ada').post(path, { kind: 'items', itemIds: [post], allows: 'add' })).toMatchObject({
    status: 400,
    body: { error: { fields: { allows: expect.any(String) } } },
  })
  const { link } = (await w.as('ada').post(path, { kind: 'items', itemIds: [post] })).body
  expect((await w.as('ada').patch(`${path}/${link.id}`, { allows: 'add' })).status).toBe(400)
})

test('An ended link, and one that lets people look alone by now, takes nothing more; what has come stays', async ({ w }) => {
  const guest = await adding(w)
  const sent = await upload(guest, jpegLike())
  const half = await begin(guest, jpegLike())
  const link = `/api/collections/${w.collection.id}/links/${guest.link}`
  await w.as('ada').patch(link, { allows: 'look' })
  expect((await guest.post(`/api/asset/${half.id}/complete`)).status).toBe(403)
  await w.as('ada').delete(link)
  expect((await guest.post('/api/asset', declared(jpegLike()))).status).toBe(401)
  expect((await waitingIn(w)).map(({ asset }: { asset: { id: string } }) => asset.id)).toEqual([sent.id])
})

test('Guests have the rights of authors over what they added, and none over anything else', async ({ w }) => {
  const [guest, other] = [await adding(w), await adding(w)]
  const wess = await upload(w.as('wes'), jpegLike(), { collectionIds: [w.collection.id] })
  const [waiting, accepted] = [await upload(guest, jpegLike()), await upload(guest, jpegLike())]
  await w.as('ada').post(at(w, '/accept'), { ids: [accepted.id] })
  for (const { id } of [waiting, accepted]) {
    expect((await guest.put(`/api/asset/${id}`, { alt: 'Mine' })).body.asset).toMatchObject({ alt: 'Mine' })
    for (const call of [other.put(`/api/asset/${id}`, { alt: 'Not mine' }), other.delete(`/api/asset/${id}`)])
      expect([403, 404]).toContain((await call).status)
  }
  for (const call of [guest.put(`/api/asset/${wess.id}`, { alt: 'Not mine' }), guest.delete(`/api/asset/${wess.id}`)])
    expect((await call).status).toBe(403)
  expect((await w.as('amy').put(`/api/asset/${accepted.id}`, { alt: 'By an admin' })).status).toBe(200)
  expect((await guest.get(`/api/asset/${accepted.id}?collection_id=${w.collection.id}`)).body.asset.alt).toBe('By an admin')
  expect((await guest.put(`/api/asset/${accepted.id}`, { alt: 'Mine again' })).body.asset.alt).toBe('Mine again')
  expect((await guest.put(`/api/asset/${accepted.id}/renditions/thumb`, PIXEL, { type: 'image/webp' })).status).toBe(401)
  for (const { id } of [waiting, accepted]) expect((await guest.delete(`/api/asset/${id}`)).status).toBe(200)
  expect([await waitingIn(w), await idsIn(w)]).toEqual([[], [wess.id]])
})

test('Whoever accepts while the guest takes a photo back, or another admin declines it, gets it or finds it gone, never both', async ({
  w,
}) => {
  const guest = await adding(w)
  const photos = await Promise.all(Array.from({ length: 12 }, () => upload(guest, jpegLike())))
  await Promise.all(
    photos.map(async ({ id }, n) => {
      const against = () => (n % 2 ? guest.delete(`/api/asset/${id}`) : w.as('ada').post(at(w, '/decline'), { ids: [id] }))
      const accept = () => w.as('amy').post(at(w, '/accept'), { ids: [id] })
      const [taken, other] = await Promise.all([accept(), against()])
      expect([taken.status, other.status]).toEqual([200, 200])
      const isThere = (await idsIn(w)).includes(id)
      // A guest may take back what was accepted just before; a declined photo was not accepted.
      if (n % 2) expect(isThere).toBe(false)
      else expect([isThere, other.body.ids]).toEqual([taken.body.ids.length === 1, isThere ? [] : [id]])
    }),
  )
  expect(await waitingIn(w)).toEqual([])
})

test('What was declined is deleted with its file after thirty days', async ({ w }) => {
  const guest = await adding(w)
  const { id } = await upload(guest, jpegLike())
  expect((await w.as('amy').post(at(w, '/decline'), { ids: [id] })).body.ids).toEqual([id])
  expect((await w.as('amy').get(`/api/asset/${id}/renditions/thumb`)).status).toBe(404)
  await w.sql`update assets set deleted_at = now() - interval '30 days 1 minute' where id = ${id}`
  await expect
    .poll(async () => {
      await runMinutesTask()
      return w.sql`select from assets where id = ${id}`
    })
    .toEqual([])
  expect(await objectsOf(id)).toEqual([])
})

test('What waits in a collection that is deleted for good goes into the trash, too', async ({ w }) => {
  const { id: kept } = await upload(await adding(w), jpegLike())
  const gone = await collectionOf(w, 'ada', {})
  const { id } = await upload(await guestOf(w.as('ada'), gone, { allows: 'add' }), jpegLike())
  expect((await w.as('ada').delete(`/api/collections/${gone}`)).status).toBe(200)
  await w.sql`update collections set deleted_at = now() - interval '30 days 1 minute' where id = ${gone}`
  await expect
    .poll(async () => {
      await runMinutesTask()
      return w.sql`select id from assets where id in (${id}, ${kept}) and deleted_at is null`
    })
    .toEqual([{ id: kept }])
})

test('A photo that was accepted is deleted with the last collection that has it', async ({ w }) => {
  const gone = await collectionOf(w, 'ada', {})
  const guest = await guestOf(w.as('ada'), gone, { allows: 'add', approve: false })
  const { id } = await upload(guest, jpegLike())
  await w.as('ada').delete(`/api/collections/${gone}`)
  await w.sql`update collections set deleted_at = now() - interval '30 days 1 minute' where id = ${gone}`
  await expect
    .poll(async () => {
      await runMinutesTask()
      return w.sql`select from assets where id = ${id} and deleted_at is null`
    })
    .toEqual([])
})

test('A photo of a guest that an admin has taken out comes back by Undo, also once the minute’s task has found it', async ({ w }) => {
  const { id } = await upload(await adding(w, { approve: false }), jpegLike())
  const { body } = await w.as('ada').put('/api/asset/bulk.collections.remove', { ids: [id], collectionId: w.collection.id })
  expect(await idsIn(w)).toEqual([])
  await w.sql`update assets set deleted_at = coalesce(deleted_at, now()) where id = ${id}`
  expect((await w.as('ada').post(`/api/undo/${body.changeId}`)).status).toBe(200)
  expect(await idsIn(w)).toEqual([id])
})

test('When and where is read from the file of a guest, with approval and without, and after a claim', async ({ w }) => {
  const [straight, waiting] = [await adding(w, { approve: false }), await adding(w)]
  const claimed = await adding(w)
  const ids = [
    (await upload(straight, await photo('#123'))).id,
    (await upload(waiting, await photo('#456'))).id,
    (await upload(claimed, await photo('#789'))).id,
  ]
  await (await accountOf(claimed)).post('/api/links/claim')
  for (const id of ids) await readByServer(w, id)
  const dates = await w.sql`select date from assets where id = any(${ids})`
  expect(dates.map(({ date }) => new Date(date).toISOString())).toEqual(ids.map(() => '2024-05-01T08:00:00.000Z'))
})

const filmOf = (name: string) => readFile(path.join(import.meta.dirname, '../fixtures/films', name))

test('When and where is read from the film of a guest, who sees no more of it than others', async ({ w }) => {
  await w.as('ada').put(`/api/collections/${w.collection.id}`, { places: 'town' })
  await w.sql`update users set time_zone = 'Europe/Zurich' where id = ${w.as('ada').id}`
  const [straight, waiting] = [await adding(w, { approve: false }), await adding(w)]
  const iphone = await upload(straight, await filmOf('iphone.mov'), { name: 'iphone.mov', type: 'video/quicktime' })
  const phone = await sendWhole(waiting, await filmOf('phone.mp4'), { asset: { name: 'phone.mp4' } })
  for (const id of [iphone.id, phone.body.asset.id]) await readByServer(w, id)
  const measured = { width: 96, height: 64, duration: 2 }
  expect((await w.as('ada').get(`/api/asset/${iphone.id}`)).body.asset).toMatchObject({
    ...measured,
    ...{ date: '2020-12-19T23:14:27+00:00', date_zone: '+01:00', location: { lat: 47.5, lon: 9.25 }, alt: 'Fog over the lake' },
  })
  expect((await w.as('rita').get(`/api/asset/${iphone.id}`)).body.asset.location).not.toMatchObject({ lat: 47.5, lon: 9.25 })
  const file = await w.as('rita').get(`/api/asset/${iphone.id}/file`)
  expect([file.status, Buffer.from(file.bytes).includes('+47.5')]).toEqual([200, false])
  expect((await waitingIn(w))[0].asset).toMatchObject({
    ...measured,
    // Without an offset of its own, a film is shown in the time zone of who made the link.
    ...{ date: '2022-09-30T17:20:00+00:00', date_zone: '+02:00' },
  })
})

/** Where an admin says that a guest’s photo was taken. No answer has it by chance. */
const SPOT = { lat: 47.123456, lon: 8.765432, name: 'Atlantis-9' }
const PLACED = { location: SPOT, date: '2024-05-03T12:00:00Z', dateZone: 'Atlantic/Reykjavik' }
const TRACES = /Atlantis-9|47\.123456|8\.765432|Reykjavik/

test.for([
  ['hidden', false, 'nothing'],
  ['town', false, 'town'],
  ['exact', true, 'nothing'],
  ['exact', false, 'exact'],
] as const)(
  'By a link with places %s, where an admin placed a guest’s photo (hidden: %s) is for the guest: %s, in every answer',
  async ([shown, placeHidden, seen], { w }) => {
    const guest = await adding(w, { approve: false, location: shown })
    const bytes = jpegLike()
    const { id } = await upload(guest, bytes)
    expect((await w.as('amy').put(`/api/asset/${id}`, { ...PLACED, placeHidden })).status).toBe(200)
    const answers = {
      read: await guest.get(`/api/asset/${id}`),
      list: await guest.get(`/api/asset?collection_id=${w.collection.id}`),
      columns: await guest.get(`/api/asset?collection_id=${w.collection.id}&form=columns`),
      conflict: await guest.put(`/api/asset/${id}`, { alt: 'Late' }, { headers: { 'if-match': '1' } }),
      sameFile: await guest.post('/api/asset', declared(bytes)),
      sameId: await guest.post('/api/asset', declared(bytes, { id })),
      whole: await sendWhole(guest, bytes, { asset: { name: 'again.jpg' } }),
      complete: await guest.post(`/api/asset/${id}/complete`),
    }
    for (const [call, answer] of Object.entries(answers)) expect([call, TRACES.test(textOf(answer))]).toEqual([call, seen === 'exact'])
    const rows = Object.values(answers).flatMap(({ body }) => body.asset ?? body.error?.detail?.asset ?? [])
    expect(rows).toHaveLength(6)
    for (const { place } of rows) expect(place).toEqual(seen === 'exact' ? null : { seen })
    // A guest who guesses the town does not reveal the exact place.
    const guessed = await guest.put(`/api/asset/${id}`, { placeHidden: false, location: { lat: 47.15, lon: 8.75 } })
    expect([guessed.status, TRACES.test(textOf(guessed))]).toEqual([200, seen === 'exact'])
    if (placeHidden) expect((await w.as('rita').get(`/api/asset/${id}`)).body.asset.location).toBeNull()
  },
)

test('A guest gets the file that they sent as it was, wherever it says that it was taken', async ({ w }) => {
  const guest = await adding(w, { approve: false, location: 'hidden', download: true })
  const bytes = await filmOf('iphone.mov')
  const { id } = await upload(guest, bytes, { name: 'iphone.mov', type: 'video/quicktime' })
  await w.as('amy').put(`/api/asset/${id}`, { ...PLACED, placeHidden: true })
  expect(Buffer.compare((await guest.get(`/api/asset/${id}/file`)).bytes, bytes)).toBe(0)
})

test('Nobody else’s name stands on what a guest sends', async ({ w }) => {
  const guest = await adding(w, { approve: false }, 'Gus')
  const originalAuthor = 'Ada Test'
  const { id } = await upload(guest, jpegLike(), { originalAuthor })
  const whole = await sendWhole(guest, jpegLike(), { asset: { name: 'a.jpg', originalAuthor } })
  expect((await guest.put(`/api/asset/${id}`, { originalAuthor })).status).toBe(400)
  for (const photo of [id, whole.body.asset.id])
    expect((await w.as('rita').get(`/api/asset/${photo}`)).body.asset).toMatchObject({ user_name: 'Gus (guest)', original_author: null })
})

test('A damaged film of a guest comes as it is, and is dated by its name', async ({ w }) => {
  const guest = await adding(w, { approve: false })
  const [phone, endless] = [await filmOf('phone.mp4'), await filmOf('location.mov')]
  endless.writeUInt32BE(0xffffffff, endless.indexOf('moov') - 4)
  const films = [
    ['VID_20240501_100000.mp4', phone.subarray(0, 2_000)],
    ['endless.mov', endless],
    ['noise.mp4', video()],
  ] as const
  for (const [name, bytes] of films) await readByServer(w, (await sendWhole(guest, bytes, { asset: { name } })).body.asset.id)
  const { assets } = (await w.as('rita').get(`/api/asset?collection_id=${w.collection.id}`)).body
  const dates = Object.fromEntries(assets.map(({ name, date }: { name: string; date: string | null }) => [name, date]))
  expect(dates).toEqual({
    'VID_20240501_100000.mp4': '2024-05-01T10:00:00+00:00',
    'endless.mov': '2022-09-30T17:20:00+00:00',
    'noise.mp4': null,
  })
})

test('Bad files are refused, or shown as what they are', async ({ w }) => {
  const guest = await adding(w)
  expect((await guest.post('/api/asset', { ...declared(jpegLike()), size: 0 })).status).toBe(400)
  const html = await upload(guest, beginning('<!doctype html><script>alert(1)</script>'), { name: 'photo.jpg', type: 'image/jpeg' })
  expect((await waitingIn(w))[0].asset).toMatchObject({ id: html.id, type: 'application/octet-stream' })
  const { headers } = await w.as('amy').get(`/api/asset/${html.id}/file`)
  expect(headers.get('content-disposition')).toMatch(/^attachment/)
  expect([headers.get('x-content-type-options'), headers.get('content-type')]).toEqual(['nosniff', 'application/octet-stream'])
  expect((await w.as('amy').get(`/_image/w_320/${html.id}`)).status).toBeGreaterThanOrEqual(400)
  await w.sql`insert into quotas (owner, bytes, items) values (${w.collection.id}, 10000, 100)`
  const { status, body } = await guest.post('/api/asset', declared(jpegLike(9_700)))
  expect([status, body.error.code]).toEqual([413, 'quota_exceeded'])
  // A file of which the quota has room goes in.
  expect((await guest.post('/api/asset', declared(jpegLike(1_000)))).status).toBe(201)
})

test('The quota of the collection counts what waits', async ({ w }) => {
  const guest = await adding(w)
  await w.sql`insert into quotas (owner, bytes, items) values (${w.collection.id}, 1000000, 2)`
  await upload(guest, jpegLike())
  const { id } = await begin(guest, jpegLike())
  expect((await guest.post('/api/asset', declared(jpegLike()))).status).toBe(413)
  // An abandoned upload does not keep others out for long.
  await w.sql`update contributions set created_at = now() - interval '61 minutes' where asset_id = ${id}`
  const second = await upload(guest, jpegLike())
  // A file that was taken back counts while it is stored.
  expect((await guest.delete(`/api/asset/${second.id}`)).status).toBe(200)
  expect((await guest.post('/api/asset', declared(jpegLike()))).status).toBe(413)
})

test('Admins hear once of all that waits, by mail, and not again within the hour', async ({ w }) => {
  const guest = await adding(w, {}, 'Oma https://evil.example')
  await upload(guest, jpegLike())
  await upload(guest, jpegLike())
  const early = (to: string) => countMails(to, 'Guests have added')
  await runMinutesTask()
  expect(await early(w.as('ada').email)).toBe(0)
  await w.sql`update contributions set created_at = now() - interval '6 minutes' where collection_id = ${w.collection.id}`
  await runMinutesTask()
  const mail = await mailTo(w.as('ada').email, 'Guests have added')
  expect(mail.text).toContain('Oma (guest) added 2 photos to')
  expect(mail.text).not.toContain('evil')
  await mailTo(w.as('amy').email, 'Guests have added')
  const { ids } = (
    await w.as('ada').post(at(w, '/accept'), { ids: (await waitingIn(w)).map(({ asset }: { asset: { id: string } }) => asset.id) })
  ).body
  expect(ids).toHaveLength(2)
  const late = await upload(guest, jpegLike())
  await w.sql`update contributions set created_at = now() - interval '6 minutes' where asset_id = ${late.id}`
  await runMinutesTask()
  await w.sql`update collections set contributions_told_at = now() - interval '61 minutes' where id = ${w.collection.id}`
  expect(await countMails(w.as('ada').email, 'Guests have added')).toBe(1)
  await runMinutesTask()
  await expect.poll(() => countMails(w.as('ada').email, 'Guests have added')).toBe(2)
  expect(await countMails(w.as('wes').email, 'Guests have added')).toBe(0)
})

test('Admins who muted the collection are told nothing of what waits, and mail goes to confirmed addresses alone', async ({ w }) => {
  await w.sql`update users set verified_email = null where id = ${w.as('ada').id}`
  const other = await world({ amy: 'admin', ben: 'admin' })
  expect((await other.as('amy').put(`/api/collections/${other.collection.id}/notices`, { muted: true })).status).toBe(200)
  for (const [at, told] of [
    [w, 'amy'],
    [other, 'ben'],
  ] as const) {
    await upload(await adding(at), jpegLike())
    await at.sql`update contributions set created_at = now() - interval '6 minutes' where collection_id = ${at.collection.id}`
    await runMinutesTask()
    await mailTo(at.as(told).email, 'Guests have added')
  }
  expect(await countMails(w.as('ada').email, 'Guests have added')).toBe(0)
  expect(await countMails(other.as('amy').email, 'Guests have added')).toBe(0)
})

const textOf = ({ bytes }: Answer) => Buffer.from(bytes).toString()

/** An account in the browser of this guest. */
async function accountOf(guest: GuestClient): Promise<Actor> {
  const eve = await register('eve')
  for (const [name, value] of guest.cookies) eve.cookies.set(name, value)
  return eve
}

test('Who registers claims what they added, in the collection and waiting, and nothing of others', async ({ w }) => {
  const [guest, other] = [await adding(w), await adding(w, {}, 'Opa')]
  const same = jpegLike()
  const [accepted, waiting, twice] = [await upload(guest, jpegLike()), await upload(guest, jpegLike()), await upload(guest, same)]
  const others = await upload(other, jpegLike())
  await w.as('ada').post(at(w, '/accept'), { ids: [accepted.id, others.id] })
  const eve = await accountOf(guest)
  const own = await upload(eve, same)
  const before = (await w.as('rita').get(`/api/asset?collection_id=${w.collection.id}`)).body.revision
  expect((await eve.post('/api/links/claim')).body).toMatchObject({ assets: 3, comments: 0 })
  expect((await eve.post('/api/links/claim')).body).toMatchObject({ assets: 0 })
  const { assets } = (await w.as('rita').get(`/api/asset?collection_id=${w.collection.id}&since=${before}`)).body
  expect(assets).toMatchObject([{ id: accepted.id, user_id: eve.id, collections: [{ user_id: eve.id }] }])
  expect((await waitingIn(w)).map(({ asset }: { asset: { id: string; user_id: string } }) => [asset.id, asset.user_id])).toEqual([
    [waiting.id, eve.id],
    [twice.id, eve.id],
  ])
  expect((await w.as('rita').get(`/api/asset/${others.id}`)).body.asset.user_name).toBe('Opa (guest)')
  const { usage } = (await eve.get('/api/usage')).body
  expect(usage.items).toBe(4)
  expect(await w.sql`select from account_usage where user_id = ${`guest:${guest.guest.id}`}`).toEqual([])
  expect((await eve.get(`/api/asset/${own.id}`)).status).toBe(200)
  expect((await w.as('ada').post(at(w, '/accept'), { ids: [waiting.id] })).body.ids).toEqual([waiting.id])
})

test('What somebody has claimed is theirs: declined, it stays where they have put it; in their trash, it waits no more', async ({ w }) => {
  const guest = await adding(w)
  const [put, trashed] = [await upload(guest, jpegLike()), await upload(guest, jpegLike())]
  const eve = await accountOf(guest)
  await eve.post('/api/links/claim')
  // Its pictures cannot be changed while an admin looks at them.
  expect((await eve.put(`/api/asset/${put.id}/renditions/thumb`, PIXEL, { type: 'image/webp' })).status).toBe(403)
  const own = (await eve.post('/api/collections', { name: 'Mine' })).body.collection.id
  expect((await eve.post(`/api/asset/${put.id}/collections`, { collectionIds: [own] })).status).toBe(200)
  expect((await w.as('ada').post(at(w, '/decline'), { ids: [put.id] })).body.ids).toEqual([put.id])
  expect((await eve.get(`/api/asset?collection_id=${own}`)).body.assets).toMatchObject([{ id: put.id }])
  expect((await eve.delete(`/api/asset/${trashed.id}`)).status).toBe(200)
  expect([await waitingIn(w), (await w.as('ada').get(`/api/collections/${w.collection.id}`)).body.collection.contributions]).toEqual([
    [],
    0,
  ])
})

test('Who is in says their name without the password once more, and nobody else does', async ({ w }) => {
  const password = 'three white swans'
  const link = { allows: 'add', password } as const
  const guest = await guestOf(w.as('ada'), w.collection.id, link)
  const enter = (who: Client) => who.post(`/api/links/${secretOf(guest.made.url)}/enter`, { name: 'Oma' })
  expect((await enter(guest)).body).toMatchObject({ guest: { id: guest.guest.id, name: 'Oma' } })
  expect((await enter(w.anonymous)).status).toBe(403)
  await w.as('ada').patch(`/api/collections/${w.collection.id}/links/${guest.link}`, { password: 'four black swans' })
  expect((await enter(guest)).status).toBe(403)
})

test('Who only looks at the page is the author of nothing', async ({ w }) => {
  const guest = await adding(w)
  expect(textOf(await guest.get(`/s/${secretOf(guest.made.url)}`))).toContain('Add photos')
  expect(await w.sql`select from users where id = ${`guest:${guest.guest.id}`}`).toEqual([])
})

test('The page of a link takes photos without a script, says what waits, and lets a guest take it back', async ({ w }) => {
  const guest = await adding(w, {}, '')
  const secret = secretOf(guest.made.url)
  const page = async () => textOf(await guest.get(`/s/${secret}`))
  const send = (files: [string, Uint8Array][], name?: string) => {
    const form = new FormData()
    if (name !== undefined) form.set('name', name)
    for (const [file, bytes] of files) form.append('files', new File([bytes.slice()], file, { type: 'image/jpeg' }))
    return guest.post(`/s/${secret}/add`, form)
  }
  expect(await page()).toContain('type="file"')
  const evil = '<img src=x onerror=alert(1)>.jpg'
  await send(
    [
      ['swing.jpg', jpegLike()],
      [evil, jpegLike()],
    ],
    'Oma \u202e<b>',
  )
  const shown = await page()
  expect(shown).toContain('Waiting for an admin')
  expect(shown).toContain('swing.jpg')
  expect(shown).not.toContain('<img src=x')
  const waiting = await waitingIn(w)
  expect(waiting.map(({ asset }: { asset: { name: string } }) => asset.name)).toEqual(['swing.jpg', evil])
  const form = new FormData()
  form.set('id', waiting[0].asset.id)
  await guest.post(`/s/${secret}/take-back`, form)
  expect((await waitingIn(w)).map(({ asset }: { asset: { name: string } }) => asset.name)).toEqual([evil])
  expect(await page()).not.toContain('swing.jpg')

  const none = await send([])
  expect([none.status, textOf(none)]).toEqual([400, expect.stringContaining('Choose at least one photo')])
  const large = await send([['large.jpg', noise(20 * MIB)]])
  expect([large.status, textOf(large)]).toEqual([413, expect.stringContaining('Add photos')])
})

test('The same id again goes on with the same upload, and never with that of another guest', async ({ w }) => {
  const [guest, other] = [await adding(w), await adding(w)]
  const [id, bytes] = [newId(), jpegLike()]
  await begin(guest, bytes, { id })
  expect((await guest.post('/api/asset', declared(bytes, { id }))).status).toBe(200)
  expect((await other.post('/api/asset', declared(bytes, { id }))).status).toBe(409)
  expect((await other.put(`/api/asset/${id}/parts/1`, bytes)).status).toBe(404)
})
