import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { stripMetadata } from './strip-metadata.ts'

const SECRET = 'SERIAL-1234567'
const picture = () =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: '#c60' } })
    .withExif({ IFD0: { Make: 'Canon', Copyright: SECRET }, IFD3: { GPSLatitude: '35/1 0/1 42/1', GPSLatitudeRef: 'N' } })
    .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><a>${SECRET}</a></x:xmpmeta>`)

const traces = (bytes: Uint8Array) => /Exif|SERIAL|xmpmeta|Canon/.test(new TextDecoder('latin1').decode(bytes))

describe.each(['jpeg', 'webp'] as const)('stripMetadata of a %s', (format) => {
  const type = `image/${format}` as const

  test('stripMetadata removes EXIF, location and XMP and keeps the pixels', async () => {
    const original = new Uint8Array(await picture()[format]().toBuffer())
    expect(traces(original)).toBe(true)
    const stripped = stripMetadata(original, type)
    expect(traces(stripped)).toBe(false)
    expect((await sharp(stripped).metadata()).exif).toBeUndefined()
    expect(await sharp(stripped).raw().toBuffer()).toEqual(await sharp(original).raw().toBuffer())
    expect(stripMetadata(stripped, type)).toEqual(stripped)
  })

  test('stripMetadata removes data after the end of the image', async () => {
    const bytes = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#06c' } })
      [format]()
      .toBuffer()
    const stripped = stripMetadata(new Uint8Array(Buffer.concat([bytes, Buffer.from(`Exif\0\0${SECRET}`)])), type)
    expect(traces(stripped)).toBe(false)
    expect((await sharp(stripped).metadata()).width).toBe(8)
  })

  test('stripMetadata refuses a truncated file', async () => {
    const bytes = new Uint8Array(await picture()[format]().toBuffer())
    for (let length = 0; length < bytes.length - 2; length += 7) {
      expect(() => stripMetadata(bytes.subarray(0, length), type)).toThrow(/damaged/)
    }
  })
})

test('stripMetadata keeps the pixels of a progressive JPEG with restart markers', async () => {
  const noise = await sharp({
    create: { width: 300, height: 200, channels: 3, background: '#888', noise: { type: 'gaussian', sigma: 60, mean: 128 } },
  })
    .jpeg({ progressive: true, mozjpeg: true })
    .withMetadata({ icc: 'p3' })
    .toBuffer()
  const stripped = stripMetadata(new Uint8Array(noise), 'image/jpeg')
  expect(await sharp(stripped).raw().toBuffer()).toEqual(await sharp(noise).raw().toBuffer())
  expect((await sharp(stripped).metadata()).icc).toBeDefined()
})

test('stripMetadata keeps the transparency of a WebP', async () => {
  const bytes = await sharp({ create: { width: 20, height: 20, channels: 4, background: { r: 9, g: 9, b: 9, alpha: 0.5 } } })
    .withExif({ IFD0: { Make: 'Canon' } })
    .webp()
    .toBuffer()
  const stripped = stripMetadata(new Uint8Array(bytes), 'image/webp')
  expect(traces(stripped)).toBe(false)
  expect((await sharp(stripped).metadata()).hasAlpha).toBe(true)
})

test('stripMetadata accepts an AVIF without metadata and refuses one with EXIF', async () => {
  const plain = sharp({ create: { width: 16, height: 16, channels: 3, background: '#0c6' } })
  const clean = new Uint8Array(await plain.clone().avif().toBuffer())
  expect(stripMetadata(clean, 'image/avif')).toEqual(clean)
  const tagged = new Uint8Array(await picture().avif().toBuffer())
  expect(() => stripMetadata(tagged, 'image/avif')).toThrow(/cannot be removed/)
})

test('stripMetadata refuses a JPEG whose scan is empty', async () => {
  const bytes = new Uint8Array(await picture().jpeg().toBuffer())
  const scan = bytes.findIndex((byte, at) => byte === 0xff && bytes[at + 1] === 0xda)
  const header = bytes.subarray(0, scan + 2 + new DataView(bytes.buffer, bytes.byteOffset).getUint16(scan + 2))
  expect(() => stripMetadata(new Uint8Array([...header, 0xff, 0xd9]), 'image/jpeg')).toThrow(/damaged/)
})

test('stripMetadata refuses a WebP with bytes that belong to no chunk', async () => {
  const bytes = new Uint8Array(await picture().webp().toBuffer())
  const longer = new Uint8Array([...bytes, 1, 2, 3, 4])
  new DataView(longer.buffer).setUint32(4, longer.length - 8, true)
  expect(() => stripMetadata(longer, 'image/webp')).toThrow(/damaged/)
})
