import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect } from 'vitest'
import type { Archive } from '../../contract/archive.ts'
import type { Asset } from '../../contract/assets.ts'
import type { Post } from '../../contract/posts.ts'
import { dayOneEntry, Unzipped, xmpOf } from '../support/archives.ts'
import { upload } from '../support/files.ts'
import { archiveOf, filled, found, test as scene } from '../support/import-scene.ts'
import { axeViolations } from '../support/people.ts'
import { type Topic, talkIn } from '../support/talk.ts'

const LONG_AGO = '2019-08-14T12:00:00Z'
const SOON = { timeout: 30_000 }

const test = scene
  /** Ada's collection with people, places, dates of all kinds, and posts whose pictures stand in an order of their own. */
  .extend('fill', ({ kyoto, pictures }) => async (): Promise<void> => {
    const ada = kyoto.as('ada')
    const collectionIds = [kyoto.collection.id]
    const person = async (name: string) => (await ada.post(`/api/collections/${kyoto.collection.id}/people`, { name })).body.person.id
    const [mum, dad] = [await person('Mum'), await person('Dad & Son')]
    // Nothing has this tag.
    await person('Uncle')
    const place = { lat: 35.0116, lon: 135.7681, name: 'Kyōto “京都”' }
    const when = { date: '2026-05-01T22:30:00Z', dateZone: 'Asia/Tokyo', datePrecision: 'minute' as const }
    const assets = []
    for (const [i, bytes] of pictures.entries()) {
      const { width, height } = await sharp(bytes).metadata()
      const more =
        i === 0
          ? {}
          : i === 1
            ? { ...when, location: place, alt: 'Moss <wet>', peopleIds: [mum] }
            : { ...when, datePrecision: 'month' as const }
      assets.push((await upload(ada, bytes, { name: `庭 ${i % 2}.jpg`, width, height, collectionIds, ...more })).id)
    }
    await upload(ada, new TextEncoder().encode(`packing list ${kyoto.collection.id}`), {
      name: 'list.txt',
      type: 'text/plain',
      collectionIds,
    })
    const posts = [
      {
        ...{
          type: 'event',
          kind: 'trip',
          title: 'Kyoto & Nara',
          body: '<p>Moss, <strong>rain</strong></p><ul><li>tea</li></ul>',
          ...when,
          datePrecision: 'day',
        },
        ...{ endsAt: '2026-05-04T22:30:00Z', location: place, peopleIds: [dad, mum], existingAssetIds: [assets[2], assets[0], assets[1]] },
      },
      { type: 'note', kind: 'recipe', title: 'Dashi', body: '<p>Kombu</p>' },
      {
        type: 'note',
        title: 'Some year',
        date: '1999-01-01T00:00:00Z',
        dateZone: 'Europe/Vienna',
        datePrecision: 'year',
        existingAssetIds: [assets[3]],
      },
    ]
    const made: Topic[] = []
    for (const post of posts) {
      const { status, body } = await ada.post('/api/post', { ...post, collectionIds })
      expect(status, JSON.stringify(body)).toBe(201)
      made.push({ kind: 'post', id: body.post.id })
    }
    // Bob and Ada talk about a post and a photo, also about people.
    const t = talkIn(kyoto)
    for (const topic of [...made.slice(0, 1), { kind: 'asset', id: assets[1] ?? '' } satisfies Topic]) {
      const first = await t.said('bob', topic, 'So green, @Mum 🏔️', { mentions: [mum] })
      const answer = await t.said('ada', topic, 'It rained', { replyTo: first.id })
      await kyoto.as('bob').patch(`/api/comments/${first.id}`, { text: 'So very green, @Mum 🏔️' })
      await t.react('bob', answer, '👍')
      await t.react('ada', topic, '🎉')
      await t.react('bob', topic, '🎉')
    }
    // Long ago.
    await kyoto.sql`update comments set created_at = created_at - (now() - ${LONG_AGO}::timestamptz), edited_at = edited_at - (now() - ${LONG_AGO}::timestamptz)
      where collection_id = ${kyoto.collection.id}`
    const stack = { assetIds: [assets[2], assets[3]], cover: assets[3] }
    expect((await ada.post(`/api/collections/${kyoto.collection.id}/groups`, stack)).status).toBe(201)
    expect((await ada.put(`/api/collections/${kyoto.collection.id}`, { answers: 'write', places: 'town' })).status).toBe(200)
  })
  .extend('download', ({ ada, folder, kyoto, openView }) => async (page: Page): Promise<string> => {
    const saved = path.join(folder, `${kyoto.collection.id}.zip`)
    await openView(ada, 'settings')
    const arrived = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Export Kyoto' }).click()
    await (await arrived).saveAs(saved)
    return saved
  })

