import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { expect } from 'vitest'
import type { Archive } from '../../contract/archive.ts'
import type { Post } from '../../contract/posts.ts'
import type { Client } from '../../dev/http-client.ts'
import { dayOneEntry, type Packed, takeoutSidecar, tgzOf, Unzipped, xmpOf, zipOf } from '../support/archives.ts'
import { upload } from '../support/files.ts'
import { test as app } from '../support/fixtures.ts'
import { axeViolations, dropFiles, type Person } from '../support/people.ts'
import { world } from '../support/world.ts'

const test = app
  /** Small ones, as new to every run as a person's own. */
  .extend('pictures', { scope: 'file' }, async () => {
    const names = (await readdir(PICTURES)).filter((name) => name.endsWith('.jpg')).slice(0, 4)
    return Promise.all(
      names.map(async (name) => new Uint8Array(await sharp(path.join(PICTURES, name)).resize(480).jpeg({ quality: 70 }).toBuffer())),
    )
  })
  .extend('kyoto', () => world({ bob: 'read' }))
  .extend('ada', ({ kyoto, openPage }) => openPage({ as: kyoto.as('ada'), acceptDownloads: true }))
  .extend('bob', ({ kyoto, openPage }) => openPage({ as: kyoto.as('bob') }))
  .extend(
    'picture',
    ({ pictures }) =>
      (i: number) =>
        pictures[i % pictures.length] ?? new Uint8Array(),
  )
  /** Ada's collection with people, places, dates of all kinds, and posts whose pictures stand in an order of their own. */
  .extend('fill', ({ kyoto, pictures }) => async (): Promise<void> => {
    const ada = kyoto.as('ada')
    const collectionIds = [kyoto.collection.id]
    const person = async (name: string) => (await ada.post(`/api/collections/${kyoto.collection.id}/people`, { name })).body.person.id
    const [mum, dad] = [await person('Mum'), await person('Dad & Son')]
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
    for (const post of posts) {
      const { status, body } = await ada.post('/api/post', { ...post, collectionIds })
      expect(status, JSON.stringify(body)).toBe(201)
    }
    const stack = { assetIds: [assets[2], assets[3]], cover: assets[3] }
    expect((await ada.post(`/api/collections/${kyoto.collection.id}/groups`, stack)).status).toBe(201)
  })
  .extend('dropArchive', ({ folder, kyoto }) => async (page: Page, name: string, files: Packed): Promise<void> => {
    const file = path.join(folder, `${kyoto.collection.id}-${name}`)
    await writeFile(file, name.endsWith('.tgz') ? tgzOf(files) : zipOf(files))
    await dropFiles(page, [file])
  })
  .extend('openView', ({ kyoto }) => async (person: Person, view: string, id = kyoto.collection.id): Promise<Page> => {
    await person.page.goto(`/collections/${view}?c=${id}`)
    await person.page.getByRole('heading', { level: 1 }).waitFor()
    return person.page
  })
  .extend('download', ({ ada, folder, kyoto, openView }) => async (page: Page): Promise<string> => {
    const saved = path.join(folder, `${kyoto.collection.id}.zip`)
    await openView(ada, 'settings')
    const arrived = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Export Kyoto' }).click()
    await (await arrived).saveAs(saved)
    return saved
  })

const PICTURES = path.resolve(import.meta.dirname, '../../dev/demo/pictures')
const SOON = { timeout: 60_000 }

async function archiveOf(who: Client, id: string): Promise<Archive> {
  return new Unzipped((await who.get(`/api/collections/${id}/export`)).bytes).archive
}

