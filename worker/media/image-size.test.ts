import { expect, test } from 'vitest'
import { lookUpSize } from './image.ts'

const studio = (info: () => Promise<unknown>, found = true) => ({
  // Only what a look at the size calls.
  bucket: { get: async () => (found ? { body: new ReadableStream() } : null) } as unknown as R2Bucket,
  images: { info } as unknown as ImagesBinding,
})
const NOTHING = { width: 0, height: 0, ratio: 0 }

test('what a picture says of its size', async () => {
  expect(
    await lookUpSize(
      studio(async () => ({ format: 'image/jpeg', fileSize: 9, width: 400, height: 300 })),
      'a',
    ),
  ).toEqual({
    ...{ width: 400, height: 300, ratio: 4 / 3 },
  })
})

test('a look that fails gives zero width, height and ratio', async () => {
  const refused = Object.assign(new Error('No picture'), { code: 9422 })
  expect(
    await lookUpSize(
      studio(() => Promise.reject(refused)),
      'a',
    ),
  ).toEqual(NOTHING)
  expect(
    await lookUpSize(
      studio(async () => ({ format: 'image/svg+xml' })),
      'a',
    ),
  ).toEqual(NOTHING)
  expect(
    await lookUpSize(
      studio(async () => ({}), false),
      'a',
    ),
  ).toEqual(NOTHING)
})

test('a service that does not answer is an outage, and no size', async () => {
  await expect(
    lookUpSize(
      studio(() => Promise.reject(new Error('timeout'))),
      'a',
    ),
  ).rejects.toMatchObject({ code: 'unavailable' })
})
