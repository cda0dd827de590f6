import { describe, expect, test } from 'vitest'
import { newId } from '../../../contract/ids.ts'
import { dayOneEntry, type Packed, takeoutSidecar, xmpOf, zipOf } from '../../../tests/support/archives.ts'
import { planImport } from './plan.ts'

const photo = (text = 'jpeg') => new TextEncoder().encode(text)
const options = { signal: new AbortController().signal, onProgress: () => undefined }

function planned(...archives: Packed[]) {
  const given = archives.map((files, i) => ({ path: `part-${i + 1}.zip`, file: new File([zipOf(files)], `part-${i + 1}.zip`) }))
  return planImport(given, options)
}

/** As a dropped folder. */
function folder(files: Record<string, string>) {
  return planImport(
    Object.entries(files).map(([path, text]) => ({ path, file: new File([text], path.split('/').at(-1) ?? path, { lastModified: 5 }) })),
    options,
  )
}

describe('an export of Cairn', () => {
  const [collection, asset, post, mum] = [newId(), newId(), newId(), newId()]
  const written = {
    author: 'Ada',
    added_by: 'Ada',
    created_at: '2026-05-02T00:00:00Z',
    updated_at: '2026-05-02T00:00:00Z',
    added_at: '2026-05-02T00:00:00Z',
  }
  const when = { date: '2026-05-01T22:30:00+00:00', date_zone: 'Asia/Tokyo', date_precision: 'day' }
  const archive = {
    format: 'cairn-collection',
    version: 1,
    exported_at: '2026-05-03T00:00:00Z',
    collection: { id: collection, name: 'Kyoto', icon: 'train', theme: null, created_at: '2026-05-01T00:00:00Z' },
    members: [{ name: 'Ada', role: 'owner' }],
    people: [{ id: mum, name: 'Mum' }],
    assets: [
      {
        ...{
          id: asset,
          file: 'originals/2026-05-02 a.jpg',
          name: 'a.jpg',
          type: 'image/jpeg',
          size: 4,
          checksum: 'c',
          width: 3,
          height: 2,
        },
        ...{
          duration: null,
          thumbhash: null,
          alt: 'Moss',
          location: { lat: 35, lon: 135, name: 'Kyoto' },
          people: [mum],
          ...when,
          ...written,
        },
      },
    ],
    posts: [
      {
        ...{
          id: post,
          type: 'event',
          kind: 'trip',
          title: 'Trip',
          body: '<p>Rain</p>',
          ends_at: '2026-05-04T22:30:00+00:00',
          location: null,
        },
        ...{ assets: [asset], people: [mum], ...when, ...written },
      },
    ],
  }

  test('comes with all its fields, people, pictures and its own looks', async () => {
    const plan = await planned({ 'collection.json': archive, 'originals/2026-05-02 a.jpg': photo() })
    expect(plan).toMatchObject({
      format: 'cairn',
      title: 'Kyoto',
      collection: { sourceId: collection, name: 'Kyoto', icon: 'train' },
      authors: ['Ada'],
      days: { from: '2026-05-02', to: '2026-05-02' },
      refused: [],
    })
    expect(plan.people).toEqual(new Map([[mum, 'Mum']]))
    expect(plan.assets[0]).toMatchObject({
      name: 'a.jpg',
      type: 'image/jpeg',
      people: [mum],
      given: { exactly: true, date: when.date, dateZone: 'Asia/Tokyo', datePrecision: 'day', alt: 'Moss', location: { name: 'Kyoto' } },
    })
    expect(plan.posts[0]).toMatchObject({
      sourceId: post,
      people: [mum],
      pictures: [plan.assets[0]],
      fields: {
        type: 'event',
        kind: 'trip',
        title: 'Trip',
        body: '<p>Rain</p>',
        date: when.date,
        dateZone: 'Asia/Tokyo',
        datePrecision: 'day',
        endsAt: '2026-05-04T22:30:00+00:00',
      },
    })
  })

  test('is found too in the folder that it was unpacked into, and says what is missing', async () => {
    const plan = await folder({ 'Kyoto/collection.json': JSON.stringify(archive), 'Kyoto/index.html': 'x' })
    expect(plan).toMatchObject({ format: 'cairn', assets: [], refused: [{ name: 'a.jpg', reason: 'Its file is not in the archive' }] })
    expect(plan.posts[0]?.pictures).toEqual([])
  })

  test('of a newer version, or damaged, is refused with the reason', async () => {
    await expect(planned({ 'collection.json': { ...archive, version: 2 } })).rejects.toThrow('newer version')
    await expect(planned({ 'collection.json': { ...archive, posts: [{ title: 5 }] } })).rejects.toThrow('damaged')
  })
})

