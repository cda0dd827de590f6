import ICAL from 'ical.js'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { Archive } from '../../contract/archive.ts'
import { ATTEMPTS } from '../../contract/attempts.ts'
import type { Client } from '../../dev/http-client.ts'
import { attemptKey } from '../../worker/services/accounts/limit-attempts.ts'
import { Unzipped } from '../support/archives.ts'
import { jpegLike, MIB, noise, sha256, upload } from '../support/files.ts'
import { collectionOf } from '../support/rows.ts'
import { deleteObject } from '../support/storage.ts'
import { talkIn } from '../support/talk.ts'
import { type World, world } from '../support/world.ts'

const KYOTO = { lat: 35.0116, lon: 135.7681, name: 'Kyōto “京都”' }

async function exported(who: Client, collectionId: string): Promise<Unzipped> {
  const { status, bytes } = await who.get(`/api/collections/${collectionId}/export`)
  expect(status).toBe(200)
  return new Unzipped(bytes)
}

describe('the export of a full collection', () => {
  let w: World
  let zip: Unzipped
  const photo = jpegLike(1_500)
  const film = noise(9 * MIB)
  const ids = { mum: '', photo: '', film: '', trip: '', note: '' }

  beforeAll(async () => {
    w = await world({ bob: 'read', wes: 'write', eve: null })
    const collectionIds = [w.collection.id]
    const ada = w.as('ada')
    ids.mum = (await ada.post(`/api/collections/${w.collection.id}/people`, { name: 'Mum & Dad' })).body.person.id
    const when = { date: '2026-05-01T22:30:00Z', dateZone: 'Asia/Tokyo', datePrecision: 'minute' as const }
    const meta = { ...when, width: 30, height: 20, alt: 'A <mossy> garden', location: KYOTO, peopleIds: [ids.mum], collectionIds }
    ids.photo = (await upload(ada, photo, { name: '庭 garden.jpg', ...meta })).id
    ids.film = (await upload(w.as('wes'), film, { name: 'film.bin', type: 'application/x-film', collectionIds })).id
    const trip = {
      type: 'event',
      kind: 'trip',
      title: 'Kyoto & <b>Nara</b>',
      body: '<p>Moss, <strong>rain</strong></p>',
      ...when,
      datePrecision: 'day',
      endsAt: '2026-05-04T22:30:00Z',
      location: KYOTO,
      peopleIds: [ids.mum],
      existingAssetIds: [ids.film, ids.photo],
      collectionIds,
    }
    ids.trip = (await ada.post('/api/post', trip)).body.post.id
    ids.note = (
      await w.as('wes').post('/api/post', { type: 'note', title: 'Undated', body: '<a href="/feed?a&amp;b">Feed</a>', collectionIds })
    ).body.post.id
    await ada.put(`/api/collections/${w.collection.id}`, { answers: 'write' })
    zip = await exported(w.as('bob'), w.collection.id)
  })

  test('A reader gets the export as an uncached download', async () => {
    const { headers } = await w.as('bob').head(`/api/collections/${w.collection.id}/export`)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': expect.stringMatching(/^attachment; filename="Kyoto \d{4}-\d\d-\d\d\.zip"/),
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    })
  })

  test('The export contains the original files under readable names', () => {
    expect(zip.names.toSorted()).toEqual(
      [
        'README.txt',
        'collection.json',
        'events.ics',
        'index.html',
        'originals/2026-05-02 庭 garden.jpg',
        'originals/film.bin',
        'places.geojson',
      ].toSorted(),
    )
    expect(zip.files['originals/2026-05-02 庭 garden.jpg']).toEqual(photo)
    expect(sha256(zip.files['originals/film.bin'] ?? new Uint8Array())).toBe(sha256(film))
  })

  test('The export describes files and posts as the API does, without e-mail addresses', () => {
    const { archive } = zip
    expect(archive.collection).toMatchObject({ id: w.collection.id, name: 'Kyoto', answers: 'write', places: 'exact' })
    expect(archive.members).toEqual([
      { name: 'Ada Test', role: 'owner' },
      { name: 'Wes Test', role: 'write' },
      { name: 'Bob Test', role: 'read' },
    ])
    expect(archive.people).toEqual([{ id: ids.mum, name: 'Mum & Dad' }])
    expect(archive.assets.find(({ id }) => id === ids.photo)).toMatchObject({
      file: 'originals/2026-05-02 庭 garden.jpg',
      name: '庭 garden.jpg',
      type: 'image/jpeg',
      size: photo.length,
      checksum: sha256(photo),
      width: 30,
      alt: 'A <mossy> garden',
      date: expect.stringMatching(/^2026-05-01T22:30:00/),
      date_zone: 'Asia/Tokyo',
      date_precision: 'minute',
      location: KYOTO,
      people: [ids.mum],
      author: 'Ada Test',
    })
    expect(archive.posts.find(({ id }) => id === ids.trip)).toMatchObject({
      type: 'event',
      kind: 'trip',
      title: 'Kyoto & <b>Nara</b>',
      body: '<p>Moss, <strong>rain</strong></p>',
      date_precision: 'day',
      ends_at: expect.stringMatching(/^2026-05-04T22:30:00/),
      location: KYOTO,
      assets: [ids.film, ids.photo],
      people: [ids.mum],
    })
    expect(archive.posts.find(({ id }) => id === ids.note)).toMatchObject({ date: null, date_precision: 'unknown', author: 'Wes Test' })
    for (const name of zip.names.filter((name) => !name.startsWith('originals/'))) expect(zip.text(name)).not.toContain('@example.org')
  })

  test('The export contains a calendar and a map that other programs can read', () => {
    const events = new ICAL.Component(ICAL.parse(zip.text('events.ics'))).getAllSubcomponents('vevent')
    expect(events.map((event) => event.getFirstPropertyValue('summary'))).toEqual(['Kyoto & <b>Nara</b>'])
    const { type, features } = JSON.parse(zip.text('places.geojson'))
    expect(type).toBe('FeatureCollection')
    expect(features).toEqual([
      expect.objectContaining({ id: ids.trip, geometry: { type: 'Point', coordinates: [135.7681, 35.0116] } }),
      expect.objectContaining({ id: ids.photo, properties: expect.objectContaining({ file: 'originals/2026-05-02 庭 garden.jpg' }) }),
    ])
  })

  test('The export is readable as a page without scripts', () => {
    const page = zip.text('index.html')
    expect(page).toContain('<h2>Kyoto &amp; &lt;b&gt;Nara&lt;/b&gt;</h2>')
    expect(page).toContain('<div class="body"><p>Moss, <strong>rain</strong></p></div>')
    const photo = 'src="originals/2026-05-02%20%E5%BA%AD%20garden.jpg" alt="A &lt;mossy&gt; garden"'
    // In its post, and among all files.
    for (const article of ['Kyoto &amp; &lt;b&gt;Nara&lt;/b&gt;', 'Photos and files'])
      expect(page.split('<article>').find((part) => part.startsWith(`<h2>${article}</h2>`))).toContain(photo)
    expect(page).toContain('Mum &amp; Dad')
    const link = `<a href="${inject('stack').origin}/feed?a&amp;b">Feed</a>`
    expect(page).toContain(link)
    expect(page.replace(link, '')).not.toMatch(/<script|https?:/)
  })

  test('The page of an export has dates as its reader writes them', async () => {
    const page = async (who: Client, language?: string) => {
      const options = language ? { headers: { 'accept-language': language } } : {}
      return new Unzipped((await who.get(`/api/collections/${w.collection.id}/export`, options)).bytes).text('index.html')
    }
    const [bob, wes] = [w.as('bob'), w.as('wes')]
    expect(await page(bob)).toContain('2 May 2026, 07:30')
    expect(await page(bob, 'en-US')).toContain('May 2, 2026, 7:30 AM')
    await wes.put('/api/users/profile', { region: 'AU', hours: 24 })
    expect(await page(wes, 'en-US')).toContain('2 May 2026, 07:30')
  })

  test('The export gets 404 for strangers and 401 without a session', async () => {
    const path = `/api/collections/${w.collection.id}/export`
    expect((await w.as('eve').get(path)).status).toBe(404)
    expect((await w.anonymous.get(path)).status).toBe(401)
    expect((await w.as('ada').get('/api/collections/nonsense/export')).status).toBe(404)
  })

  test('The export can be fetched again after an aborted download', async () => {
    const stop = new AbortController()
    const response = await fetch(new URL(`/api/collections/${w.collection.id}/export`, w.origin), {
      headers: { cookie: w.as('bob').cookieHeader() },
      signal: stop.signal,
    })
    await response.body?.getReader().read()
    stop.abort()
    expect((await exported(w.as('bob'), w.collection.id)).names).toEqual(zip.names)
  })
})