/** All that an archive says but ids, moments of writing and who wrote. */
function content({ collection, people, assets, posts }: Archive) {
  const names = new Map(people.map(({ id, name }) => [id, name]))
  const sums = new Map(assets.map(({ id, checksum }) => [id, checksum]))
  const plain = <T extends { people: string[]; id: string }>(row: T) => {
    const { id, author, created_at, updated_at, added_at, added_by, file, thumbhash, group, ...rest }: Record<string, unknown> = row
    return { ...rest, people: row.people.map((person) => names.get(person)).toSorted() } as Record<string, unknown>
  }
  return {
    collection: { name: collection.name, icon: collection.icon, theme: collection.theme },
    people: people.map(({ name }) => name),
    assets: assets
      .map((asset) => ({ ...plain(asset), cover: sums.get(asset.group?.cover ?? '') }) as Record<string, unknown>)
      .toSorted((a, b) => (String(a.checksum) < String(b.checksum) ? -1 : 1)),
    posts: posts
      .toSorted((a, b) => (a.title < b.title ? -1 : 1))
      .map((post) => ({ ...plain(post), assets: post.assets.map((id) => sums.get(id)) })),
  }
}

const collectionsOf = async (who: Client) =>
  (await who.get('/api/collections')).body.collections as { id: string; name: string; post_count: number; asset_count: number }[]

/** The collection of this name, once it holds so much. */
async function filled(who: Client, name: string, count: { posts: number; assets: number }, not?: string): Promise<string> {
  const found = async () => (await collectionsOf(who)).find((collection) => collection.name === name && collection.id !== not)
  await expect
    .poll(async () => {
      const collection = await found()
      return collection && { posts: collection.post_count, assets: collection.asset_count }
    }, SOON)
    .toEqual(count)
  return (await found())?.id ?? ''
}

async function chooseFile(page: Page, file: string): Promise<void> {
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Import…' }).click()
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('dialog', { name: 'Import' }).getByRole('button', { name: 'Choose files' }).click()
  await (await chooser).setFiles(file)
}

const found = (dialog: Locator) => dialog.getByRole('list', { name: 'Found' }).getByRole('listitem').allTextContents()

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
  expect(await axeViolations(ada.page, ['wcag2a', 'wcag2aa'])).toEqual([])
  await dialog.getByRole('button', { name: 'Import' }).click()
  await ada.page.getByText('8 were already here', { exact: true }).waitFor()
  expect(content(await archiveOf(kyoto.as('ada'), kyoto.collection.id))).toEqual(original)

  // Into a new one.
  await chooseFile(ada.page, saved)
  await dialog.getByLabel('Import into').selectOption('New collection')
  await dialog.getByRole('button', { name: 'Import' }).click()
  const copy = await filled(kyoto.as('ada'), 'Kyoto', { posts: 3, assets: 4 }, kyoto.collection.id)
  expect(content(await archiveOf(kyoto.as('ada'), copy))).toEqual(original)

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
    const { collection: _, ...there } = content(await archiveOf(kyoto.as('bob'), own))
    const { collection: __, ...expected } = original
    expect(there, name).toEqual(expected)
    if (name === 'first') await known.waitFor({ state: 'detached' })
  }

  // Who made it stays known: beside it, and in the next export, but it is Bob's now.
  const { posts } = (await kyoto.as('bob').get(`/api/post?collection_id=${own}`)).body
  expect(posts.map(({ user_name, original_author }: Post) => [user_name, original_author])).toEqual(Array(3).fill(['Bob Test', 'Ada Test']))
  const again = await archiveOf(kyoto.as('bob'), own)
  expect([...again.posts, ...again.assets].map(({ author, added_by }) => [author, added_by])).toEqual(
    Array(8).fill(['Ada Test', 'Bob Test']),
  )
  await openView(bob, 'timeline', own)
  await bob.page.getByText('Originally by Ada Test').first().waitFor()
  const { posts: copied } = (await kyoto.as('ada').get(`/api/post?collection_id=${copy}`)).body
  expect(copied.map(({ original_author }: Post) => original_author)).toEqual([null, null, null])
})

