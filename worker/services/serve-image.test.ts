import { beforeEach, expect, test, vi } from 'vitest'
import type { ImageSource } from '../queries/images.ts'
import { serveImage } from './serve-image.ts'

const WEBP = new Uint8Array(Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64'))
const asset: ImageSource = {
  id: 'a',
  name: 'a.jpg',
  type: 'image/jpeg',
  size: 10,
  checksum: 'c0ffee',
  renditions: { thumb: 'image/webp', preview: 'image/webp' },
  version: 7,
  width: 4_000,
  height: 3_000,
}
const request = new Request('http://app/_image/x/a?v=7')
let objects: Map<string, Uint8Array>
let marks: Map<string, Record<string, string>>
let lists = 0
beforeEach(() => {
  marks = new Map()
  lists = 0
  objects = new Map([
    ['assets/a/original', new Uint8Array(10)],
    ['assets/a/thumb', new Uint8Array([1])],
    ['assets/a/preview', new Uint8Array([2])],
  ])
})

const later: Promise<unknown>[] = []
const serve = (images: unknown, modifiers = {}, of = asset) => {
  const bucket = {
    get: async (key: string) => {
      const bytes = objects.get(key)
      return bytes ? { body: new Blob([new Uint8Array(bytes)]).stream(), size: bytes.length, httpEtag: `"${key}"` } : null
    },
    head: async (key: string) => (marks.has(key) ? { customMetadata: marks.get(key) } : null),
    put: async (key: string, bytes: Uint8Array, { customMetadata }: R2PutOptions) =>
      void (customMetadata ? marks.set(key, customMetadata) : objects.set(key, bytes)),
    /** One object per page. */
    list: async ({ cursor = '' }: R2ListOptions) => {
      lists++
      const [first, ...rest] = [...objects.keys()].filter((key) => key.includes('/images/') && key > cursor).toSorted()
      return { objects: first ? [{ key: first }] : [], truncated: rest.length > 0, cursor: first }
    },
    delete: async (keys: string[]) => keys.forEach((key) => void objects.delete(key)),
  }
  const stores = {
    bucket: bucket as unknown as R2Bucket,
    images: images as ImagesBinding,
    later: (work: Promise<unknown>) => later.push(work),
    limit: async () => undefined,
  }
  return serveImage(stores, of, { width: 320, format: 'webp', ...modifiers }, request)
}

const numbered = (code: number) => Object.assign(new Error('The service says no'), { code })

/** The Images service. `fails` returns the error for an input, or null. */
function service(fails: (bytes: Uint8Array) => Error | null) {
  const info = vi.fn(async () => ({ format: 'image/jpeg', fileSize: 10, width: 4_000, height: 3_000 }))
  const input = (stream: ReadableStream) => ({
    transform() {
      return this
    },
    async output() {
      const error = fails(new Uint8Array(await new Response(stream).arrayBuffer()))
      if (error) throw error
      return { image: () => new Blob([WEBP]).stream() }
    },
  })
  return { info, input }
}

test.each([
  [320, 1],
  [512, 1],
  [640, 2],
])('%i pixels without the service are the nearest rendition, not cached as immutable', async (width, byte) => {
  const response = await serve(undefined, { width })
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(new Uint8Array([byte]))
  expect(response.headers.get('cache-control')).toBe('private, no-cache')
})

test('an asset without renditions is unsupported_media without the service', async () => {
  await expect(serve(undefined, {}, { ...asset, renditions: {} })).rejects.toMatchObject({ code: 'unsupported_media' })
})

test('an outage of the service is 503, and nothing is stored', async () => {
  await expect(serve(service(() => new Error('Network connection lost.')))).rejects.toMatchObject({ code: 'unavailable' })
  expect(objects.size).toBe(3)
})

test('an original of unknown size is 503 during an outage and unsupported_media after a refusal', async () => {
  const silent = service(() => null)
  silent.info.mockRejectedValue(new Error('Network connection lost.'))
  await expect(serve(silent, {}, { ...asset, renditions: {} })).rejects.toMatchObject({ code: 'unavailable' })
  silent.info.mockRejectedValue(numbered(9412))
  await expect(serve(silent, {}, { ...asset, renditions: {} })).rejects.toMatchObject({ code: 'unsupported_media' })
  expect(objects.size).toBe(3)
})

test('an image from the second source is sent but not stored', async () => {
  const refusesPreview = service((bytes) => (bytes.length === 1 ? numbered(9523) : null))
  const response = await serve(refusesPreview)
  expect(response.status).toBe(200)
  expect(response.headers.get('cache-control')).toBe('private, no-store')
  expect(objects.size).toBe(3)
  await expect(serve(service(() => numbered(9412)))).rejects.toMatchObject({ code: 'unsupported_media' })
})

test('an original with too many pixels or bytes is not decoded', async () => {
  const big = service(() => null)
  big.info.mockResolvedValue({ format: 'image/png', fileSize: 10, width: 60_000, height: 60_000 })
  await expect(serve(big, {}, { ...asset, renditions: {} })).rejects.toMatchObject({ code: 'unsupported_media' })
  await expect(
    serve(
      service(() => null),
      {},
      { ...asset, renditions: {}, size: 5 * 1024 ** 3 },
    ),
  ).rejects.toMatchObject({ code: 'unsupported_media' })
  expect(objects.size).toBe(3)
})

test('a made image is stored and replaces those of older versions', async () => {
  for (const version of [5, 6]) objects.set(`assets/a/images/${version}-w_320.f_webp.fit_inside`, new Uint8Array([3]))
  const response = await serve(service(() => null))
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(WEBP)
  expect(response.headers.get('cache-control')).toBe('private, max-age=31536000, immutable')
  await Promise.all(later)
  expect([...objects.keys()].filter((key) => key.includes('/images/'))).toEqual(['assets/a/images/7-w_320.f_webp.fit_inside'])
})

test('stored images are listed once per version of the asset', async () => {
  const make = async (modifiers: object, version: number) => {
    await serve(
      service(() => null),
      modifiers,
      { ...asset, version },
    )
    await Promise.all(later)
    return lists
  }
  expect([await make({ width: 640 }, 7), await make({ width: 320 }, 7), await make({ width: 75 }, 7)]).toEqual([1, 1, 1])
  expect(await make({ width: 320 }, 8)).toBeGreaterThan(1)
  expect([...objects.keys()].filter((key) => key.includes('/images/'))).toEqual(['assets/a/images/8-w_320.f_webp.fit_inside'])
})
