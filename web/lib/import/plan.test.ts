import { describe, expect, test } from 'vitest'
import { newId } from '../../../contract/ids.ts'
import { dayOneEntry, type Packed, takeoutSidecar, xmpOf } from '../../../tests/support/archives.ts'
import { folder, options, photo, planned } from '../../../tests/support/plan-import.ts'
import { planImport } from './plan.ts'

describe('Import of a folder', () => {
  test('All files are imported, with the folder in the name where names are the same', async () => {
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

  test('One unreadable file does not stop the import', async () => {
    const broken = Object.assign(new File(['{'], 'b.json'), { text: () => Promise.reject(new DOMException('Gone', 'NotReadableError')) })
    const input = [
      { path: 'Trip/b.json', file: broken },
      { path: 'Trip/a.jpg', file: new File(['jpeg'], 'a.jpg') },
    ]
    expect((await planImport(input, options)).assets.map(({ name }) => name)).toEqual(['b.json', 'a.jpg'])
  })

  test('A photo gets the sidecar of its own archive and spelling, not of another with the same path', async () => {
    const says = (words: string) =>
      xmpOf(`<rdf:Description rdf:about='' xmlns:dc='http://purl.org/dc/elements/1.1/'>
        <dc:title><rdf:Alt><rdf:li xml:lang='x-default'>${words}</rdf:li></rdf:Alt></dc:title></rdf:Description>`)
    const plan = await planned(
      { 'IMG_1.jpg': photo('a'), 'IMG_1.xmp': says('Moss'), 'IMG_2.JPG': photo('b'), 'img_2.xmp': says('Rain') },
      { 'IMG_1.jpg': photo('c'), 'IMG_1.xmp': says('Snow'), 'IMG_2.JPG': photo('d') },
      { 'IMG_1.jpg': photo('e'), 'Img_1.jpg': photo('f'), 'IMG_1.xmp': says('Ice'), 'Img_1.xmp': says('Fog') },
    )
    expect(plan.assets.map(({ overrides }) => overrides?.alt)).toEqual(['Moss', 'Rain', 'Snow', undefined, 'Ice', 'Fog'])
  })

  test('An empty folder is refused with the reason', async () => {
    await expect(planned({ '__MACOSX/x': 'y' })).rejects.toThrow('no file')
  })
})

describe('Import of an export of Apple Photos', () => {
  // As Photos for Mac 10 writes it beside each original.
  const xmp = (fields: string) =>
    xmpOf(`<rdf:Description rdf:about='' xmlns:exif='http://ns.adobe.com/exif/1.0/' xmlns:photoshop='http://ns.adobe.com/photoshop/1.0/'
      xmlns:dc='http://purl.org/dc/elements/1.1/'>${fields}</rdf:Description>`)

  test('A photo and the film of its live photo get date, place and words of the one sidecar', async () => {
    const plan = await planned({
      'Export/IMG_1.HEIC': photo('a'),
      'Export/IMG_1.mov': photo('b'),
      'Export/IMG_1.xmp': xmp(`<exif:GPSLongitudeRef>W</exif:GPSLongitudeRef><exif:GPSLongitude>68.25</exif:GPSLongitude>
        <exif:GPSLatitude>60.5</exif:GPSLatitude><exif:GPSLatitudeRef>N</exif:GPSLatitudeRef>
        <photoshop:DateCreated>2019-08-02T15:11:06-04:00</photoshop:DateCreated>
        <dc:title><rdf:Alt><rdf:li xml:lang='x-default'>Ice</rdf:li></rdf:Alt></dc:title>`),
      'Export/Scan.tiff': photo('c'),
      'Export/Scan.xmp': xmp('<photoshop:DateCreated>1978-07</photoshop:DateCreated>'),
    })
    const live = {
      date: '2019-08-02T15:11:06-04:00',
      dateZone: '-04:00',
      datePrecision: 'minute',
      location: { lat: 60.5, lon: -68.25 },
      alt: 'Ice',
    }
    expect(plan.format).toBe('folder')
    expect(plan.assets.map(({ name, overrides }) => [name, overrides])).toEqual([
      ['IMG_1.HEIC', expect.objectContaining(live)],
      ['IMG_1.mov', expect.objectContaining(live)],
      [
        'Scan.tiff',
        expect.objectContaining({ date: expect.stringContaining('1978-07-01T12:00:00'), datePrecision: 'month', wallClock: true }),
      ],
    ])
  })
})

describe('Import of an Immich library', () => {
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

  test('Originals are imported with the metadata of their sidecars, without the renditions of Immich', async () => {
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
      overrides: {
        date: '2021-07-03T18:20:05.120+09:00',
        dateZone: '+09:00',
        alt: 'Moss & rain',
        location: { lat: expect.closeTo(35.0117, 4), lon: expect.closeTo(135.7682, 4) },
      },
    })
    expect(plan.days).toEqual({ from: '2021-07-03', to: '2021-07-03' })
  })
})

