import { expect } from 'vitest'
import { takeoutSidecar } from '../support/archives.ts'
import { upload } from '../support/files.ts'
import { archiveOf, filled, found, test } from '../support/import-scene.ts'
import { axeViolations } from '../support/people.ts'

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