/** All that an archive says but ids, moments of writing and who wrote. */
function content({ collection, people, assets, posts }: Archive) {
  const names = new Map(people.map(({ id, name }) => [id, name]))
  const sums = new Map(assets.map(({ id, checksum }) => [id, checksum]))
  const plain = <T extends { people: string[]; id: string } & Pick<Archive['posts'][number], 'comments'>>(row: T) => {
    const { id, author, created_at, updated_at, added_at, added_by, file, thumbhash, group, ...rest }: Record<string, unknown> = row
    const texts = new Map(row.comments?.map((comment) => [comment.id, comment.text]))
    const comments = row.comments?.map(({ id, reply_to, mentions, ...comment }) => ({
      ...comment,
      answers: texts.get(reply_to ?? ''),
      mentions: mentions?.map((person) => names.get(person)),
    }))
    return { ...rest, comments, people: row.people.map((person) => names.get(person)).toSorted() } as Record<string, unknown>
  }
  const { id: _id, created_at: _at, ...settings } = collection
  return {
    collection: settings,
    people: people.map(({ name }) => name),
    assets: assets
      .map((asset) => ({ ...plain(asset), cover: sums.get(asset.group?.cover ?? '') }) as Record<string, unknown>)
      .toSorted((a, b) => (String(a.checksum) < String(b.checksum) ? -1 : 1)),
    posts: posts
      .toSorted((a, b) => (a.title < b.title ? -1 : 1))
      .map((post) => ({ ...plain(post), assets: post.assets.map((id) => sums.get(id)) })),
  }
}

async function chooseFile(page: Page, file: string): Promise<void> {
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Import…' }).click()
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('dialog', { name: 'Import' }).getByRole('button', { name: 'Choose files' }).click()
  await (await chooser).setFiles(file)
}