describe('a folder', () => {
  test('gives its files, those of the same name with their folder', async () => {
    const plan = await folder({
      'Trip/Rome/IMG_1.jpg': 'a',
      'Trip/Pisa/IMG_1.jpg': 'b',
      'Trip/notes.pdf': 'c',
      'Trip/.DS_Store': 'd',
      'Trip/empty.jpg': '',
    })
    expect(plan.format).toBe('folder')
    expect(plan.title).toBe('Trip')
    expect(plan.assets.map(({ name }) => name)).toEqual(['Rome – IMG_1.jpg', 'Pisa – IMG_1.jpg', 'notes.pdf'])
    expect(plan.refused).toEqual([{ name: 'empty.jpg', reason: 'The file is empty' }])
  })

  test('is read in spite of one file that cannot be', async () => {
    const broken = Object.assign(new File(['{'], 'b.json'), { text: () => Promise.reject(new DOMException('Gone', 'NotReadableError')) })
    const given = [
      { path: 'Trip/b.json', file: broken },
      { path: 'Trip/a.jpg', file: new File(['jpeg'], 'a.jpg') },
    ]
    expect((await planImport(given, options)).assets.map(({ name }) => name)).toEqual(['b.json', 'a.jpg'])
  })

  test('without a file says so', async () => {
    await expect(planned({ '__MACOSX/x': 'y' })).rejects.toThrow('no file')
  })
})

describe('Immich', () => {
  const xmp = xmpOf(`<rdf:Description rdf:about='' xmlns:dc='http://purl.org/dc/elements/1.1/'>
  <dc:description><rdf:Alt><rdf:li xml:lang='x-default'>Moss &amp; rain</rdf:li></rdf:Alt></dc:description>
 </rdf:Description>
 <rdf:Description rdf:about='' xmlns:exif='http://ns.adobe.com/exif/1.0/'>
  <exif:DateTimeOriginal>2021-07-03T18:20:05.120+09:00</exif:DateTimeOriginal>
  <exif:GPSLatitude>35,0.702N</exif:GPSLatitude><exif:GPSLongitude>135,46.092E</exif:GPSLongitude>
 </rdf:Description>
 <rdf:Description rdf:about='' xmlns:mwg-rs='http://www.metadataworkinggroup.com/schemas/regions/'>
  <mwg-rs:Regions rdf:parseType='Resource'><mwg-rs:RegionList><rdf:Bag>
   <rdf:li rdf:parseType='Resource'><mwg-rs:Name>Mum</mwg-rs:Name><mwg-rs:Type>Face</mwg-rs:Type></rdf:li>
   <rdf:li rdf:parseType='Resource'><mwg-rs:Name>Rex</mwg-rs:Name><mwg-rs:Type>Pet</mwg-rs:Type></rdf:li>
  </rdf:Bag></mwg-rs:RegionList></mwg-rs:Regions>
 </rdf:Description>`)

  test('gives the originals of its library with what their sidecars say, and not the pictures that it has made', async () => {
    const plan = await planned({
      'immich/library/ada/2021/2021-07-03/IMG_1.jpg': photo(),
      'immich/library/ada/2021/2021-07-03/IMG_1.jpg.xmp': xmp,
      'immich/thumbs/ada/x.webp': photo(),
      'immich/encoded-video/ada/x.mp4': photo(),
    })
    expect(plan.format).toBe('immich')
    expect(plan.assets).toHaveLength(1)
    expect(plan.assets[0]).toMatchObject({
      name: 'IMG_1.jpg',
      people: ['Mum'],
      given: {
        date: '2021-07-03T18:20:05.120+09:00',
        dateZone: '+09:00',
        alt: 'Moss & rain',
        location: { lat: expect.closeTo(35.0117, 4), lon: expect.closeTo(135.7682, 4) },
      },
    })
    expect(plan.days).toEqual({ from: '2021-07-03', to: '2021-07-03' })
  })
})

describe('Google Takeout', () => {
  const inYear = 'Takeout/Google Photos/Photos from 2019/'

  test('finds the sidecar of each photo, whatever became of its name', async () => {
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
    expect(Object.fromEntries(plan.assets.map(({ name, given }) => [name, given?.alt]))).toEqual({
      'IMG_1.jpg': 'Caption 0',
      'IMG_2.jpg': 'Caption 1',
      'IMG_20190608_132000_BURST3.jpg': 'Caption 2',
      'IMG_4(1).jpg': 'Caption 3',
      'IMG_5(2).jpg': 'Caption 4',
      [long]: 'Caption 5',
    })
  })

  test('gives edited copies and films of live photos what is known of their original', async () => {
    const plan = await planned({
      [`${inYear}IMG_1.HEIC`]: photo(),
      [`${inYear}IMG_1.MP4`]: photo('film'),
      [`${inYear}IMG_1-edited.HEIC`]: photo('edited'),
      [`${inYear}IMG_1-bearbeitet.HEIC`]: photo('bearbeitet'),
      [`${inYear}IMG_1.HEIC.supplemental-metadata.json`]: takeoutSidecar('IMG_1.HEIC', { description: 'Moss' }),
    })
    expect(plan.assets.map(({ given }) => given?.alt)).toEqual(['Moss', 'Moss', 'Moss', 'Moss'])
  })

  test('brings date, place, people and caption, and leaves out the trash', async () => {
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
      given: { exactly: false, date: '2019-06-08T11:20:00.000Z', alt: 'Moss', location: { lat: 35.01, lon: 135.77 } },
    })
    expect(plan.assets.find(({ name }) => name === 'alone.jpg')?.given).toBeUndefined()
    expect(plan.people).toEqual(new Map([['Mum', 'Mum']]))
    expect(plan.refused).toEqual([{ name: 'b.jpg', reason: 'It is in the trash of Google Photos' }])
  })

  test('in several ZIPs and another language is one; albums become notes with their pictures in order', async () => {
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
})

