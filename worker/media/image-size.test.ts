import { expect, test } from 'vitest'
import { lookUpSize } from './image.ts'

const stores = (info: () => Promise<unknown>, found = true) => ({
  // Only the functions that lookUpSize calls.
  bucket: { get: async () => (found ? { body: new ReadableStream() } : null) } as unknown as R2Bucket,
  images: { info } as unknown as ImagesBinding,
})
const NOTHING = { width: 0, height: 0, ratio: 0 }

test('lookUpSize returns the size in the file', async () => {
  expect(
    await lookUpSize(
      stores(async () => ({ format: 'image/jpeg', fileSize: 9, width: 400, height: 300 })),
      'a',
    ),
  ).toEqual({
    ...{ width: 400, height: 300, ratio: 4 / 3 },
  })
})

test('lookUpSize returns zeros for a file that the service cannot read', async () => {
  const refused = Object.assign(new Error('No picture'), { code: 9422 })
  expect(
    await lookUpSize(
      stores(() => Promise.reject(refused)),
      'a',
    ),
  ).toEqual(NOTHING)
  expect(
    await lookUpSize(
      stores(async () => ({ format: 'image/svg+xml' })),
      'a',
    ),
  ).toEqual(NOTHING)
  expect(
    await lookUpSize(
      stores(async () => ({}), false),
      'a',
    ),
  ).toEqual(NOTHING)
})

test('lookUpSize throws unavailable during an outage of the service', async () => {
  await expect(
    lookUpSize(
      stores(() => Promise.reject(new Error('timeout'))),
      'a',
    ),
  ).rejects.toMatchObject({ code: 'unavailable' })
})
