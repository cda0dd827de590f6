import { rgbaToThumbHash, thumbHashToRGBA } from 'thumbhash'
import { expect, test } from 'vitest'
import { thumbHashImage } from './thumbhash-image.ts'

/** A hash with waves of many sizes in all three channels. */
function hashOf(width: number, height: number): Uint8Array {
  const pixels = new Uint8Array(width * height * 4)
  for (let i = 0; i < width * height; i++) {
    const x = i % width
    const y = Math.floor(i / width)
    pixels.set([128 + 120 * Math.sin(x / 9), 128 + 100 * Math.cos(y / 6), (x * 2 + y) % 256, 255], i * 4)
  }
  return rgbaToThumbHash(width, height, pixels)
}

function bitmapOf(hash: Uint8Array) {
  const bytes = Buffer.from(thumbHashImage(hash).split(',')[1] ?? '', 'base64')
  const [width, height] = [bytes.readInt32LE(18), bytes.readInt32LE(22)]
  const row = Math.ceil((width * 3) / 4) * 4
  const colourAt = (x: number, y: number) => [2, 1, 0].map((channel) => bytes[54 + (height - 1 - y) * row + x * 3 + channel] ?? 0)
  return { width, height, colourAt }
}

test.each([
  [100, 100],
  [100, 41],
  [37, 90],
  [100, 67],
])('A thumbhash of %i by %i looks as the package draws it', (width, height) => {
  const hash = hashOf(width, height)
  const theirs = thumbHashToRGBA(hash)
  const ours = bitmapOf(hash)
  expect(ours.width / ours.height).toBeCloseTo(theirs.w / theirs.h, 0)
  for (let y = 0; y < ours.height; y++)
    for (let x = 0; x < ours.width; x++) {
      // The middle of our pixel is surrounded by four of theirs.
      const [left, top] = [((x + 0.5) / ours.width) * theirs.w - 0.5, ((y + 0.5) / ours.height) * theirs.h - 0.5]
      for (const [channel, value] of ours.colourAt(x, y).entries()) {
        const around = [Math.floor(left), Math.ceil(left)].flatMap((i) =>
          [Math.floor(top), Math.ceil(top)].map((j) => theirs.rgba[(j * theirs.w + i) * 4 + channel] ?? 0),
        )
        expect(Math.abs(value - around.reduce((sum, each) => sum + each) / 4)).toBeLessThan(16)
      }
    }
})

test('A thumbhash that is too short throws RangeError', () => {
  expect(() => thumbHashImage(new Uint8Array(4))).toThrow(RangeError)
})