describe('A photo beside an export', () => {
  const cairn = {
    ...{ format: 'cairn-collection', version: 1, exported_at: '2026-05-03T00:00:00Z', members: [], people: [], assets: [], posts: [] },
    collection: { id: newId(), name: 'Kyoto', icon: 'train', theme: null, created_at: '2026-05-01T00:00:00Z' },
  }
  const journal = { metadata: { version: '1.0' }, entries: [dayOneEntry('Moss', { photos: [{ md5: 'aaa', identifier: 'A' }] })] }
  const inYear = 'Takeout/Google Photos/Photos from 2019/'
  /** An export of each format, the files that become assets, and paths at which a photo belongs to no entry. */
  const exports: [format: string, files: Packed, used: string[], stray: string[]][] = [
    [
      'cairn',
      { 'collection.json': cairn, 'index.html': 'x', 'README.txt': 'x', 'LEFT-OUT.txt': 'x', 'events.ics': 'x', 'places.geojson': 'x' },
      [],
      ['originals/orphan.jpg', 'extra.jpg'],
    ],
    [
      'takeout',
      { [`${inYear}a.jpg`]: photo('a'), [`${inYear}a.jpg.json`]: takeoutSidecar('a.jpg'), 'Takeout/archive_browser.html': 'x' },
      ['a.jpg'],
      ['extra.jpg'],
    ],
    ['day-one', { 'Journal.json': journal, 'photos/aaa.jpeg': photo('a') }, ['aaa.jpeg'], ['photos/orphan.jpeg', 'extra.jpg']],
    [
      'journey',
      { '1-a.json': { id: '1-a', date_journal: 1, text: 'Moss', photos: ['1-a-1.jpg'] }, '1-a-1.jpg': photo('a') },
      ['1-a-1.jpg'],
      ['extra.jpg', 'other/extra.jpg'],
    ],
    [
      'polarsteps',
      {
        'trip/japan_7/trip.json': { id: 7, name: 'Japan', all_steps: [{ id: 11 }] },
        'trip/japan_7/locations.json': {},
        'user/user.json': {},
        'trip/japan_7/kyoto_11/photos/a.jpg': photo('a'),
      },
      ['a.jpg'],
      ['extra.jpg', 'other/photo.jpg'],
    ],
    [
      'whatsapp',
      { '_chat.txt': '[03.05.24, 14:20:05] Ann: \u200e<attached: a.jpg>', 'a.jpg': photo('a') },
      ['a.jpg'],
      ['extra.jpg', 'other/extra.jpg'],
    ],
    [
      'immich',
      {
        'library/ada/2021/a.jpg': photo('a'),
        'library/ada/2021/a.jpg.xmp': xmpOf(''),
        'thumbs/ada/12/34/a-preview.jpeg': photo(),
        'encoded-video/ada/12/34/b.mp4': photo(),
        'profile/ada/me.jpg': photo(),
        'backups/immich-db-backup.sql.gz': photo(),
      },
      ['a.jpg'],
      ['extra.jpg', 'backups/b.jpg', 'trip/thumbs/c.jpg'],
    ],
    ['folder', { 'upload/a.jpg': photo('a') }, ['a.jpg'], ['backups/b.jpg', 'profile/me.jpg', 'thumbs/c.jpg']],
  ]
  const sorted = (paths: string[]) => paths.map((path) => path.split('/').at(-1)).toSorted()

  test.each(exports)('%s: it is imported, and what is only of the format is not', async (format, files, used, stray) => {
    const plan = await planned({ ...files, ...Object.fromEntries(stray.map((path) => [path, photo(path)])) }, { 'more.jpg': photo('more') })
    expect(plan.format).toBe(format)
    expect(sorted(plan.assets.map(({ file }) => file.path))).toEqual(sorted([...used, ...stray, 'more.jpg']))
    expect([plan.refused, plan.leftOut]).toEqual([[], []])
  })

  test.each(exports)('%s: one that is empty, or an archive in it, is told', async (_, files) => {
    const plan = await planned({ ...files, 'empty.jpg': '', 'old.zip': photo() })
    expect(sorted(plan.refused.map(({ name }) => name))).toEqual(['empty.jpg', 'old.zip'])
  })
})
