import { describe, expect, test } from 'vitest'
import { takeoutSidecar, xmpOf, zipOf } from '../../../tests/support/archives.ts'
import { folder, options, photo, planned } from '../../../tests/support/plan-import.ts'
import { planImport } from './plan.ts'
import type { ImportPlan } from './types.ts'

const bytesOf = (files: Record<string, string>) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [path, new TextEncoder().encode(text)]))

describe('Import of Google Takeout', () => {
  const inYear = 'Takeout/Google Photos/Photos from 2019/'

  test('The sidecar of each photo is found, even if its name was cut', async () => {
    const long = 'Screenshot_20190608-132000_a_name_that_goes_on_and_on.jpg'
    const names: [photo: string, sidecar: string][] = [
      ['IMG_1.jpg', 'IMG_1.jpg.json'],
      ['IMG_2.jpg', 'IMG_2.jpg.supplemental-metadata.json'],
      ['IMG_20190608_132000_BURST3.jpg', 'IMG_20190608_132000_BURST3.jpg.supplemental-me.json'],
      ['IMG_4(1).jpg', 'IMG_4.jpg.supplemental-metadata(1).json'],
      ['IMG_5(2).jpg', 'IMG_5.jpg(2).json'],
      [`${long.slice(0, 47)}.jpg`, `${long.slice(0, 46)}.json`],
    ]
    const files = names.flatMap(([name, sidecar], i): [string, Uint8Array | object][] => [
      [inYear + name, photo(name)],
      [inYear + sidecar, takeoutSidecar(name === names[5]?.[0] ? long : name, { description: `Caption ${i}` })],
    ])
    const plan = await planned(Object.fromEntries(files))
    expect(plan.format).toBe('takeout')
    expect(Object.fromEntries(plan.assets.map(({ name, overrides }) => [name, overrides?.alt]))).toEqual({
      'IMG_1.jpg': 'Caption 0',
      'IMG_2.jpg': 'Caption 1',
      'IMG_20190608_132000_BURST3.jpg': 'Caption 2',
      'IMG_4(1).jpg': 'Caption 3',
      'IMG_5(2).jpg': 'Caption 4',
      [long]: 'Caption 5',
    })
  })

  test('Edited copies and videos of live photos get the metadata of their original', async () => {
    const plan = await planned({
      [`${inYear}IMG_1.HEIC`]: photo(),
      [`${inYear}IMG_1.MP4`]: photo('film'),
      [`${inYear}IMG_1-edited.HEIC`]: photo('edited'),
      [`${inYear}IMG_1-bearbeitet.HEIC`]: photo('bearbeitet'),
      [`${inYear}IMG_1.HEIC.supplemental-metadata.json`]: takeoutSidecar('IMG_1.HEIC', { description: 'Moss' }),
    })
    expect(plan.assets.map(({ overrides }) => overrides?.alt)).toEqual(['Moss', 'Moss', 'Moss', 'Moss'])
  })

  test('From a full Takeout only Google Photos is imported, in any language, and the rest is named', async () => {
    const plan = await planned({
      'Takeout/Google フォト/2019 年の写真/b.jpg': photo(),
      'Takeout/Google フォト/2019 年の写真/b.jpg.json': takeoutSidecar('b.jpg'),
      'Takeout/Google フォト/京都/c.jpg': photo('c'),
      'Takeout/Mail/All mail.mbox': 'From ann',
      'Takeout/Contacts/All Contacts/Ann.jpg': photo('Ann'),
      'Takeout/Contacts/All Contacts/All Contacts.vcf': 'BEGIN:VCARD',
      'Takeout/Keep/note.json': { title: 'Note', textContent: 'secret', color: 'DEFAULT' },
      'Takeout/archive_browser.html': '<html>',
    })
    expect(plan.assets.map(({ name }) => name)).toEqual(['b.jpg', 'c.jpg'])
    expect(plan.leftOut).toEqual([
      { name: 'Contacts', files: 2 },
      { name: 'Keep', files: 1 },
      { name: 'Mail', files: 1 },
    ])
  })

  test('A part without any sidecar gives its photos, and one without photos nothing', async () => {
    const mail = { 'Takeout/Mail/All mail.mbox': 'From ann', 'Takeout/Contacts/Ann.jpg': photo('Ann') }
    expect(await planned(mail)).toMatchObject({ format: 'takeout', assets: [], leftOut: [{ name: 'Contacts' }, { name: 'Mail' }] })
    const plan = await planned({ ...mail, 'Takeout/Zdjęcia Google/Zdjęcia z 2019/b.jpg': photo() })
    expect(plan.assets.map(({ name }) => name)).toEqual(['b.jpg'])
  })

  test('Parts that were unpacked into folders of their own are one export', async () => {
    const sidecar = JSON.stringify(takeoutSidecar('a.jpg', { description: 'Moss' }))
    const plan = await folder({
      'Down/part 1/Takeout/Google Fotos/Fotos von 2019/a.jpg': 'jpeg',
      'Down/part 2/Takeout/Google Fotos/Fotos von 2019/a.jpg.json': sidecar,
      'Down/part 2/Takeout 2/Drive/tax.pdf': 'pdf',
    })
    expect(plan.assets.map(({ name, overrides }) => [name, overrides?.alt])).toEqual([['a.jpg', 'Moss']])
    expect(plan.leftOut).toEqual([{ name: 'Drive', files: 1 }])
  })

  test('A copy of photos in another product, with their sidecars, does not open that product', async () => {
    const plan = await planned({
      'Takeout/Google Fotos/Fotos von 2019/a.jpg': photo('a'),
      'Takeout/Google Fotos/Fotos von 2019/a.jpg.json': takeoutSidecar('a.jpg'),
      'Takeout/Drive/Fotos von 2018/c.jpg': photo('c'),
      'Takeout/Drive/Fotos von 2018/c.jpg.json': takeoutSidecar('c.jpg'),
      'Takeout/Drive/Fotos von 2018/d.jpg.json': takeoutSidecar('d.jpg'),
      'Takeout/Drive/old/Takeout/Google Fotos/Fotos von 2017/d.jpg.json': takeoutSidecar('d.jpg'),
      'Takeout/Drive/tax.pdf': photo('tax'),
    })
    expect(plan.assets.map(({ name }) => name)).toEqual(['a.jpg'])
    expect(plan.leftOut).toEqual([{ name: 'Drive', files: 5 }])
  })

  test.each([
    [
      'a folder of food',
      { 'Pictures/Takeout/Sushi/1.jpg': 'a', 'Pictures/Holiday/2.jpg': 'b', 'Pictures/3.jpg': 'c' },
      ['1.jpg', '2.jpg', '3.jpg'],
    ],
    [
      'folders in one of that name',
      { 'Takeout/Sushi/1.jpg': 'a', 'Takeout/Pizza/Rome/2.jpg': 'b', 'Takeout/menu.pdf': 'c' },
      ['1.jpg', '2.jpg', 'menu.pdf'],
    ],
  ])('%s is no export, and every file of it is imported', async (_, files, names) => {
    for (const plan of [await folder(files), await planned(bytesOf(files))]) {
      expect(plan).toMatchObject({ format: 'folder', leftOut: [], refused: [] })
      expect(plan.assets.map(({ name }) => name).toSorted()).toEqual(names)
    }
  })

  test('What lies outside an export is imported as from any folder, and only what lies in it is left out', async () => {
    const sidecar = JSON.stringify(takeoutSidecar('a.jpg', { description: 'Moss' }))
    const xmp = xmpOf(`<rdf:Description xmlns:dc='http://purl.org/dc/elements/1.1/' dc:description='Tea'/>`)
    const beside = {
      'Backup/Family/b.jpg': 'b',
      'Backup/Family/b.xmp': xmp,
      'Backup/Family/list.json': '{"a":1}',
      'Backup/page.html': '<p>',
    }
    const inBackup = { 'Google Photos/2019/a.jpg': 'jpeg', 'Google Photos/2019/a.jpg.json': sidecar, 'Drive/tax.pdf': 'pdf' }
    const under = (root: string) => Object.fromEntries(Object.entries(inBackup).map(([path, text]) => [root + path, text]))
    const said = [
      ['a.jpg', 'Moss'],
      ['b.jpg', 'Tea'],
      ['list.json', undefined],
      ['page.html', undefined],
    ]
    const shown = (plan: ImportPlan) => plan.assets.map(({ name, overrides }) => [name, overrides?.alt]).toSorted()
    const whole = await folder({ ...under('Backup/Takeout/'), ...beside })
    expect(shown(whole)).toEqual(said)
    expect(whole.leftOut).toEqual([{ name: 'Drive', files: 1 }])
    const renamed = await folder({ ...under('Backup/'), ...beside })
    expect(shown(renamed)).toEqual([...said, ['tax.pdf', undefined]])
    expect(renamed.leftOut).toEqual([])
  })

  test('Photos in folders of years directly in `Takeout` are all imported, with their sidecars', async () => {
    const of = (year: number) => ({
      [`Takeout/${year}/a${year}.jpg`]: photo(String(year)),
      [`Takeout/${year}/a${year}.jpg.json`]: takeoutSidecar(`a${year}.jpg`, { description: `In ${year}` }),
    })
    const { assets, leftOut } = await planned({ ...of(2018), ...of(2019) })
    expect(assets.map(({ overrides }) => overrides?.alt)).toEqual(['In 2018', 'In 2019'])
    expect(leftOut).toEqual([])
  })

  test('A part without sidecars may hold the lists that Google keeps of the account', async () => {
    const { assets, leftOut } = await planned({
      'Takeout/Google Photos/Photos from 2019/a.jpg': photo(),
      'Takeout/Google Photos/print-subscriptions.json': { prints: [] },
      'Takeout/Google Play Store/Devices.json': [],
    })
    expect(assets.map(({ name }) => name)).toEqual(['a.jpg'])
    expect(leftOut).toEqual([{ name: 'Google Play Store', files: 1 }])
  })

  test('An archive in another product is no more than left out, and one in Google Photos is named', async () => {
    const nested = await planned({
      [`${inYear}a.jpg`]: photo(),
      [`${inYear}a.jpg.json`]: takeoutSidecar('a.jpg'),
      [`${inYear}more.zip`]: photo('zip'),
      'Takeout/Drive/backup.zip': photo('zip'),
    })
    expect(nested.leftOut).toEqual([{ name: 'Drive', files: 1 }])
    expect(nested.refused).toEqual([{ name: 'more.zip', reason: expect.stringContaining('Unpack it') }])
  })

  test('Photos without a sidecar are told, as a part of the export may be missing', async () => {
    const sidecar = { [`${inYear}a.jpg.json`]: takeoutSidecar('a.jpg') }
    const files = { [`${inYear}a.jpg`]: photo('a'), [`${inYear}b.jpg`]: photo('b') }
    expect((await planned({ ...files, ...sidecar })).note).toMatch(/^1 photo or video comes without .*all files of the Takeout/)
    expect((await planned({ [`${inYear}a.jpg`]: photo('a'), ...sidecar })).note).toBeNull()
  })

  test('Photos of the same path in the exports of two accounts keep their own data', async () => {
    const of = (caption: string) => ({
      [`${inYear}a.jpg`]: photo(caption),
      [`${inYear}a.jpg.json`]: takeoutSidecar('a.jpg', { description: caption }),
      'Takeout/Google Photos/Family/a.jpg': photo(caption),
      'Takeout/Google Photos/Family/metadata.json': { title: 'Family', description: caption },
    })
    const given = (['Ann', 'Ben'] as const).map((who, i) => {
      const name = `takeout-2024010${i + 1}T120000Z-001.zip`
      return { path: name, file: new File([zipOf(of(who))], name) }
    })
    const { assets, posts } = await planImport(given, options)
    expect(assets).toHaveLength(2)
    for (const { file, overrides } of assets) expect(overrides?.alt).toBe(await (await file.open()).text())
    expect(posts.map(({ fields, pictures }) => [fields.body, pictures[0]?.overrides?.alt])).toEqual([
      ['<p>Ann</p>', 'Ann'],
      ['<p>Ben</p>', 'Ben'],
    ])
    expect(new Set(posts.map(({ key }) => key)).size).toBe(2)
  })

  test('A sidecar with odd or null fields keeps every field that is right', async () => {
    const sidecars: Record<string, object> = {
      'a.jpg': {
        photoTakenTime: null,
        geoData: { latitude: 47.5, longitude: 9.25 },
        people: null,
        description: 'Tom &amp; &quot;Jerry&quot; &lt;3',
      },
      'b.jpg': {
        photoTakenTime: { timestamp: null },
        geoData: null,
        people: [null, {}, { name: 'Ann' }, { name: 'Ann' }],
        description: null,
      },
      'c.jpg': { title: null, geoData: { latitude: 'NaN', longitude: 500 }, geoDataExif: { latitude: '40', longitude: '-3.5' } },
      'd.jpg': { photoTakenTime: { timestamp: -86400 }, trashed: null, description: 7 },
      'e.jpg': { photoTakenTime: { timestamp: '0' }, people: 'Ann' },
    }
    const files = Object.entries(sidecars).flatMap(([name, more]) => [
      [`${inYear}${name}`, photo(name)] as const,
      [`${inYear}${name}.json`, takeoutSidecar(name, more)] as const,
    ])
    const { assets } = await planned(Object.fromEntries(files))
    const date = '2019-06-08T11:20:00.000Z'
    expect(assets.map(({ overrides, people }) => ({ ...overrides, people }))).toMatchObject([
      { date: null, location: { lat: 47.5, lon: 9.25 }, alt: 'Tom & "Jerry" <3', people: [] },
      { date: null, location: null, alt: null, people: ['Ann'] },
      { date, location: { lat: 40, lon: -3.5 } },
      { date: '1969-12-31T00:00:00.000Z', alt: null },
      { date: null, people: [] },
    ])
  })

  test('A file of a folder of hidden photos is left out with them, and so is a photo of the Locked Folder', async () => {
    const bin = 'Takeout/Google Photos/Papierkorb/'
    const { assets, refused } = await planned({
      [`${bin}a.jpg`]: photo('a'),
      [`${bin}a.jpg.json`]: takeoutSidecar('a.jpg', { trashed: true }),
      [`${bin}film.mp4`]: photo('film'),
      [`${inYear}c.jpg`]: photo('c'),
      [`${inYear}c.jpg.json`]: takeoutSidecar('c.jpg', { inLockedFolder: true }),
    })
    expect(assets).toEqual([])
    expect(refused.map(({ name }) => name)).toEqual(['a.jpg', 'film.mp4', 'c.jpg'])
  })

  test('Equal photos of a year and an album become one, with what both know, in whatever order', async () => {
    const sidecar = takeoutSidecar('x.jpg', { geoData: { latitude: 52.37, longitude: 4.9 }, people: [{ name: 'Ann' }] })
    const caption = takeoutSidecar('x.jpg', { photoTakenTime: null, description: 'Canal', people: [{ name: 'Ben' }] })
    const known = {
      people: ['Ann', 'Ben'],
      overrides: { date: '2019-06-08T11:20:00.000Z', alt: 'Canal', location: { lat: 52.37, lon: 4.9 } },
    }
    for (const [a, b] of [[sidecar, caption] as const, [caption, sidecar] as const]) {
      const files = {
        'Takeout/Google Photos/Amsterdam/x.jpg': photo('x'),
        'Takeout/Google Photos/Amsterdam/metadata.json': { title: 'Amsterdam' },
        'Takeout/Google Photos/No sidecar/x(1).jpg': photo('x'),
        'Takeout/Google Photos/Amsterdam/x.jpg.json': a,
        [`${inYear}x.jpg`]: photo('x'),
        [`${inYear}x.jpg.json`]: b,
        [`${inYear}y.jpg`]: photo('y'),
      }
      const texts = Object.entries(files).map(([path, file]): [string, string] => [
        path,
        file instanceof Uint8Array ? new TextDecoder().decode(file) : JSON.stringify(file),
      ])
      for (const plan of [await planned(files), await folder(Object.fromEntries(texts))]) {
        expect(plan.assets.map(({ name }) => name)).toEqual(['x.jpg', 'y.jpg'])
        const x = plan.assets[0]
        expect({ ...x, people: x?.people.toSorted() }).toMatchObject(known)
        expect(plan.posts.map(({ pictures }) => pictures)).toEqual([[x]])
      }
    }
  })

  test('Date, place, people and caption are imported, and trashed photos are left out', async () => {
    const plan = await planned({
      [`${inYear}a.jpg`]: photo(),
      [`${inYear}a.jpg.json`]: takeoutSidecar('a.jpg', {
        description: 'Moss',
        geoData: { latitude: 35.01, longitude: 135.77 },
        people: [{ name: 'Mum' }],
      }),
      [`${inYear}b.jpg`]: photo('b'),
      [`${inYear}b.jpg.json`]: takeoutSidecar('b.jpg', { trashed: true }),
      [`${inYear}alone.jpg`]: photo('alone'),
    })
    expect(plan.assets.find(({ name }) => name === 'a.jpg')).toMatchObject({
      people: ['Mum'],
      overrides: { exactly: false, date: '2019-06-08T11:20:00.000Z', alt: 'Moss', location: { lat: 35.01, lon: 135.77 } },
    })
    expect(plan.assets.find(({ name }) => name === 'alone.jpg')?.overrides).toBeUndefined()
    expect(plan.people).toEqual(new Map([['Mum', 'Mum']]))
    expect(plan.refused).toEqual([{ name: 'b.jpg', reason: 'It is in the trash of Google Photos' }])
  })

  test('Several ZIPs in another language are read as one export, and albums become notes with their photos in order', async () => {
    const album = 'Takeout/Google Fotos/Rom & mehr/'
    const plan = await planned(
      { [`${album}b.jpg`]: photo('b'), [`${album}Metadaten.json`]: { title: 'Rom & mehr', description: 'Im Mai' } },
      {
        [`${album}a.jpg`]: photo('a'),
        [`${album}a.jpg.json`]: takeoutSidecar('a.jpg', { photoTakenTime: { timestamp: '1559000000' } }),
        [`${album}b.jpg.json`]: takeoutSidecar('b.jpg'),
        'Takeout/Google Fotos/Fotos von 2019/c.jpg': photo('c'),
      },
    )
    expect(plan.assets).toHaveLength(3)
    expect(plan.posts).toHaveLength(1)
    expect(plan.posts[0]).toMatchObject({ fields: { type: 'note', title: 'Rom & mehr', body: '<p>Im Mai</p>', datePrecision: 'day' } })
    expect(plan.posts[0]?.pictures.map(({ name }) => name)).toEqual(['a.jpg', 'b.jpg'])
  })

  test('An album whose photos are not in the chosen files keeps its title and texts, and is the same post once they are', async () => {
    const files = {
      [`${inYear}a.jpg`]: photo('a'),
      [`${inYear}a.jpg.json`]: takeoutSidecar('a.jpg'),
      'Takeout/Google Photos/Rome/metadata.json': { title: 'Rome', description: 'In May' },
      'Takeout/Google Photos/Without texts/metadata.json': { title: 'Without texts' },
      'Takeout/Drive/Plans/list.json': { title: 'Plans', description: 'Not of Google Photos' },
    }
    const { posts } = await planned(files)
    expect(posts.map(({ fields, pictures }) => [fields.title, fields.body, fields.datePrecision, pictures])).toEqual([
      ['Rome', '<p>In May</p>', 'unknown', []],
    ])
    const whole = await planned({ ...files, 'Takeout/Google Photos/Rome/b.jpg': photo('b') })
    expect(whole.posts.map(({ pictures }) => pictures.map(({ name }) => name))).toEqual([['b.jpg']])
    expect(whole.posts[0]?.key).toBe(posts[0]?.key)
  })

  test('A JSON with a title in a folder beside a Takeout is no album', async () => {
    const { posts } = await folder({
      'Backup/Takeout of Ann/Google Photos/2019/a.jpg': 'jpeg',
      'Backup/Takeout of Ann/Google Photos/2019/a.jpg.json': JSON.stringify(takeoutSidecar('a.jpg')),
      'Backup/Recipes/dashi.json': '{"title":"Dashi","description":"Kombu"}',
    })
    expect(posts).toEqual([])
  })

  test('Albums end in a year, have slashes in their title or the same title as another; an album without a title is none', async () => {
    const albums: Record<string, object> = {
      'Amsterdam 2019': { title: 'Amsterdam 2019' },
      'Amsterdam 2022': { title: 'Amsterdam 2022', access: 'protected', date: { timestamp: '0' }, geoData: { latitude: 0, longitude: 0 } },
      'Lake - North': { title: 'Lake / North', enrichments: [{ narrativeEnrichment: { text: 'What we saw' } }, {}, null] },
      Family: { title: 'Family' },
      'Family(1)': { title: 'Family', description: 'The others' },
      'Untitled(3)': { title: '' },
      'Tom & Jerry': { title: 'Tom &amp; Jerry' },
    }
    const files = Object.entries(albums).flatMap(([name, json]) => [
      [`Takeout/Google Photos/${name}/a.jpg`, photo(name)] as const,
      [`Takeout/Google Photos/${name}/a.jpg.json`, takeoutSidecar('a.jpg')] as const,
      [`Takeout/Google Photos/${name}/métadonnées.json`, json] as const,
      [`${inYear}${name}.jpg`, photo(name)] as const,
    ])
    const { posts, assets } = await planned(Object.fromEntries(files))
    expect(posts.map(({ fields }) => [fields.title, fields.body])).toEqual([
      ['Amsterdam 2019', ''],
      ['Amsterdam 2022', ''],
      ['Family', '<p>The others</p>'],
      ['Family', ''],
      ['Lake / North', '<p>What we saw</p>'],
      ['Tom & Jerry', ''],
    ])
    expect(new Set(posts.map(({ key }) => key)).size).toBe(6)
    expect(assets).toHaveLength(7)
  })

  test('In old exports, where every folder has a title, folders of years and days are no albums', async () => {
    const of = (name: string, more: object = {}) => ({
      [`Takeout/Google Fotos/${name}/a.jpg`]: photo(name),
      [`Takeout/Google Fotos/${name}/a.jpg.json`]: takeoutSidecar('a.jpg'),
      [`Takeout/Google Fotos/${name}/Metadaten.json`]: { albumData: { title: name, description: '', ...more } },
    })
    const { posts } = await planned({
      ...of('2017-03-04'),
      ...of('2017-03-04 #2'),
      ...of('Fotos von 2018'),
      ...of('Fotos von 2019'),
      ...of('Rom 2019'),
      ...of('Pisa', { description: 'Im Mai' }),
    })
    expect(posts.map(({ fields }) => [fields.title, fields.body])).toEqual([
      ['Pisa', '<p>Im Mai</p>'],
      ['Rom 2019', ''],
    ])
  })
})
