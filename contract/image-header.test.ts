import { expect, test } from 'vitest'
import { readImageHeader } from './image-header.ts'

function bytes(...parts: (string | number[])[]): Uint8Array {
  const flat = parts.flatMap((part) => (typeof part === 'string' ? [...part].map((c) => c.charCodeAt(0)) : part))
  return Uint8Array.from([...flat, ...new Array(Math.max(0, 64 - flat.length)).fill(0)])
}

test('The size of a JPEG is found after other segments', () => {
  const app1 = [0xff, 0xe1, 0, 6, 1, 2, 3, 4]
  const frame = [0xff, 0xc2, 0, 17, 8, 0xea, 0x60, 0xea, 0x60]
  expect(readImageHeader(bytes([0xff, 0xd8], app1, frame))).toEqual({ type: 'image/jpeg', width: 60000, height: 60000 })
})

test('A truncated JPEG has no size', () => {
  expect(readImageHeader(bytes([0xff, 0xd8, 0xff, 0xe1, 0xff, 0xff]))).toEqual({ type: 'image/jpeg', width: null, height: null })
})

test('The sizes of PNG, GIF and WebP are read', () => {
  const png = bytes([0x89], 'PNG\r\n', [0x1a, 0x0a, 0, 0, 0, 13], 'IHDR', [0, 0, 2, 0, 0, 0, 1, 0])
  expect(readImageHeader(png)).toEqual({ type: 'image/png', width: 512, height: 256 })
  expect(readImageHeader(bytes('GIF89a', [4, 1, 2, 0]))).toEqual({ type: 'image/gif', width: 260, height: 2 })
  const webp = bytes('RIFF', [0, 0, 0, 0], 'WEBPVP8X', [10, 0, 0, 0, 0, 0, 0, 0, 0xff, 1, 0, 0xff, 0, 0])
  expect(readImageHeader(webp)).toEqual({ type: 'image/webp', width: 512, height: 256 })
})

test('The largest box gives the size of a HEIC', () => {
  const ispe = (w: number, h: number) => [0x69, 0x73, 0x70, 0x65, 0, 0, 0, 0, 0, 0, w >> 8, w & 255, 0, 0, h >> 8, h & 255]
  const heic = bytes([0, 0, 0, 24], 'ftypheic', [0, 0, 0, 0], 'mif1heic', ispe(512, 512), ispe(4032, 3024))
  expect(readImageHeader(heic)).toEqual({ type: 'image/heic', width: 4032, height: 3024 })
})

test('Text, short and empty files are no images', () => {
  expect(readImageHeader(bytes('this is a text file, whatever its name says'))).toBeNull()
  expect(readImageHeader(new Uint8Array(0))).toBeNull()
  expect(readImageHeader(Uint8Array.from([0xff, 0xd8]))).toBeNull()
})
