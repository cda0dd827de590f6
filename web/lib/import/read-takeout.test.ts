import { describe, expect, test } from 'vitest'
import { takeoutSidecar } from '../../../tests/support/archives.ts'
import { photo, planned } from '../../../tests/support/plan-import.ts'

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
})
