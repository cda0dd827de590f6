import { expect, test, vi } from 'vitest'
import { AppError } from '../http/errors.ts'
import { fileResponse, renditionResponse } from './file-response.ts'

const file = {
  id: 'a',
  name: 'a.jpg',
  type: 'image/jpeg',
  size: 10,
  checksum: 'c0ffee',
  renditions: { thumb: 'image/webp' },
  version: 3,
  place: 'exact' as const,
}
const request = (headers: Record<string, string> = {}, method = 'GET') => new Request('http://app/file', { headers, method })
const bucketThat = (get: () => Promise<unknown>) => ({ get: vi.fn(get) }) as unknown as R2Bucket & { get: ReturnType<typeof vi.fn> }

test('a failure of storage is 503 with Retry-After for originals and renditions', async () => {
  const bucket = bucketThat(async () => {
    throw new Error('get: We encountered an internal error. Please try again. (10001)')
  })
  for (const response of [fileResponse(bucket, file, request()), renditionResponse(bucket, file, 'thumb', request())]) {
    const error = await response.catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(AppError)
    expect(error).toMatchObject({ code: 'unavailable', retryAfter: expect.any(Number) })
  }
})

test('conditions, invalid ranges and HEAD are answered without a call to storage', async () => {
  const bucket = bucketThat(async () => null)
  expect((await fileResponse(bucket, file, request({ 'if-none-match': '"c0ffee"' }))).status).toBe(304)
  expect((await fileResponse(bucket, file, request({ range: 'bytes=10-' }))).status).toBe(416)
  expect((await fileResponse(bucket, file, request({}, 'HEAD'))).status).toBe(200)
  for (const tags of ['"3-thumb"', '"2-thumb", W/"3-thumb"', '*'])
    expect((await renditionResponse(bucket, file, 'thumb', request({ 'if-none-match': tags }))).status).toBe(304)
  expect(bucket.get).not.toHaveBeenCalled()
})

test('a rendition of another version or size is sent', async () => {
  const bucket = bucketThat(async () => ({ body: new Blob(['x']).stream(), size: 1 }))
  for (const tags of ['"2-thumb"', '"3-preview"', '"3"']) {
    const response = await renditionResponse(bucket, file, 'thumb', request({ 'if-none-match': tags }))
    expect([response.status, response.headers.get('etag'), await response.text()]).toEqual([200, '"3-thumb"', 'x'])
  }
})

test('a missing object is 404 and is logged', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  await expect(
    fileResponse(
      bucketThat(async () => null),
      file,
      request(),
    ),
  ).rejects.toMatchObject({ code: 'not_found' })
  expect(log.mock.lastCall?.[0]).toContain('assets/a/original')
  log.mockRestore()
})

test.each([
  ['', 'private, no-cache'],
  ['?v=2', 'private, no-cache'],
  ['?v=4', 'private, no-cache'],
  ['?v=', 'private, no-cache'],
  ['?v=3', 'private, max-age=31536000, immutable'],
])('a rendition with the query "%s" of an asset of version 3 is cached as "%s"', async (query, expected) => {
  const bucket = bucketThat(async () => ({ body: new Blob(['x']).stream(), size: 1 }))
  const response = await renditionResponse(bucket, file, 'thumb', new Request(`http://app/file${query}`))
  expect(response.headers.get('cache-control')).toBe(expected)
})
