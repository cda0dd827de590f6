import { BUILD, BUILD_CACHE, isHashed, SHELL } from './build.ts'
import { fromCache } from './from-cache.ts'

/** Milliseconds that the server has for a page before the cached one is shown. */
const PAGE_TIMEOUT = 2_500

/** Windows that started from the cached page: their other files come from the cache too, without waiting for the server again. */
const offline = new Set<string>()

export function isAppFile({ pathname, search }: URL): boolean {
  return isHashed(pathname) || BUILD.files.includes(pathname + search)
}

/**
 * The server's page, so that a new build, a redirect or a 404 takes effect. If the server is slow or has an outage, the cached page, which renders
 * any URL itself.
 */
export async function answerPage(event: FetchEvent): Promise<Response> {
  const network = preloaded(event)
  // Its outcome no longer matters once another page was shown, but the request must not be cut off.
  event.waitUntil(network.catch(() => undefined))
  const answer = await Promise.race([network, late()]).catch(() => null)
  if (answer && answer.status < 500) return answer
  const shell = await fromCache(SHELL, { cacheName: BUILD_CACHE, ignoreVary: true })
  if (!shell) return network
  offline.add(event.resultingClientId)
  return shell
}

/** The answer to the request that the browser has made while this worker started. */
export async function preloaded(event: FetchEvent): Promise<Response> {
  return ((await event.preloadResponse) as Response | undefined) ?? fetch(event.request)
}

function late(): Promise<null> {
  return new Promise((resolve) => setTimeout(resolve, PAGE_TIMEOUT, null))
}

/** A file with a hash in its name never changes. One without belongs to the page that requests it. */
export async function answerFile(event: FetchEvent): Promise<Response> {
  const { pathname, search } = new URL(event.request.url)
  const path = pathname + search
  if (isHashed(path)) return (await cached(path)) ?? fetchAndKeep(event)
  if (offline.has(event.clientId)) return (await cached(path)) ?? fetch(event.request)
  try {
    return await fetch(event.request)
  } catch (error) {
    const kept = await cached(path)
    if (kept) return kept
    throw error
  }
}

/** From this build, or from another whose tabs are still open. */
async function cached(path: string): Promise<Response | undefined> {
  const own = await fromCache(path, { cacheName: BUILD_CACHE, ignoreVary: true })
  return own ?? (isHashed(path) ? fromCache(path, { ignoreVary: true }) : undefined)
}

/** Files that are not cached at installation, and those of a newer build whose own worker is not installed yet. */
async function fetchAndKeep(event: FetchEvent): Promise<Response> {
  const response = await fetch(event.request)
  if (response.status !== 200) return response
  const copy = response.clone()
  const keep = async () => (await caches.open(BUILD_CACHE)).put(event.request.url, copy)
  event.waitUntil(keep().catch(() => undefined))
  return response
}