describe('Day One', () => {
  const media = [
    {
      identifier: 'AAA',
      md5: 'aaa111',
      type: 'jpeg',
      orderInEntry: 0,
      date: '2023-08-14T07:00:00Z',
      location: { latitude: 35.01, longitude: 135.77 },
    },
    { identifier: 'BBB', md5: 'bbb222', type: 'jpeg', orderInEntry: 1, filename: 'IMG_9.HEIC' },
  ]

  test('entries become notes with title, text, place, zone and pictures in the order of the text', async () => {
    const text =
      '# Fushimi Inari\n\nUp at **five**\\. *Foxes*:\n- stone\n- moss\n\n![](dayone-moment://BBB)\n\nLine one\nline two [link](https://example.org)\n![](dayone-moment://AAA)'
    const location = { latitude: 34.9671, longitude: 135.7727, placeName: 'Fushimi Inari', localityName: 'Kyoto', country: 'Japan' }
    const plan = await planned({
      'Journal.json': {
        metadata: { version: '1.0' },
        entries: [dayOneEntry(text, { location, photos: media, tags: ['trip', 'japan 2023'] })],
      },
      'photos/aaa111.jpeg': photo('a'),
      'photos/bbb222.jpeg': photo('b'),
    })
    expect(plan).toMatchObject({ format: 'day-one', title: 'Journal', refused: [], days: { from: '2023-08-14', to: '2023-08-15' } })
    expect(plan.posts[0]?.fields).toMatchObject({
      type: 'note',
      kind: 'journal',
      title: 'Fushimi Inari',
      date: '2023-08-14T16:05:00Z',
      dateZone: 'Asia/Tokyo',
      datePrecision: 'minute',
      location: { lat: 34.9671, lon: 135.7727, name: 'Fushimi Inari, Kyoto' },
    })
    const body = plan.posts[0]?.fields.body ?? ''
    expect(body).toContain('<strong>five</strong>. <em>Foxes</em>')
    expect(body.replace(/\s+/g, '')).toContain('<ul><li>stone</li><li>moss</li></ul>')
    expect(body).toContain('Line one<br>line two <a href="https://example.org">link</a>')
    expect(body).toContain('<p>#trip #japan-2023</p>')
    expect(body).not.toMatch(/dayone|<img|Fushimi/)
    expect(plan.posts[0]?.pictures.map(({ name }) => name)).toEqual(['IMG_9.HEIC', 'aaa111.jpeg'])
    expect(plan.assets[1]?.given).toMatchObject({ date: '2023-08-14T07:00:00Z', location: { lat: 35.01 } })
  })

  test('titles are the first line where it is short, and the day where there is none', async () => {
    const entries = [
      dayOneEntry('Short line\nand more', { uuid: 'A' }),
      dayOneEntry('', { uuid: 'B', isAllDay: true }),
      dayOneEntry(`${'word '.repeat(40)}\nmore`, { uuid: 'C' }),
      { uuid: 'D' },
    ]
    const plan = await planned({ 'Tagebuch.json': { metadata: { version: '1.0' }, entries } })
    expect(plan.posts.map(({ fields }) => [fields.title, fields.body?.slice(0, 16), fields.datePrecision])).toEqual([
      ['Short line', '<p>and more</p>', 'minute'],
      ['15 August 2023', '', 'day'],
      ['15 August 2023', '<p>word word wor', 'minute'],
    ])
    expect(plan.refused).toEqual([{ name: 'Entry 4', reason: 'It has no date, or is damaged' }])
  })

  test('what is missing in the export is named, and hostile Markdown stays text', async () => {
    const plan = await planned({
      'Journal.json': {
        metadata: { version: '1.0' },
        entries: [dayOneEntry('Hi\n\n<script>alert(1)</script>\n\n[x](javascript:alert(1))', { photos: media })],
      },
    })
    expect(plan.refused.map(({ reason }) => reason)).toEqual(['Its file is not in the export', 'Its file is not in the export'])
    expect(plan.posts[0]?.pictures).toEqual([])
  })
})
