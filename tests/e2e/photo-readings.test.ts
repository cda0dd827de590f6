import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { expect } from 'vitest'
import type { Asset } from '../../contract/assets.ts'
import { xmpOf } from '../support/archives.ts'
import { test as app } from '../support/fixtures.ts'
import { dropFiles } from '../support/people.ts'
import { canonRaw, fujiRaw } from '../support/raw-files.ts'
import { behindProfile, shot } from '../support/shots.ts'
import { world } from '../support/world.ts'

/** Ada in Vienna adds files as cameras write them whose makers are not in `tests/fixtures`. Bea in New York sees them. */

const FIXTURES = path.resolve(import.meta.dirname, '../fixtures')

const test = app
  .extend('kyoto', () => world({ bea: 'read' }))
  .extend('openMedia', ({ kyoto, openPage }) => (name: string, timezoneId: string) => {
    // High enough for all tiles at once.
    const viewport = { width: 1280, height: 1800 }
    return openPage({ as: kyoto.as(name), at: `/collections/media?c=${kyoto.collection.id}`, timezoneId, viewport })
  })
  /** Ada drops the files; what Bea gets, by name. */
  .extend('arrived', ({ folder, kyoto, openMedia }) => async (files: Record<string, Uint8Array>): Promise<Map<string, Asset>> => {
    const names = Object.keys(files)
    for (const name of names) await writeFile(path.join(folder, name), files[name] ?? '')
    const { page } = await openMedia('ada', 'Europe/Vienna')
    await page.getByText('No photos yet. Drop some anywhere.').waitFor()
    await dropFiles(
      page,
      names.map((name) => path.join(folder, name)),
    )
    const seen = async () => (await kyoto.as('bea').get(`/api/asset?collection_id=${kyoto.collection.id}`)).body.assets as Asset[]
    await expect.poll(async () => (await seen()).length, { timeout: 90_000 }).toBe(names.length)
    return new Map((await seen()).map((asset) => [asset.name, asset]))
  })

const picture = (hue: string) => sharp({ create: { width: 120, height: 80, channels: 3, background: hue } })

/** Raw files are shown by a JPEG that is not as small as a thumbnail. */
const preview = (hue: string) => picture(hue).resize(660, 440)

/** Degrees, minutes and seconds in the south and west. */
const SANTIAGO = { GPSLatitude: '33/1 30/1 0/1', GPSLatitudeRef: 'S', GPSLongitude: '70/1 15/1 0/1', GPSLongitudeRef: 'W' }

interface Tags {
  first?: Record<string, string>
  taken?: Record<string, string>
  gps?: Record<string, string>
}

const tagged = (image: Sharp, { first = {}, taken = {}, gps = {} }: Tags) => image.withExif({ IFD0: first, IFD2: taken, IFD3: gps })

/** A fixture with other texts of the same length. */
async function edited(name: string, texts: Record<string, string>): Promise<Uint8Array> {
  const bytes = await readFile(path.join(FIXTURES, name))
  for (const [before, after] of Object.entries(texts)) bytes.write(after, bytes.indexOf(before))
  return bytes
}

/**
 * A JPEG of one colour with a quarter of the hue across and all of it down, as old camcorders write it, in place of half both ways. It has as many
 * blocks either way, and all are alike.
 */
function fourOneOne(jpeg: Buffer): Buffer {
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
  expect(jpeg[frame + 11]).toBe(0x22)
  jpeg[frame + 11] = 0x41
  return jpeg
}

const TAKEN = { DateTimeOriginal: '2021:03:04 05:06:07' }
const moment = (iso: string) => new Date(iso).toISOString()

/** `read` is date, zone, place, description and size. */
const FILES: Record<
  string,
  { bytes: () => Promise<Uint8Array>; read: [string | null, string | null, [number, number] | null, string | null, string] }