test('An export is imported without loss or duplicates by its owner and by another person', async ({
  ada,
  bob,
  download,
  fill,
  kyoto,
  openView,
}) => {
  await fill()
  const saved = await download(ada.page)
  const original = content(await archiveOf(kyoto.as('ada'), kyoto.collection.id))
  expect(new Unzipped(new Uint8Array(await readFile(saved))).archive.posts).toHaveLength(3)
  expect(original.assets.filter(({ cover }) => cover)).toHaveLength(2)

  // Back to where it is from: all of it is there.
  await openView(ada, 'timeline')
  await chooseFile(ada.page, saved)
  const dialog = ada.page.getByRole('dialog', { name: 'Import' })
  await dialog.getByText('3 posts').waitFor()
  expect((await found(dialog)).join()).toContain('5 photos and files')
  expect((await found(dialog)).join()).toContain('4 comments, 6 reactions')
  expect(await axeViolations(ada.page, ['wcag2a', 'wcag2aa'])).toEqual([])
  await dialog.getByRole('button', { name: 'Import' }).click()
  await ada.page.getByText('8 were already here', { exact: true }).waitFor()
  expect(content(await archiveOf(kyoto.as('ada'), kyoto.collection.id))).toEqual(original)

  // Into a new one.
  await chooseFile(ada.page, saved)
  await dialog.getByLabel('Import into').selectOption('New collection')
  await dialog.getByRole('button', { name: 'Import' }).click()
  const copy = await filled(kyoto.as('ada'), 'Kyoto', { posts: 3, assets: 4 }, kyoto.collection.id)
  await expect.poll(() => archiveOf(kyoto.as('ada'), copy).then(content), SOON).toEqual(original)

  // Somebody who has none of the files.
  const own = (await kyoto.as('bob').post('/api/collections', { name: 'Own' })).body.collection.id
  await openView(bob, 'timeline', own)
  for (const name of ['first', 'once more']) {
    await chooseFile(bob.page, saved)
    const theirs = bob.page.getByRole('dialog', { name: 'Import' })
    await theirs.getByText('Items by Ada Test are added under your name', { exact: false }).waitFor()
    await theirs.getByLabel('Import into').selectOption('Own')
    await theirs.getByRole('button', { name: 'Import' }).click()
    const known = bob.page.getByText(/already here/).first()
    if (name === 'once more') await known.waitFor()
    await theirs.waitFor({ state: 'detached' })
    await filled(kyoto.as('bob'), 'Own', { posts: 3, assets: 4 })
    const there = async () => ({ ...content(await archiveOf(kyoto.as('bob'), own)), collection: original.collection })
    await expect.poll(there, { ...SOON, message: name }).toEqual(original)
    if (name === 'first') await known.waitFor({ state: 'detached' })
  }

  // Who made it stays known: beside it, and in the next export, but it is Bob's now.
  const { posts } = (await kyoto.as('bob').get(`/api/post?collection_id=${own}`)).body
  expect(posts.map(({ user_name, original_author }: Post) => [user_name, original_author])).toEqual(Array(3).fill(['Bob Test', 'Ada Test']))
  const again = await archiveOf(kyoto.as('bob'), own)
  expect(again.collection).toMatchObject({ name: 'Own', answers: 'read', places: 'exact' })
  expect([...again.posts, ...again.assets].map(({ author, added_by }) => [author, added_by])).toEqual(
    Array(8).fill(['Ada Test', 'Bob Test']),
  )
  await openView(bob, 'timeline', own)
  await bob.page.getByText('Originally by Ada Test').first().waitFor()
  const { posts: copied } = (await kyoto.as('ada').get(`/api/post?collection_id=${copy}`)).body
  expect(copied.map(({ original_author }: Post) => original_author)).toEqual([null, null, null])

  // Who said what, and when, stands beside the photo and under the post.
  const thread = (page: Page) => page.getByRole('list', { name: 'Comments', exact: true })
  const saidBy = (page: Page, name: string) => thread(page).getByRole('article', { name: new RegExp(`^${name}, .*2019`) })
  const trip = copied.find(({ title }: Post) => title === 'Kyoto & Nara')
  await ada.page.goto(`/collections/timeline?c=${copy}&item=${trip.id}#comments`)
  await saidBy(ada.page, 'Bob Test').getByText('So very green').waitFor()
  await saidBy(ada.page, 'Bob Test').getByText('imported by Ada Test').waitFor()
  const answer = thread(ada.page)
    .getByRole('list', { name: 'Answers to Bob Test' })
    .getByRole('article', { name: /^Ada Test, .*2019/ })
  await answer.getByText('It rained').waitFor()
  expect(await answer.getByText('imported by').count()).toBe(0)
  const photo = (await kyoto.as('bob').get(`/api/asset?collection_id=${own}`)).body.assets.find(({ alt }: Asset) => alt === 'Moss <wet>')
  await bob.page.goto(`/collections/media?c=${own}&item=${photo.id}#comments`)
  await thread(bob.page).getByRole('list', { name: 'Answers to Bob Test' }).getByText('imported by Bob Test').waitFor()
  expect(await axeViolations(bob.page, ['wcag2a', 'wcag2aa'])).toEqual([])
})