test('A dropped Takeout gives its photos the dates, locations, people and captions of their sidecars', async ({
  ada,
  dropArchive,
  kyoto,
  openView,
  picture,
}) => {
  const inYear = 'Takeout/Google Photos/Photos from 2019/'
  const page = await openView(ada, 'media')
  await dropArchive(page, 'takeout-001.zip', {
    [`${inYear}a.jpg`]: picture(0),
    [`${inYear}a.jpg.supplemental-metadata.json`]: takeoutSidecar('a.jpg', {
      description: 'A mossy garden',
      geoData: { latitude: 35.01, longitude: 135.77 },
      people: [{ name: 'Mum' }],
    }),
    'Takeout/Google Photos/Spring/b.jpg': picture(1),
    'Takeout/Google Photos/Photos from 2018/b.jpg': picture(1),
    'Takeout/Google Photos/Spring/b.jpg.json': takeoutSidecar('b.jpg', { photoTakenTime: { timestamp: '1525170000' } }),
    'Takeout/Google Photos/Spring/metadata.json': { title: 'Spring in town', description: 'Walks' },
    'Takeout/Google Photos/Spring/../../../evil.jpg': picture(2),
  })
  const dialog = page.getByRole('dialog', { name: 'Import' })
  await dialog.getByText('Google Takeout').waitFor()
  expect(await found(dialog)).toEqual([
    expect.stringMatching(/^2 photos and files, /),
    '1 post, from an album',
    '1 person',
    '1 May 2018 to 8 June 2019',
  ])
  await dialog.getByText('1 cannot be imported').click()
  await dialog.getByText('Its name leads out of the archive').waitFor()
  await dialog.getByLabel('Import into').selectOption('Kyoto')
  await dialog.getByText('2 people will see this').waitFor()
  await dialog.getByRole('button', { name: 'Import' }).click()
  await filled(kyoto.as('ada'), 'Kyoto', { posts: 1, assets: 2 })
  const { assets, posts, people } = await archiveOf(kyoto.as('ada'), kyoto.collection.id)
  expect(assets.find(({ name }) => name === 'a.jpg')).toMatchObject({
    alt: 'A mossy garden',
    date: expect.stringMatching(/^2019-06-08T11:20:00/),
    location: { lat: 35.01, lon: 135.77 },
    people: [people.find(({ name }) => name === 'Mum')?.id],
  })
  expect(posts).toEqual([
    expect.objectContaining({
      title: 'Spring in town',
      body: '<p>Walks</p>',
      date_precision: 'day',
      assets: [assets.find(({ name }) => name === 'b.jpg')?.id],
    }),
  ])
})

test('From a Takeout of all products only Google Photos goes into a new collection that nobody else sees', async ({
  ada,
  dropArchive,
  kyoto,
  openView,
  picture,
}) => {
  const page = await openView(ada, 'timeline')
  await dropArchive(page, 'takeout.tgz', {
    'Takeout/Google Fotos/Fotos von 2019/b.jpg': picture(0),
    'Takeout/Google Fotos/Fotos von 2019/b.jpg.supplemental-metadata.json': takeoutSidecar('b.jpg'),
    'Takeout/Contacts/All Contacts/Ann.jpg': picture(1),
    'Takeout/Chrome/Passwords.csv': 'url,username,password',
    'Takeout/Mail/All mail.mbox': 'From ann',
    'Takeout/archive_browser.html': '<html>',
  })
  const dialog = page.getByRole('dialog', { name: 'Import' })
  await dialog.getByText('Only you will see this').waitFor()
  await dialog.getByText('3 files of other products are left out').click()
  const leftOut = dialog.getByRole('list', { name: 'Left out' }).getByRole('listitem')
  expect(await leftOut.allTextContents()).toEqual(['Chrome1 file', 'Contacts1 file', 'Mail1 file'])
  expect(await axeViolations(page, ['wcag2a', 'wcag2aa'])).toEqual([])
  await dialog.getByRole('button', { name: 'Import' }).click()
  const made = await filled(kyoto.as('ada'), 'Google Photos', { posts: 0, assets: 1 })
  expect((await kyoto.as('ada').get(`/api/collections/${made}/members`)).body.members).toHaveLength(1)
  expect((await archiveOf(kyoto.as('ada'), made)).assets.map(({ name }) => name)).toEqual(['b.jpg'])
  expect(await filled(kyoto.as('ada'), 'Kyoto', { posts: 0, assets: 0 })).toBe(kyoto.collection.id)
})

