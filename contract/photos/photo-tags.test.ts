import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { canonRaw, fujiRaw } from '../../tests/support/raw-files.ts'
import { captureOf } from './capture.ts'
import { readPhotoTags } from './photo-tags.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const FIXTURES = new URL('../../tests/fixtures/photos/', import.meta.url)
const bytesOf = (name: string) => readFile(new URL(name, FIXTURES))

async function captured(...parts: Uint8Array<ArrayBuffer>[]) {
  const { tags } = await readPhotoTags(await new Blob(parts).arrayBuffer())
  return captureOf(tags, { zone: 'Europe/Vienna', now: NOW })
}

test.each([
  ['exif.webp', { date: '2024-02-29T18:00:00+01:00', dateZone: '+01:00', location: { lat: 47.5, lon: 9.25 } }],
  ['phone.heic', { date: '2024-10-01T09:00:00+02:00', dateZone: '+02:00', location: { lat: 47.5, lon: 9.25 } }],
  ['picture.jxl', { date: '2024-02-29T18:00:00+01:00', dateZone: '+01:00' }],
  ['scan.tif', { date: '1989-05-05T14:08:45+02:00', dateZone: 'Europe/Vienna', location: { lat: 47.5, lon: 9.25 } }],
  ['screenshot.png', { date: '2021-12-27T22:01:00+08:00', dateZone: '+08:00' }],
  ['burst.jpg', { date: '2023-05-01T12:00:00.035+02:00', alt: 'Größe: 3 m' }],
])('The tags of %s are read', async (name, expected) => {
  expect(await captured(await bytesOf(name))).toMatchObject(expected)
})

test('XMP alone gives date, location and caption, and counts for more than the date of the last change', async () => {
  expect(await captured(await bytesOf('xmp.jpg'))).toEqual({
    ...{ date: '1989-05-05T14:08:45+02:00', dateZone: 'Europe/Vienna', datePrecision: 'minute' },
    ...{ location: { lat: 47.5, lon: -9.25 }, alt: 'Lake at noon' },
  })
})

test('IPTC alone gives date and caption; its +00:00 says nothing', async () => {
  expect(await captured(await bytesOf('iptc.jpg'))).toMatchObject({ date: '1978-07-15T10:00:00+01:00', alt: 'Café am See' })
})

test('Without any other date, that of the last change counts; the name of a camera is no caption', async () => {
  expect(await captured(await bytesOf('modified.jpg'))).toMatchObject({ date: '2003-05-15T10:51:39+02:00', alt: null })
})

test('EXIF is found behind large profiles', async () => {
  const jpeg = await bytesOf('burst.jpg')
  const profile = new Uint8Array(2 + 65_535)
  profile.set([0xff, 0xe2, 0xff, 0xff])
  profile.set(new TextEncoder().encode('ICC_PROFILE\0'), 4)
  const [start, rest] = [new Uint8Array(jpeg.subarray(0, 2)), new Uint8Array(jpeg.subarray(2))]
  expect(await captured(start, ...Array.from({ length: 12 }, () => profile), rest)).toMatchObject({ dateZone: '+02:00' })
})

test('The tags of a CR3 are read from all of its boxes, and those of a RAF from its JPEG', async () => {
  const canon = new Uint8Array(canonRaw(await bytesOf('burst.jpg'), '2021:03:04 24:00:00', '-03:30'))
  expect(await captured(canon)).toMatchObject({ date: '2021-03-05T00:00:00-03:30', location: { lat: -33.5, lon: -70.25 } })
  expect(await captured(new Uint8Array(fujiRaw(await bytesOf('burst.jpg'))))).toMatchObject({ date: '2023-05-01T12:00:00.035+02:00' })
  for (let length = 0; length < 500; length += 7) await captured(canon.slice(0, length))
})

test.each(['exif.webp', 'phone.heic', 'scan.tif', 'xmp.jpg', 'screenshot.png', 'picture.jxl'])(
  'Every cut of %s is read as far as it goes, without an error',
  async (name) => {
    const bytes = new Uint8Array(await bytesOf(name))
    for (let length = 0; length < bytes.length; length += 37) {
      const { tags } = await readPhotoTags(bytes.slice(0, length).buffer)
      expect(captureOf(tags, { zone: 'UTC', now: NOW })).toHaveProperty('date')
    }
  },
)

/** A TIFF whose four texts all have the length of the whole file. */
function greedyTiff(size: number): ArrayBuffer {
  const bytes = new Uint8Array(size).fill(65)
  const view = new DataView(bytes.buffer)
  bytes.set([0x49, 0x49, 0x2a, 0, 8, 0, 0, 0, 4, 0])
  for (const [nth, tag] of [0x10e, 0x132, 0x9c9b, 0x9c9c].entries()) {
    const at = 10 + 12 * nth
    view.setUint16(at, tag, true)
    view.setUint16(at + 2, 2, true)
    view.setUint32(at + 4, size - 100, true)
    view.setUint32(at + 8, 100, true)
  }
  view.setUint32(58, 0, true)
  return bytes.buffer
}

test('Within limits, a file that claims to have endless metadata has none', async () => {
  const bytes = greedyTiff(100_000)
  expect((await readPhotoTags(bytes)).tags.captions).toContain('A'.repeat(99_900))
  expect((await readPhotoTags(bytes, { reads: 50_000, text: 1_000 })).tags.captions ?? []).not.toContainEqual(expect.any(String))
})

test('Within limits, ordinary photos have all their tags', async () => {
  for (const name of ['exif.webp', 'phone.heic', 'scan.tif', 'xmp.jpg', 'iptc.jpg', 'screenshot.png', 'picture.jxl', 'burst.jpg']) {
    const bytes = new Uint8Array(await bytesOf(name)).buffer
    expect(await readPhotoTags(bytes, { reads: 100_000, text: 100_000 })).toEqual(await readPhotoTags(bytes))
  }
})