test('A Day One journal becomes posts with photos and continues after a reload', async ({ ada, dropArchive, kyoto, openView, picture }) => {
  const page = await openView(ada, 'timeline')
  await page.route('**/api/asset', (route) => route.fulfill({ status: 503 }))
  const photos = [
    { identifier: 'AAA', md5: 'a1', type: 'jpeg', orderInEntry: 0 },
    { identifier: 'BBB', md5: 'b2', type: 'jpeg', orderInEntry: 1 },
  ]
  const location = { latitude: 34.9671, longitude: 135.7727, placeName: 'Fushimi Inari' }
  await dropArchive(page, 'journal.zip', {
    'Journal.json': {
      metadata: { version: '1.0' },
      entries: [
        dayOneEntry('# Foxes\n\nUp at **five**\n![](dayone-moment://BBB)\n![](dayone-moment://AAA)', { photos, location }),
        dayOneEntry('Rain\nall day', { uuid: 'C0FFEE' }),
      ],
    },
    'photos/a1.jpeg': picture(2),
    'photos/b2.jpeg': picture(3),
  })
  const dialog = page.getByRole('dialog', { name: 'Import' })
  await dialog.getByText('Day One').first().waitFor()
  await dialog.getByRole('button', { name: 'Import' }).click()
  await dialog.waitFor({ state: 'detached' })
  await filled(kyoto.as('ada'), 'Kyoto', { posts: 1, assets: 0 })
  await page.unroute('**/api/asset')
  await page.reload()
  await filled(kyoto.as('ada'), 'Kyoto', { posts: 2, assets: 2 })
  const { assets, posts } = await archiveOf(kyoto.as('ada'), kyoto.collection.id)
  const named = (name: string) => assets.find((asset) => asset.name === name)?.id
  expect(posts.find(({ title }) => title === 'Foxes')).toMatchObject({
    body: expect.stringContaining('<strong>five</strong>'),
    date: expect.stringMatching(/^2023-08-14T16:05:00/),
    date_zone: 'Asia/Tokyo',
    location: { lat: 34.9671, name: 'Fushimi Inari' },
    assets: [named('b2.jpeg'), named('a1.jpeg')],
  })
  expect(posts.find(({ title }) => title === 'Rain')).toMatchObject({ body: '<p>all day</p>', assets: [] })
  await page.getByRole('article', { name: 'Foxes' }).waitFor()
})

test('A WhatsApp chat becomes a note for each day, its photo has the day it was sent, and a later export adds the rest of the last day', async ({
  ada,
  dropArchive,
  kyoto,
  openView,
  picture,
}) => {
  const page = await openView(ada, 'timeline')
  await dropArchive(page, 'WhatsApp Chat - Family.zip', {
    '_chat.txt': [
      '[03.05.24, 14:20:05] Tom: At the shrine',
      '\u200e[03.05.24, 14:21:00] Mum: Moss! \u200e<attached: 00000012-PHOTO-2024-05-03-14-21-00.jpg>',
      '[04.05.24, 09:00:00] Tom: Leaving',
    ].join('\r\n'),
    '00000012-PHOTO-2024-05-03-14-21-00.jpg': picture(0),
  })
  const dialog = page.getByRole('dialog', { name: 'Import' })
  await dialog.getByText('WhatsApp chat', { exact: true }).waitFor()
  expect(await found(dialog)).toEqual([expect.stringMatching(/^1 photo or file, /), '2 posts', '3 May 2024 to 4 May 2024'])
  await dialog.getByRole('button', { name: 'Import' }).click()
  await filled(kyoto.as('ada'), 'Kyoto', { posts: 2, assets: 1 })
  // As another member sees it.
  const { assets, posts } = await archiveOf(kyoto.as('bob'), kyoto.collection.id)
  expect(posts.map(({ body, date_precision }) => [body, date_precision])).toEqual([
    ['<p><strong>Tom</strong>: At the shrine</p><p><strong>Mum</strong>: Moss!</p>', 'day'],
    ['<p><strong>Tom</strong>: Leaving</p>', 'day'],
  ])
  expect(posts[0]?.assets).toEqual([assets[0]?.id])
  expect(assets[0]).toMatchObject({ date: expect.stringMatching(/^2024-05-03T/), date_precision: 'minute' })
  await dropArchive(page, 'WhatsApp Chat - Family (1).zip', {
    '_chat.txt': ['[04.05.24, 09:00:00] Tom: Leaving', '[04.05.24, 19:00:00] Mum: Home', '[05.05.24, 08:00:00] Tom: Up'].join('\r\n'),
  })
  await dialog.getByRole('button', { name: 'Import' }).click()
  await filled(kyoto.as('ada'), 'Kyoto', { posts: 4, assets: 1 })
  const later = (await archiveOf(kyoto.as('bob'), kyoto.collection.id)).posts.map(({ body }) => body)
  expect(later.filter((body) => !posts.some((post) => post.body === body))).toEqual([
    '<p><strong>Mum</strong>: Home</p>',
    '<p><strong>Tom</strong>: Up</p>',
  ])
})

