import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { animationSeconds } from './animation.ts'

const FIXTURES = new URL('../../../tests/fixtures/', import.meta.url)
const bytesOf = async (name: string) => new Uint8Array(await readFile(new URL(name, FIXTURES)))

test.each([
  ['moving.webp', 'image/webp'],
  ['moving.png', 'image/png'],
  ['moving.avif', 'image/avif'],
])('%s moves for a second', async (name, type) => {
  expect(animationSeconds(await bytesOf(`moving/${name}`), type)).toBeCloseTo(1, 1)
})

test.each([
  ['exif.webp', 'image/webp'],
  ['screenshot.png', 'image/png'],
  ['burst.jpg', 'image/jpeg'],
])('%s stands still', async (name, type) => {
  expect(animationSeconds(await bytesOf(`photos/${name}`), type)).toBeNull()
})

test.each(['webp', 'png', 'avif'])('A cut %s is read without an error', async (kind) => {
  const bytes = await bytesOf(`moving/moving.${kind}`)
  for (let length = 0; length < bytes.length; length += 7) animationSeconds(bytes.subarray(0, length), `image/${kind}`)
  expect(animationSeconds(bytes.subarray(0, 20), `image/${kind}`)).toBeNull()
})
