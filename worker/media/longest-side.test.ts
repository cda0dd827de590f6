import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { longestSide } from './longest-side.ts'
import { stripMetadata } from './strip-metadata.ts'

const flat = (width: number, height: number, alpha = 1) =>
  sharp({ create: { width, height, channels: 4, background: { r: 200, g: 100, b: 0, alpha } } })

test.each([
  ['image/jpeg', (w: number, h: number) => flat(w, h).jpeg()],
  ['image/jpeg', (w: number, h: number) => flat(w, h).jpeg({ progressive: true })],
  ['image/webp', (w: number, h: number) => flat(w, h).webp()],
  ['image/webp', (w: number, h: number) => flat(w, h, 0.5).webp()],
  ['image/webp', (w: number, h: number) => flat(w, h).webp({ lossless: true })],
  ['image/avif', (w: number, h: number) => flat(w, h).avif()],
] as const)('longestSide reads %s (%#)', async (type, make) => {
  for (const [width, height] of [
    [300, 21],
    [17, 513],
  ] as const) {
    const bytes = stripMetadata(new Uint8Array(await make(width, height).toBuffer()), type)
    expect(longestSide(bytes, type)).toBe(Math.max(width, height))
  }
})

test('longestSide returns the size in the header of a file with few bytes', async () => {
  const bytes = stripMetadata(new Uint8Array(await flat(16, 16).jpeg().toBuffer()), 'image/jpeg')
  const frame = bytes.findIndex((byte, i) => byte === 0xff && bytes[i + 1] === 0xc0)
  new DataView(bytes.buffer).setUint16(frame + 5, 60_000)
  expect(longestSide(bytes, 'image/jpeg')).toBe(60_000)
})

describe('longestSide refuses headers that contradict the image', () => {
  const webp = async (alpha: number) => stripMetadata(new Uint8Array(await flat(16, 16, alpha).webp().toBuffer()), 'image/webp')
  const indexOf = (bytes: Uint8Array, text: string) => Buffer.from(bytes).indexOf(text)

  test('a canvas of another size than the image', async () => {
    const bytes = await webp(0.5)
    bytes[indexOf(bytes, 'VP8X') + 12] = 99
    expect(() => longestSide(bytes, 'image/webp')).toThrow(/damaged/)
  })

  test.each([
    ['a frame without its start code', 3, 0],
    ['a frame that needs another one before it', 0, 1],
    ['a frame without a width', 6, 0],
    ['a first partition that is longer than the frame', 2, 0xff],
  ])('%s', async (_what, at, value) => {
    const bytes = await webp(1)
    bytes[indexOf(bytes, 'VP8 ') + 8 + at] = value
    expect(() => longestSide(bytes, 'image/webp')).toThrow(/damaged/)
  })

  test('a JPEG without a height', async () => {
    const bytes = stripMetadata(new Uint8Array(await flat(16, 16).jpeg().toBuffer()), 'image/jpeg')
    const frame = bytes.findIndex((byte, i) => byte === 0xff && bytes[i + 1] === 0xc0)
    new DataView(bytes.buffer).setUint16(frame + 5, 0)
    expect(() => longestSide(bytes, 'image/jpeg')).toThrow(/damaged/)
  })
})