> = {
  'DSC00042.JPG': {
    bytes: () => {
      const first = { Make: 'SONY', ImageDescription: 'SONY DSC' }
      const taken = { ...TAKEN, OffsetTimeOriginal: '-07:00', SubSecTimeOriginal: '12' }
      return tagged(picture('#369'), { first, taken, gps: SANTIAGO }).withMetadata({ orientation: 8 }).jpeg().toBuffer()
    },
    read: ['2021-03-04T05:06:07.120-07:00', '-07:00', [-33.5, -70.25], null, '80×120'],
  },
  'press.jpg': {
    bytes: () =>
      tagged(picture('#396').toColourspace('cmyk'), {
        first: { ImageDescription: 'By the lake' },
        taken: { ...TAKEN, OffsetTimeOriginal: '+05:45' },
      })
        .jpeg({ progressive: true })
        .toBuffer(),
    read: ['2021-03-04T05:06:07+05:45', '+05:45', null, 'By the lake', '120×80'],
  },
  'grey.jpg': {
    bytes: () => tagged(picture('#888').toColourspace('b-w'), { taken: TAKEN }).jpeg().toBuffer(),
    read: ['2021-03-04T05:06:07+01:00', 'Europe/Vienna', null, null, '120×80'],
  },
  '4-1-1.jpg': {
    bytes: async () => fourOneOne(await tagged(picture('#357'), { taken: TAKEN }).jpeg().toBuffer()),
    read: ['2021-03-04T05:06:07+01:00', 'Europe/Vienna', null, null, '120×80'],
  },
  'DSCF0043.MPO': {
    // With a second, smaller picture of a later time, and bytes of the camera's own.
    bytes: async () => {
      const second = await tagged(picture('#573').resize(60, 60), { taken: { DateTimeOriginal: '2022:01:01 00:00:00' } })
        .jpeg()
        .toBuffer()
      return Buffer.concat([await tagged(picture('#753'), { taken: TAKEN }).jpeg().toBuffer(), second, Buffer.alloc(5_000, 'FUJIFILM')])
    },
    read: ['2021-03-04T05:06:07+01:00', 'Europe/Vienna', null, null, '120×80'],
  },
  'satellites.jpg': {
    bytes: () =>
      tagged(picture('#639'), { taken: TAKEN, gps: { ...SANTIAGO, GPSDateStamp: '2021:03:03', GPSTimeStamp: '20/1 5/1 58/1' } })
        .jpeg()
        .toBuffer(),
    read: ['2021-03-04T05:06:07+09:00', '+09:00', [-33.5, -70.25], null, '120×80'],
  },
  'desktop.png': {
    bytes: () =>
      tagged(picture('#693'), { taken: { ...TAKEN, OffsetTimeOriginal: '+09:00' }, gps: SANTIAGO })
        .png()
        .toBuffer(),
    read: ['2021-03-04T05:06:07+09:00', '+09:00', [-33.5, -70.25], null, '120×80'],
  },
  'edited.webp': {
    bytes: () =>
      picture('#936')
        .withXmp(
          xmpOf(`<rdf:Description rdf:about='' xmlns:p='http://ns.adobe.com/photoshop/1.0/' xmlns:d='http://purl.org/dc/elements/1.1/'
            p:DateCreated='2021-03-04T05:06:07-03:00' d:description='Über den See'/>`),
        )
        .webp({ lossless: true })
        .toBuffer(),
    read: ['2021-03-04T05:06:07-03:00', '-03:00', null, 'Über den See', '120×80'],
  },
  'phone.avif': {
    bytes: () =>
      tagged(picture('#963'), { taken: { ...TAKEN, OffsetTimeOriginal: '-09:30' } })
        .avif()
        .toBuffer(),
    read: ['2021-03-04T05:06:07-09:30', '-09:30', null, null, '120×80'],
  },
  'print.tif': {
    bytes: () => picture('#993').toColourspace('cmyk').tiff({ compression: 'lzw' }).toBuffer(),
    read: [null, null, null, null, '120×80'],
  },
  'IMG_0042.CR3': {
    bytes: async () => canonRaw(await preview('#247').jpeg().toBuffer(), '2021:03:04 05:06:07', '-03:00'),
    read: ['2021-03-04T05:06:07-03:00', '-03:00', [-33.5, -70.25], null, '660×440'],
  },
  'DSCF0042.RAF': {
    bytes: async () => fujiRaw(shot(await preview('#274').jpeg().toBuffer(), { date: '2021:03:04 05:06:07' })),
    read: ['2021-03-04T05:06:07+01:00', '+01:00', null, null, '660×440'],
  },
  'P1010042.ORF': {
    bytes: async () => {
      // A TIFF whose head says it in another way.
      const tiff = await readFile(path.join(FIXTURES, 'photos/scan.tif'))
      tiff.write('RO', 2)
      return Buffer.concat([tiff, await preview('#427').jpeg().toBuffer()])
    },
    read: ['1989-05-05T14:08:45+02:00', 'Europe/Vienna', [47.5, 9.25], null, '440×660'],
  },
  'IMG_0042.HEIF': {
    bytes: () => edited('photos/phone.heic', { '2024:10:01 09:00:00': '2021:03:04 24:00:00', '+02:00': '-03:30' }),
    read: ['2021-03-05T00:00:00-03:30', '-03:30', [47.5, 9.25], null, '320×240'],
  },
  'offset inside.jpg': {
    bytes: () =>
      tagged(picture('#148'), { taken: { DateTimeOriginal: '2021:03:04 05:06:07-03:30' } })
        .jpeg()
        .toBuffer(),
    read: ['2021-03-04T05:06:07-03:30', '-03:30', null, null, '120×80'],
  },
  'IMG-20190601-WA0001.jpg': {
    bytes: () =>
      tagged(picture('#184'), { taken: { DateTimeOriginal: '    :  :     :  :  ' } })
        .jpeg()
        .toBuffer(),
    read: ['2019-06-01T12:00:00+02:00', 'Europe/Vienna', null, null, '120×80'],
  },
  'clock not set.jpg': {
    bytes: () =>
      tagged(picture('#418'), { taken: { DateTimeOriginal: '0000:01:01 00:00:00' } })
        .jpeg()
        .toBuffer(),
    read: [null, null, null, null, '120×80'],
  },
  'colour profile.jpg': {
    bytes: async () => {
      const plain = await tagged(picture('#481'), { taken: TAKEN, gps: SANTIAGO }).jpeg().toBuffer()
      return behindProfile(plain, 2_000_000)
    },
    read: ['2021-03-04T05:06:07+01:00', 'Europe/Vienna', [-33.5, -70.25], null, '120×80'],
  },
  'MVI_0042.MOV': {
    bytes: () =>
      edited('films/iphone.mov', {
        '2020-12-20T00:14:27+0100': '2021-03-04T05:06:07-0330',
        '+47.500+009.250+400.000/': '-33.500-070.250+010.000/',
      }),
    read: ['2021-03-04T05:06:07-03:30', '-03:30', [-33.5, -70.25], 'Fog over the lake', '96×64'],
  },
  'VID-20230102-WA0003.mp4': {
    bytes: () => readFile(path.join(FIXTURES, 'films/unset.mp4')),
    read: ['2023-01-02T12:00:00+01:00', 'Europe/Vienna', null, null, '96×64'],
  },
}