test('A member removed during an export does not get the rest', async () => {
  const w = await world({ bob: 'read' })
  for (const size of [9, 24]) await upload(w.as('ada'), new Uint8Array(size * MIB), { collectionIds: [w.collection.id] })
  const headers = { cookie: w.as('bob').cookieHeader() }
  const reader = (await fetch(new URL(`/api/collections/${w.collection.id}/export`, w.origin), { headers })).body?.getReader()
  // Reads past the part written from rows, until the originals are being sent.
  for (let read = 0; read < MIB; ) read += (await reader?.read())?.value?.length ?? MIB
  expect((await w.as('ada').delete(`/api/collections/${w.collection.id}/members/${w.as('bob').id}`)).status).toBe(200)
  const rest = async () => {
    for (;;) if ((await reader?.read())?.done) return
  }
  await expect(rest()).rejects.toThrow()
})

test('Long posts are exported completely, in the calendar too', async () => {
  const w = await world()
  const body = `<p>${'moss '.repeat(19_000)}</p>`
  const event = {
    type: 'event',
    title: 'Long',
    body,
    date: '2026-05-01T12:00:00Z',
    dateZone: 'Asia/Tokyo',
    collectionIds: [w.collection.id],
  }
  for (let n = 0; n < 15; n++) await w.as('ada').post('/api/post', event)
  const zip = await exported(w.as('ada'), w.collection.id)
  expect(zip.archive.posts.map((post) => post.body)).toEqual(Array.from({ length: 15 }, () => body))
  const calendar = new ICAL.Component(ICAL.parse(zip.text('events.ics')))
  expect(calendar.getAllSubcomponents('vtimezone')).toHaveLength(1)
  expect(calendar.getAllSubcomponents('vevent')).toHaveLength(15)
})

