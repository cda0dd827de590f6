import { type PictureSize, picturesPrefix } from '../lib/device/caches.ts'
import { MOST, pictureSize, surplus } from './image-rules.ts'

/** How many may be too many before the oldest go: counting them means listing them. */
const SLACK: Record<PictureSize, number> = { small: 100, large: 10 }

/** Which of them were looked at lately, as far as this worker has lived. */
const lookedAt = new Map<string, number>()
let looks = 0
const added: Record<PictureSize, number> = { small: 0, large: 0 }

/** As it was kept, or from the server and then kept, for as long as the person is signed in for whom there is a cache. */
export async function answerPicture(event: FetchEvent, size: PictureSize): Promise<Response> {
  const { url } = event.request
  lookedAt.set(url, ++looks)
  const cacheName = await nameOf(size)
  const held = cacheName && (await caches.match(url, { cacheName, ignoreVary: true }))
  if (held) return held
  const response = await fetch(event.request)
  if (cacheName) event.waitUntil(keep({ cacheName, size, url, response: response.clone() }).catch(() => undefined))
  return response
}

/** Pictures that a page has shown before there was a worker; the browser has them still. */
export async function keepShown(urls: readonly string[]): Promise<void> {
  for (const url of urls) {
    const size = pictureSize(new URL(url))
    const cacheName = size && (await nameOf(size))
    if (!size || !cacheName || (await caches.match(url, { cacheName }))) continue
    const response = await fetch(url, { cache: 'force-cache' }).catch(() => null)
    if (response) await keep({ cacheName, size, url, response })
  }
}

/** Null after signing out. */
async function nameOf(size: PictureSize): Promise<string | null> {
  return (await caches.keys()).findLast((name) => name.startsWith(picturesPrefix(size))) ?? null
}

interface Kept {
  cacheName: string
  size: PictureSize
  url: string
  response: Response
}

async function keep({ cacheName, size, url, response }: Kept): Promise<void> {
  if (response.status !== 200 || /no-store|no-cache/.test(response.headers.get('cache-control') ?? '')) return
  // Opening a cache would make it: the person may have signed out while the picture was on its way.
  if (!(await caches.has(cacheName))) return
  const cache = await caches.open(cacheName)
  await cache.put(url, response)
  // The first of a worker's life, too: few workers live long enough to add many.
  if (added[size]++ % SLACK[size] === 0) await removeOldest(cache, MOST[size])
}

async function removeOldest(cache: Cache, most: number): Promise<void> {
  const urls = (await cache.keys()).map(({ url }) => url)
  for (const url of surplus(urls, most, lookedAt)) {
    lookedAt.delete(url)
    await cache.delete(url)
  }
}
