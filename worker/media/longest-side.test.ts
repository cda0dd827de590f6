import sharp from 'sharp'
import { expect, test } from 'vitest'
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