test('Dates with their offsets, places, descriptions and pictures of many cameras reach another member', async ({ arrived, openMedia }) => {
  const files = await Promise.all(Object.entries(FILES).map(async ([name, { bytes }]) => [name, await bytes()] as const))
  const assets = await arrived(Object.fromEntries(files))
  const read = [...assets].map(([name, { date, date_zone, location, alt, width, height }]) => {
    const place = location && [location.lat, location.lon].map((degrees) => Math.round(degrees * 1000) / 1000)
    return [name, [date && moment(date), date_zone, place, alt, `${width}×${height}`]]
  })
  const expected = Object.entries(FILES).map(
    ([
      name,
      {
        read: [date, ...rest],
      },
    ]) => [name, [date && moment(date), ...rest]],
  )
  expect(Object.fromEntries(read)).toEqual(Object.fromEntries(expected))
  const { page } = await openMedia('bea', 'America/New_York')
  for (const [name, { alt, width, height }] of assets) {
    const tile = page.getByRole('button', { name: `Photo ${alt ?? name}` }).or(page.getByRole('button', { name: `Video ${name}` }))
    const shape = () => tile.locator('img').evaluate((img: HTMLImageElement) => img.naturalWidth / img.naturalHeight)
    await expect.poll(shape, { message: name }).toBeCloseTo((width ?? 0) / (height ?? 1), 1)
  }
  // Each where and when it was taken, not where it is looked at.
  await page.getByRole('button', { name: 'Photo DSC00042.JPG, 4 March 2021, 05:06' }).click()
  await page.getByRole('button', { name: 'Information' }).click()
  const facts = page.getByRole('complementary', { name: 'Information' })
  await facts.getByText('05:06 UTC−7').waitFor()
  await facts.getByText('33.50000° S, 70.25000° W').waitFor()
  await facts.getByText('Puente Alto, Chile').waitFor()
})

test('Photos of one second are in the order of their fractions, those without in the order of their names', async ({
  arrived,
  openMedia,
}) => {
  const at = async (hue: string, date: string, fraction?: string) =>
    shot(await picture(hue).jpeg().toBuffer(), { date, ...(fraction ? { fraction } : {}) })
  await arrived({
    'IMG_10.jpg': await at('#111', '2023:05:01 12:00:00'),
    'IMG_9.jpg': await at('#222', '2023:05:01 12:00:00'),
    'IMG_11.jpg': await at('#333', '2023:05:01 12:00:00'),
    'B.jpg': await at('#444', '2023:05:01 11:00:00', '09'),
    'A.jpg': await at('#555', '2023:05:01 11:00:00', '9'),
    'C.jpg': await at('#666', '2023:05:01 11:00:00', '035'),
  })
  const { page } = await openMedia('bea', 'America/New_York')
  const tiles = page.locator('main button[data-index]')
  await expect.poll(() => tiles.count()).toBe(6)
  const names = await tiles.evaluateAll((all) => all.map((tile) => /[\w]+\.jpg/.exec(tile.getAttribute('aria-label') ?? '')?.[0]))
  expect(names).toEqual(['IMG_11.jpg', 'IMG_10.jpg', 'IMG_9.jpg', 'A.jpg', 'B.jpg', 'C.jpg'])
})
