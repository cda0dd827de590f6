import sharp from 'sharp'
import { expect, test } from 'vitest'
import { decodePng, pngSize } from './small-png.ts'

const noise = (channels: 3 | 4) =>
  sharp(
    Uint8Array.from({ length: 31 * 17 * channels }, (_, i) => (i * 31 + ((i * i) % 251)) % 256),
    { raw: { width: 31, height: 17, channels } },
  )

test.each([
  ['RGB', () => noise(3)],
  ['RGBA', () => noise(4)],
  ['grey', () => noise(3).toColourspace('b-w')],
  ['grey with alpha', () => noise(4).toColourspace('b-w')],
])('A PNG in %s decodes to its pixels, whatever filters its lines have', async (_name, image) => {
  for (const adaptiveFiltering of [true, false]) {
    const png = new Uint8Array(await image().png({ adaptiveFiltering }).toBuffer())
    const pixels = await sharp(png).toColourspace('srgb').ensureAlpha().raw().toBuffer()
    expect(pngSize(png)).toEqual({ width: 31, height: 17 })
    expect(Buffer.compare(Buffer.from((await decodePng(png)).rgba), pixels)).toBe(0)
  }
})

test.each([
  ['with a palette', () => noise(3).png({ palette: true })],
  ['of 16 bits', () => noise(3).toColourspace('rgb16').png()],
])('A PNG %s is refused', async (_name, image) => {
  await expect(decodePng(new Uint8Array(await image().toBuffer()))).rejects.toThrow()
})

test('A truncated PNG is refused', async () => {
  const png = new Uint8Array(await noise(3).png().toBuffer())
  await expect(decodePng(png.subarray(0, 400))).rejects.toThrow()
})
