import fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { scanBomb } from '../../tests/support/bombs.ts'
import { JpegWalk, MAX_SCANS } from './jpeg-walk.ts'
import { stripMetadata } from './strip-metadata.ts'

const picture = sharp({
  create: { width: 320, height: 200, channels: 3, background: '#c60', noise: { type: 'gaussian', mean: 128, sigma: 30 } },
})
const baseline = new Uint8Array(
  await picture
    .clone()
    .withExif({ IFD0: { Make: 'Canon' } })
    .jpeg()
    .toBuffer(),
)
const progressive = new Uint8Array(await picture.clone().jpeg({ progressive: true }).toBuffer())

function walk(chunks: Uint8Array[]): JpegWalk {
  const walk = new JpegWalk()
  for (const chunk of chunks) walk.write(chunk)
  return walk
}

test('A photo as a camera writes it has one scan', () => {
  const { scans, pixels, hasOneScan, ended } = walk([baseline])
  expect({ scans, pixels, hasOneScan, ended }).toEqual({ scans: 1, pixels: 320 * 200, hasOneScan: true, ended: true })
})

test('A progressive photo has few scans, in whatever chunks it arrives', () => {
  const whole = walk([progressive])
  expect(whole.scans).toBeGreaterThan(3)
  expect(whole.scans).toBeLessThan(MAX_SCANS)
  expect(whole.hasOneScan).toBe(false)
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 50 }), (lengths) => {
      const chunks: Uint8Array[] = []
      for (let at = 0, nth = 0; at < progressive.length; nth++) {
        const length = lengths[nth % lengths.length] ?? 1
        chunks.push(progressive.subarray(at, at + length))
        at += length
      }
      const { scans, pixels, ended } = walk(chunks)
      expect({ scans, pixels, ended }).toEqual({ scans: whole.scans, pixels: whole.pixels, ended: true })
    }),
  )
})

describe.each([
  ['as it is', (bytes: Uint8Array) => bytes],
  ['with stray bytes between its segments', (bytes: Uint8Array) => spaced(bytes)],
])('A picture of thousands of scans %s', (_, change) => {
  test('is recognised and read no further than needed', () => {
    const bomb = change(scanBomb(5_000))
    expect(bomb.length).toBeLessThan(300_000)
    const { scans } = walk([bomb])
    expect(scans).toBe(MAX_SCANS + 1)
  })

  test('is refused as a rendition', () => {
    expect(() => stripMetadata(change(scanBomb(5_000)), 'image/jpeg')).toThrow(/scans|damaged/)
    expect(() => stripMetadata(change(scanBomb(MAX_SCANS + 1)), 'image/jpeg')).toThrow(/scans|damaged/)
  })
})

test('A rendition of as many scans as are allowed is kept', () => {
  expect(() => stripMetadata(scanBomb(MAX_SCANS), 'image/jpeg')).not.toThrow()
})

test('A rendition with a second frame, or a frame that browsers do not draw, is refused', () => {
  const frame = baseline.findIndex((byte, at) => byte === 0xff && baseline[at + 1] === 0xc0)
  const segment = baseline.subarray(frame, frame + 2 + 17)
  expect(() =>
    stripMetadata(Uint8Array.from([...baseline.subarray(0, frame), ...segment, ...baseline.subarray(frame)]), 'image/jpeg'),
  ).toThrow()
  for (const marker of [0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf]) {
    const other = baseline.slice()
    other[frame + 1] = marker
    expect(() => stripMetadata(other, 'image/jpeg')).toThrow()
  }
})

/** Decoders skip bytes before a marker with a warning. */
function spaced(jpeg: Uint8Array): Uint8Array {
  const parts: number[] = []
  jpeg.forEach((byte, at) => {
    if (at > 2 && byte === 0xff && jpeg[at + 1] === 0xda) parts.push(0x00, 0x01)
    parts.push(byte)
  })
  return Uint8Array.from(parts)
}
