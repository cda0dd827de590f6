import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { keepOnly, pagesOf } from './tiff-directory.ts'

const bytes = async () => new Uint8Array(await readFile(new URL('../../../../tests/fixtures/photos/scan.tif', import.meta.url)))
const viewOf = (array: Uint8Array) => new DataView(array.buffer, array.byteOffset, array.byteLength)

test('The page of a TIFF is found with its size', async () => {
  expect(pagesOf(viewOf(await bytes()))).toEqual([{ at: expect.any(Number), width: 96, height: 72 }])
})

test('A directory that follows itself ends', async () => {
  const view = viewOf(await bytes())
  const [page] = pagesOf(view)
  const at = page?.at ?? 0
  view.setUint32(at + 2 + 12 * view.getUint16(at, true), at, true)
  expect(pagesOf(view)).toHaveLength(1)
  keepOnly(view, { at, width: 0, height: 0 })
  expect(view.getUint32(at + 2 + 12 * view.getUint16(at, true), true)).toBe(0)
})

test('Damaged pointers and cut files are read without an error', async () => {
  const whole = await bytes()
  for (let length = 8; length < whole.length; length += 11) pagesOf(viewOf(whole.slice(0, length)))
  for (let at = 4; at < whole.length; at += 5) {
    const damaged = whole.slice()
    damaged.fill(0xff, at, at + 4)
    expect(pagesOf(viewOf(damaged)).length).toBeLessThanOrEqual(200)
  }
})
