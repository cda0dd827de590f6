import { type ImageSize, imagesPrefix } from '../lib/device/caches.ts'
import { fromCache } from './from-cache.ts'
import { imageSize, MAX_IMAGES, surplus } from './image-rules.ts'

/** Excess that is tolerated before the oldest are removed: counting them means listing them. */
const SLACK: Record<ImageSize, number> = { small: 100, large: 10 }

/** When images were last viewed, since this worker started. */
const lookedAt = new Map<string, number>()
let looks = 0
const added: Record<ImageSize, number> = { small: 0, large: 0 }

/** From the cache, or from the server and then cached, as long as the signed-in user has a cache. */
export async function answerImage(event: FetchEvent, size: ImageSize): Promise<Response> {
  const { url } = event.request
  lookedAt.set(url, ++looks)
  const cacheName = await nameOf(size)
  const cached = cacheName && (await fromCache(url, { cacheName, ignoreVary: true }))
  if (cached) return cached
  const response = await fetch(event.request)
  if (cacheName) event.waitUntil(keep({ cacheName, size, url, response: response.clone() }).catch(() => undefined))
  return response
}

/** Images that a page showed before there was a worker; the browser still has them cached. */
export async function keepShown(urls: readonly string[]): Promise<void> {
  for (const url of urls) {
    const size = imageSize(new URL(url))
    const cacheName = size && (await nameOf(size))
    if (!size || !cacheName || (await fromCache(url, { cacheName }))) continue
    const response = await fetch(url, { cache: 'force-cache' }).catch(() => null)
    if (response) await keep({ cacheName, size, url, response })
  }
}

/** Null after signing out, and where the browser cannot read its caches. */
async function nameOf(size: ImageSize): Promise<string | null> {
  return (await caches.keys().catch(() => [])).findLast((name) => name.startsWith(imagesPrefix(size))) ?? null
}

interface Kept {
  cacheName: string
  size: ImageSize
  url: string
  response: Response
}

async function keep({ cacheName, size, url, response }: Kept): Promise<void> {
  if (response.status !== 200 || /no-store|no-cache/.test(response.headers.get('cache-control') ?? '')) return
  // Opening a cache would create it: the user may have signed out while the image was loading.
  if (!(await caches.has(cacheName))) return
  const cache = await caches.open(cacheName)
  await cache.put(url, response)
  // Also on the first one: few workers live long enough to add many.
  if (added[size]++ % SLACK[size] === 0) await removeOldest(cache, MAX_IMAGES[size])
}

async function removeOldest(cache: Cache, max: number): Promise<void> {
  const urls = (await cache.keys()).map(({ url }) => url)
  for (const url of surplus(urls, max, lookedAt)) {
    lookedAt.delete(url)
    await cache.delete(url)
  }
}