const TARGETS = { Kyoto: 'Kyoto', 'New collection': 'Google Photos' }

/** `in`: where the photos are already. Bob reads Kyoto; Ada alone sees Own. */
test.for([
  { into: 'the collection that they are in', target: 'Kyoto', in: 'Kyoto', gains: true },
  { into: 'a new collection', target: 'New collection', in: 'Own', gains: true },
  { into: 'a new collection, but not where others see them,', target: 'New collection', in: 'Kyoto', gains: false },
] as const)(
  'A Takeout into $into fills in what untouched photos that are here already lack, and gives back nothing that was removed',
  async ({ target, in: place, gains }, { ada, dropArchive, kyoto, openView, picture }) => {
    const who = kyoto.as('ada')
    const collectionIds = [place === 'Own' ? (await who.post('/api/collections', { name: 'Own' })).body.collection.id : kyoto.collection.id]
    await upload(who, picture(0), { name: 'phone 0.jpg', collectionIds })
    const own = { alt: 'Mine', location: { lat: 1, lon: 2 }, date: '2001-02-03T00:00:00Z', dateZone: 'UTC', datePrecision: 'day' as const }
    await upload(who, picture(1), { name: 'phone 1.jpg', collectionIds, ...own })
    const { id, version } = await upload(who, picture(2), { name: 'phone 2.jpg', collectionIds, ...own })
    const withoutPlace = { name: 'phone 2.jpg', date: own.date, dateZone: 'UTC', datePrecision: 'day' }
    expect(await who.put(`/api/asset/${id}`, withoutPlace, { headers: { 'if-match': String(version) } })).toMatchObject({ status: 200 })
    const inYear = 'Takeout/Google Photos/Photos from 2019/'
    const known = { description: 'Our lake', geoData: { latitude: 47.5, longitude: 9.25 } }
    const page = await openView(ada, 'media')
    await dropArchive(page, 'takeout.zip', {
      [`${inYear}w.jpg`]: picture(0),
      [`${inYear}w.jpg.supplemental-metadata.json`]: takeoutSidecar('w.jpg', { ...known, people: [{ name: 'Ann' }] }),
      [`${inYear}v.jpg`]: picture(1),
      [`${inYear}v.jpg.json`]: takeoutSidecar('v.jpg', known),
      [`${inYear}u.jpg`]: picture(2),
      [`${inYear}u.jpg.json`]: takeoutSidecar('u.jpg', known),
    })
    const dialog = page.getByRole('dialog', { name: 'Import' })
    await dialog.getByLabel('Import into').selectOption(target)
    await dialog.getByRole('button', { name: 'Import' }).click()
    if (gains) await page.getByText('1 was completed with missing details', { exact: true }).waitFor()
    const made = await filled(who, TARGETS[target], { posts: 0, assets: 3 })
    // A photo is in the collection before its people are tagged.
    await expect.poll(async () => (await archiveOf(who, made)).assets.find(({ name }) => name === 'phone 0.jpg')?.people).toHaveLength(1)
    const { assets, people } = await archiveOf(who, made)
    const named = (name: string) => assets.find((asset) => asset.name === name)
    const ours = { alt: 'Our lake', date: expect.stringMatching(/^2019-06-08T11:20:00/), location: { lat: 47.5, lon: 9.25 } }
    // People belong to the collection that is imported into, so others do not see them elsewhere.
    const ann = people.find(({ name }) => name === 'Ann')?.id
    expect(named('phone 0.jpg')).toMatchObject({ ...(gains ? ours : { alt: null, date: null, location: null }), people: [ann] })
    expect(named('phone 1.jpg')).toMatchObject({
      ...{ alt: 'Mine', location: { lat: 1, lon: 2 }, date: expect.stringMatching(/^2001-02-03/), date_precision: 'day' },
    })
    expect(named('phone 2.jpg')).toMatchObject({ alt: null, location: null, date: expect.stringMatching(/^2001-02-03/), people: [] })
  },
)

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
