import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'vitest'
import { takeoutSidecar, zipOf } from '../support/archives.ts'
import { upload } from '../support/files.ts'
import { archiveOf, filled, found, test } from '../support/import-scene.ts'
import { axeViolations } from '../support/people.ts'
import { shot } from '../support/shots.ts'

const UNDATED_FILM = path.resolve(import.meta.dirname, '../fixtures/films/unset.mp4')

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

test('Names, odd fields and corrected times of an Italian Takeout are understood, for another member too', async ({
  ada,
  dropArchive,
  kyoto,
  openView,
  picture,
}) => {
  const inYear = 'Takeout/Google Foto/Foto del 2019/'
  const long = 'una foto con un nome molto lungo che qualcuno ha dato al lago d’inverno'
  /** So many minutes after 12:00 in Vienna. */
  const sidecar = (title: string, minute: number, more: object = {}) =>
    takeoutSidecar(title, { photoTakenTime: { timestamp: String(1_559_383_200 + 60 * minute) }, ...more })
  const nth = (i: number) => new Uint8Array([...picture(i), i])
  const place = { latitude: -33.5, longitude: -70.25, altitude: 0 }
  const files = {
    'IMG_5(2).jpg': nth(1),
    'IMG_5.jpg.supplemental-metadata(2).json': sidecar('IMG_5.jpg', 1),
    'foto (3).jpg': nth(2),
    'foto (3).jpg.supplemental-metadata.json': sidecar('foto (3).jpg', 2),
    'IMG_8.jpg': nth(3),
    'IMG_8-modificato.jpg': nth(4),
    'IMG_8.jpg.suppl.json': sidecar('IMG_8.jpg', 3),
    [`${long.slice(0, 47)}.jpg`]: nth(5),
    [`${long.slice(0, 46)}.json`]: sidecar(`${long}.jpg`, 5),
    'IMG_9.JPG': nth(6),
    'IMG_9.MP4': new Uint8Array(await readFile(UNDATED_FILM)),
    'IMG_9.JPG.supplemental-metadata.json': sidecar('IMG_9.JPG', 6),
    'with-offset.jpg': shot(picture(0), { date: '2019:06:01 11:07:00' }),
    'with-offset.jpg.json': sidecar('with-offset.jpg', 7),
    'corrected.jpg': shot(picture(1), { date: '2019:05:30 08:00:00' }),
    'corrected.jpg.json': sidecar('corrected.jpg', 8),
    'odd.jpg': nth(9),
    'odd.jpg.json': sidecar('odd.jpg', 9, {
      ...{ description: null, geoData: null, geoDataExif: place, people: [null, { name: null }, { name: 'Ann' }], imageViews: 3 },
    }),
    'old.zip': zipOf({ 'a.jpg': nth(10) }),
  }
  const page = await openView(ada, 'media')
  await dropArchive(page, 'takeout-20260101.zip', {
    ...Object.fromEntries(Object.entries(files).map(([name, bytes]) => [inYear + name, bytes])),
    'Takeout/Google Foto/Roma 2019/foto (3).jpg': nth(2),
    'Takeout/Google Foto/Roma 2019/metadati.json': { title: 'Roma 2019', description: null, date: { timestamp: '1559383200' } },
    'Takeout/Google Foto/Cestino/gone.jpg': nth(11),
    'Takeout/Google Foto/Cestino/gone.jpg.json': sidecar('gone.jpg', 11, { trashed: true }),
  })
  const dialog = page.getByRole('dialog', { name: 'Import' })
  await dialog.getByText('Google Takeout').waitFor()
  expect(await found(dialog)).toEqual([expect.stringMatching(/^10 photos and files, /), '1 post, from an album', '1 person', '1 June 2019'])
  await dialog.getByText('2 cannot be imported').click()
  await dialog.getByText('old.zip').waitFor()
  await dialog.getByLabel('Import into').selectOption('Kyoto')
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  const archive = () => archiveOf(kyoto.as('bob'), kyoto.collection.id)
  const read = async () => (await archive()).assets
  const size = async () => [(await archive()).posts.length, (await read()).length]
  // Not by the counts of the collection: the photo and the video of one name and time become one item.
  await expect.poll(size, { timeout: 60_000 }).toEqual([1, 10])
  await expect.poll(async () => (await read()).find(({ name }) => name === 'odd.jpg')?.people).toHaveLength(1)
  const minutes = (await read()).map(({ name, date }) => [name, (Date.parse(date ?? '') - 1_559_383_200_000) / 60_000])
  expect(Object.fromEntries(minutes)).toEqual({
    ...{ 'IMG_5(2).jpg': 1, 'foto (3).jpg': 2, 'IMG_8.jpg': 3, 'IMG_8-modificato.jpg': 3, [`${long}.jpg`]: 5 },
    ...{ 'IMG_9.JPG': 6, 'IMG_9.MP4': 6, 'with-offset.jpg': 7, 'corrected.jpg': 8, 'odd.jpg': 9 },
  })
  expect((await read()).find(({ name }) => name === 'with-offset.jpg')).toMatchObject({ date_zone: '+01:00' })
  expect((await read()).find(({ name }) => name === 'odd.jpg')).toMatchObject({ alt: null, location: { lat: -33.5, lon: -70.25 } })
  const { assets, posts } = await archive()
  const inAlbum = assets.find(({ name }) => name === 'foto (3).jpg')?.id
  expect(posts).toEqual([expect.objectContaining({ title: 'Roma 2019', body: '', assets: [inAlbum] })])
})