test('Photos of a folder get what the XMP files beside them say, a month as a month', async ({
  ada,
  dropArchive,
  kyoto,
  openView,
  picture,
}) => {
  const page = await openView(ada, 'media')
  const xmp = (fields: string) =>
    xmpOf(`<rdf:Description rdf:about='' xmlns:e='http://ns.adobe.com/exif/1.0/' xmlns:p='http://ns.adobe.com/photoshop/1.0/' ${fields}/>`)
  await dropArchive(page, 'Photos.zip', {
    'IMG_1.jpg': picture(0),
    'IMG_1.xmp': xmp("e:DateTimeOriginal='2015-05-06T07:08:09+02:00' e:GPSLatitude='60.5' e:GPSLongitude='68' e:GPSLongitudeRef='W'"),
    'Scan.jpg': picture(1),
    'Scan.xmp': xmp("p:DateCreated='1978-07'"),
  })
  const dialog = page.getByRole('dialog', { name: 'Import' })
  await dialog.getByText('1 July 1978 to 6 May 2015').waitFor()
  await dialog.getByRole('button', { name: 'Import' }).click()
  await filled(kyoto.as('ada'), 'Kyoto', { posts: 0, assets: 2 })
  const { assets } = await archiveOf(kyoto.as('bob'), kyoto.collection.id)
  const named = (name: string) => assets.find((asset) => asset.name === name)
  expect(named('IMG_1.jpg')).toMatchObject({ date_zone: '+02:00', location: { lat: 60.5, lon: -68 } })
  expect(Date.parse(named('IMG_1.jpg')?.date ?? '')).toBe(Date.parse('2015-05-06T07:08:09+02:00'))
  expect(named('Scan.jpg')?.date_precision).toBe('month')
})

test('A Journey and a trip of Polarsteps become posts with days, places and pictures, for another member too', async ({
  ada,
  dropArchive,
  kyoto,
  openView,
  picture,
}) => {
  const page = await openView(ada, 'timeline')
  const dialog = page.getByRole('dialog', { name: 'Import' })
  await dropArchive(page, 'journey.zip', {
    '1614834367000-3f.json': {
      ...{ id: '1614834367000-3f', date_journal: Date.UTC(2021, 2, 4, 8, 6), timezone: 'America/Santiago', type: 'html' },
      ...{ text: '<p>Over the <em>lake</em></p>', preview_text: '', lat: -33.5, lon: -70.25, address: 'Santiago', tags: null },
      photos: ['1614834367000-3f-1.jpg', null],
    },
    '1614834367000-3f-1.jpg': picture(0),
  })
  await dialog.getByText('Journey').first().waitFor()
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await filled(kyoto.as('ada'), 'Kyoto', { posts: 1, assets: 1 })
  await dropArchive(page, 'user_data.zip', {
    'trip/Chile_1/trip.json': {
      ...{ id: 1, name: 'Chile', summary: null, start_date: 1_614_800_000, end_date: null, timezone_id: 'America/Santiago' },
      all_steps: [
        {
          ...{ id: 2, uuid: null, display_name: 'Valparaíso', slug: 'valparaiso', description: 'Hills', start_time: 1_614_900_000 },
          ...{ timezone_id: 'America/Santiago', location: { name: 'Valparaíso', lat: -33.05, lon: -71.6 }, is_deleted: false },
        },
      ],
    },
    'trip/Chile_1/valparaiso_2/photos/a.jpg': picture(1),
  })
  await dialog.getByText('Polarsteps').first().waitFor()
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await filled(kyoto.as('ada'), 'Kyoto', { posts: 3, assets: 2 })
  const { assets, posts } = await archiveOf(kyoto.as('bob'), kyoto.collection.id)
  const ids = (name: string) => assets.filter((asset) => asset.name === name).map(({ id }) => id)
  const inChile = { date_zone: 'America/Santiago' }
  expect(posts.find(({ title }) => title === 'Over the lake')).toMatchObject({
    ...{ ...inChile, date: expect.stringMatching(/^2021-03-04T08:06/), location: { lat: -33.5, lon: -70.25, name: 'Santiago' } },
    assets: ids('1614834367000-3f-1.jpg'),
  })
  expect(posts.find(({ title }) => title === 'Chile')).toMatchObject({ type: 'event' })
  expect(posts.find(({ title }) => title === 'Valparaíso')).toMatchObject({
    ...{ ...inChile, body: '<p>Hills</p>', location: { lat: -33.05, lon: -71.6 } },
    assets: ids('a.jpg'),
  })
})