test('The export of an empty collection is a valid archive', async () => {
  const w = await world()
  await w.as('ada').put(`/api/collections/${w.collection.id}`, { answers: null, places: 'nothing' })
  const zip = await exported(w.as('ada'), w.collection.id)
  expect(zip.archive).toMatchObject({ collection: { answers: null, places: 'nothing' }, assets: [], posts: [], people: [] })
  expect(JSON.parse(zip.text('places.geojson'))).toEqual({ type: 'FeatureCollection', features: [] })
  expect(new ICAL.Component(ICAL.parse(zip.text('events.ics'))).getAllSubcomponents('vevent')).toEqual([])
  expect(zip.text('index.html')).toContain('0 posts, 0 files')
})

test('Names that collide or contain paths become safe and unique', async () => {
  const w = await world()
  const names = ['a.jpg', 'A.jpg', 'a.jpg', '../../a.jpg', 'C:\\a.jpg', 'con', '\u202egpj.exe']
  const sums = new Set<string>()
  for (const name of names) sums.add((await upload(w.as('ada'), jpegLike(), { name, collectionIds: [w.collection.id] })).checksum)
  const zip = await exported(w.as('ada'), w.collection.id)
  const originals = zip.names.filter((name) => name.startsWith('originals/'))
  expect(originals.toSorted()).toEqual(
    ['_con', '_.._a.jpg', '_gpj.exe', 'A (2).jpg', 'C__a.jpg', 'a (3).jpg', 'a.jpg'].map((name) => `originals/${name}`).toSorted(),
  )
  expect(new Set(originals.map((name) => sha256(zip.files[name] ?? new Uint8Array())))).toEqual(sums)
  expect(zip.archive.assets.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
})

test('The export leaves out the trash and other collections, even for photos of a post', async () => {
  const w = await world()
  const ada = w.as('ada')
  const collectionIds = [w.collection.id]
  const included = await upload(ada, jpegLike(), { collectionIds })
  const trashed = await upload(ada, jpegLike(), { collectionIds })
  const { id } = (await ada.post('/api/post', { type: 'note', title: 'T', existingAssetIds: [trashed.id, included.id], collectionIds }))
    .body.post
  await upload(ada, jpegLike(), { collectionIds: [await collectionOf(w, 'ada')] })
  await ada.delete(`/api/asset/${trashed.id}`)
  const { archive } = await exported(ada, w.collection.id)
  expect(archive.assets.map((asset) => asset.id)).toEqual([included.id])
  expect(archive.posts).toEqual([expect.objectContaining({ id, assets: [included.id] })])
})

test('The export names a file lost in storage and contains the others', async () => {
  const w = await world()
  const bytes = jpegLike()
  await upload(w.as('ada'), bytes, { name: 'here.jpg', collectionIds: [w.collection.id] })
  const lost = await upload(w.as('ada'), jpegLike(), { name: 'lost.jpg', collectionIds: [w.collection.id] })
  await deleteObject(`assets/${lost.id}/original`)
  const zip = await exported(w.as('ada'), w.collection.id)
  expect(zip.files['originals/here.jpg']).toEqual(bytes)
  expect(zip.text('MISSING.txt')).toContain('originals/lost.jpg')
})

test('The export has what everyone reads of comments and reactions, by name', async () => {
  const w = await world({ bob: 'read', amy: 'admin' })
  const t = talkIn(w)
  const topic = await t.post('ada')
  const first = await t.said('bob', topic, 'Lovely')
  await t.said('amy', topic, 'Yes', { replyTo: first.id })
  const rude = await t.said('bob', topic, 'Rude')
  const gone = await t.said('bob', topic, 'Gone')
  await t.react('amy', first, '👍')
  await t.react('bob', topic, '🎉')
  await w.as('amy').patch(`/api/comments/${rude.id}`, { hidden: true })
  await w.as('bob').delete(`/api/comments/${gone.id}`)
  const zip = await exported(w.as('bob'), w.collection.id)
  const [post] = Archive.parse(JSON.parse(zip.text('collection.json') ?? '')).posts
  expect(post?.comments).toMatchObject([
    { id: first.id, author: 'Bob Test', text: 'Lovely', reply_to: null, reactions: [{ emoji: '👍', who: ['Amy Test'] }] },
    { author: 'Amy Test', text: 'Yes', reply_to: first.id, reactions: [] },
  ])
  expect(post?.comments).toHaveLength(2)
  expect(post?.reactions).toEqual([{ emoji: '🎉', who: ['Bob Test'] }])
})

test('Too many exports get 429', async () => {
  const w = await world()
  const allowed = ATTEMPTS.export.perUser * 1000
  await w.sql`insert into rate_limits (key, tries, resets_at)
    values (${await attemptKey('export', `user:${w.as('ada').id}`)}, ${allowed}, now() + interval '5 minutes')`
  const { status, headers } = await w.as('ada').get(`/api/collections/${w.collection.id}/export`)
  expect(status).toBe(429)
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
})