test('Names of a ZIP are read in whatever way they are written, and everyone can download them', async ({
  ada,
  dropArchive,
  kyoto,
  openView,
  picture,
}) => {
  const page = await openView(ada, 'media')
  // Each as long as its bytes in the DOS code page.
  const written = { 'Stra_e M_nchen.jpg': 'Stra\xe1e M\x81nchen.jpg', 'El Ni_o.jpg': 'El Ni\xa4o.jpg' }
  await dropArchive(
    page,
    'Fotos.zip',
    { 'Stra_e M_nchen.jpg': picture(0), 'El Ni_o.jpg': picture(1), 'Kyōto “京都”.jpg': picture(2) },
    (zip) => Object.entries(written).reduce((bytes, [before, after]) => bytes.replaceAll(before, after), zip),
  )
  const dialog = page.getByRole('dialog', { name: 'Import' })
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await filled(kyoto.as('ada'), 'Kyoto', { posts: 0, assets: 3 })
  const bob = kyoto.as('bob')
  const { assets } = await archiveOf(bob, kyoto.collection.id)
  expect(assets.map(({ name }) => name).toSorted()).toEqual(['El Niño.jpg', 'Kyōto “京都”.jpg', 'Straße München.jpg'])
  const { names } = new Unzipped((await bob.get(`/api/collections/${kyoto.collection.id}/export`)).bytes)
  expect(names.filter((name) => /[<>:"\\|?*]|[. ]$/.test(name))).toEqual([])
})

test('A running import survives Esc and a press beside its dialog, and leaves the user where Back has led', async ({
  ada,
  dropArchive,
  kyoto,
  openView,
}) => {
  const page = await openView(ada, 'media')
  await page.getByRole('link', { name: 'Timeline' }).click()
  await page.waitForURL('**/timeline?*')
  const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>()
  await page.route('**/api/trash?*', async (route) => {
    await mayGoOn
    await route.continue()
  })
  await dropArchive(page, 'journal.zip', {
    'Journal.json': { metadata: { version: '1.0' }, entries: [dayOneEntry('# Rain\nall day', { uuid: 'C0FFEE' })] },
  })
  const dialog = page.getByRole('dialog', { name: 'Import' })
  await dialog.getByRole('button', { name: 'Import' }).click()
  await dialog.getByRole('button', { name: 'Stop' }).waitFor()
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  await dialog.and(page.locator('[data-state=open]')).waitFor()
  await page.goBack()
  await dialog.waitFor({ state: 'detached' })
  goOn()
  await page.getByText('1 post is on the way').first().waitFor()
  await filled(kyoto.as('ada'), 'Kyoto', { posts: 1, assets: 0 })
  expect(new URL(page.url()).pathname).toBe('/collections/media')
})

test('An entry whose photo was missing gets it when the whole archive is imported', async ({
  ada,
  dropArchive,
  kyoto,
  openView,
  picture,
}) => {
  const page = await openView(ada, 'timeline')
  const photos = [{ identifier: 'AAA', md5: 'a1', type: 'jpeg', orderInEntry: 0 }]
  const entries = [dayOneEntry('# Rain\n![](dayone-moment://AAA)', { photos, uuid: 'C0FFEE' })]
  const importIt = async (files: Record<string, Uint8Array>) => {
    await dropArchive(page, 'journal.zip', { 'Journal.json': { metadata: { version: '1.0' }, entries }, ...files })
    const dialog = page.getByRole('dialog', { name: 'Import' })
    await dialog.getByRole('button', { name: 'Import' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('article', { name: 'Rain' }).waitFor()
  }
  await importIt({})
  await filled(kyoto.as('ada'), 'Kyoto', { posts: 1, assets: 0 })
  await importIt({ 'photos/a1.jpeg': picture(1) })
  const photosOf = async () => (await archiveOf(kyoto.as('ada'), kyoto.collection.id)).posts.map(({ assets }) => assets.length)
  await expect.poll(photosOf, { timeout: 30_000 }).toEqual([1])
})

test('A post removed from the collection returns with its edits when it is imported again', async ({
  ada,
  dropArchive,
  kyoto,
  openView,
}) => {
  const page = await openView(ada, 'timeline')
  const entries = [dayOneEntry('# Rain\nall day', { uuid: 'C0FFEE' })]
  const importIt = async () => {
    await dropArchive(page, 'journal.zip', { 'Journal.json': { metadata: { version: '1.0' }, entries } })
    const dialog = page.getByRole('dialog', { name: 'Import' })
    await dialog.getByRole('button', { name: 'Import' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('article', { name: 'Rain' }).waitFor()
    await filled(kyoto.as('ada'), 'Kyoto', { posts: 1, assets: 0 })
  }
  await importIt()
  const { posts } = await archiveOf(kyoto.as('ada'), kyoto.collection.id)
  await kyoto.as('ada').patch(`/api/post/${posts[0]?.id}`, { title: 'Rain in Nara' })
  await kyoto.as('ada').delete(`/api/post/${posts[0]?.id}/collections/${kyoto.collection.id}`)
  await page.getByRole('article', { name: 'Rain' }).waitFor({ state: 'detached' })
  await importIt()
  await page.getByRole('article', { name: 'Rain in Nara' }).waitFor()
})

test('Two tabs that import at once write each post once', async ({ ada, dropArchive, kyoto, openView, picture }) => {
  const tabs = [await openView(ada, 'timeline'), await ada.context.newPage()] as const
  await tabs[1].goto(`/collections/timeline?c=${kyoto.collection.id}`)
  const arriving = Promise.withResolvers<void>()
  await ada.context.route('**/api/asset', async (route) => {
    await arriving.promise
    await route.continue()
  })
  const written: string[] = []
  ada.context.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/post')) written.push(request.postDataJSON().title)
  })
  for (const [i, page] of tabs.entries()) {
    const photos = [{ identifier: 'AAA', md5: 'a1', type: 'jpeg', orderInEntry: 0 }]
    await dropArchive(page, `journal-${i}.zip`, {
      'Journal.json': {
        metadata: { version: '1.0' },
        entries: [dayOneEntry(`# Foxes ${i}\n![](dayone-moment://AAA)`, { photos, uuid: `F0E${i}` })],
      },
      'photos/a1.jpeg': picture(i),
    })
    const dialog = page.getByRole('dialog', { name: 'Import' })
    await dialog.getByRole('button', { name: 'Import' }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  arriving.resolve()
  await filled(kyoto.as('ada'), 'Kyoto', { posts: 2, assets: 2 })
  for (const page of tabs) for (const i of [0, 1]) await page.getByRole('article', { name: `Foxes ${i}` }).waitFor()
  const { posts } = await archiveOf(kyoto.as('ada'), kyoto.collection.id)
  expect(posts.map(({ assets }) => assets.length)).toEqual([1, 1])
  expect(written.toSorted()).toEqual(['Foxes 0', 'Foxes 1'])
})
