import { BUILD, BUILD_CACHE, isHashed, otherBuilds, SHELL } from './build.ts'
import { languageFile, rememberLanguage } from './language.ts'

/** Files fetched in parallel: the open page may need the connection more. */
const CONCURRENCY = 4

/** Caches the files that the app needs offline. If one is missing, the browser keeps the previous worker and tries again later. */
export async function install(): Promise<void> {
  const shell = await fetchShell()
  const cache = await caches.open(BUILD_CACHE)
  const language = await languageFile()
  const waiting = [...BUILD.files, ...(language ? [language] : [])]
  const fetchNext = async () => {
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) await cacheFile(cache, path)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, fetchNext))
  // Last: a cache with a page is complete.
  await cache.put(SHELL, shell)
}

/** Keeps the language that the app is in, for when there is no connection. */
export async function keepLanguage(language: string): Promise<void> {
  await rememberLanguage(language)
  const file = await languageFile()
  if (file) await cacheFile(await caches.open(BUILD_CACHE), file)
}

/** A newer build may have been deployed since this worker was: its page would request files of another build. */
async function fetchShell(): Promise<Response> {
  const response = await fetchFile(SHELL)
  if (!(await response.clone().text()).includes(`content="${BUILD.id}"`)) throw new Error('The page is of another build')
  return response
}

/** Files that another build or an interrupted installation has cached are not fetched again. */
async function cacheFile(cache: Cache, path: string): Promise<void> {
  if (isHashed(path) && (await cache.match(path))) return
  const cached = isHashed(path) ? await caches.match(path, { ignoreVary: true }) : undefined
  await cache.put(path, cached ?? (await fetchFile(path)))
}

async function fetchFile(path: string): Promise<Response> {
  const response = await fetch(path, { cache: isHashed(path) ? 'default' : 'no-cache', priority: 'low' } as RequestInit)
  if (!response.ok || response.redirected) throw new Error(`${path} could not be fetched: ${response.status}`)
  return response
}

/** Removes older builds; the previous one stays, because open tabs may run it and not have loaded all of its parts. */
export async function activate(worker: ServiceWorkerGlobalScope): Promise<void> {
  await worker.registration.navigationPreload?.enable()
  const windows = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const older = await otherBuilds()
  const previous = windows.length > 0 ? await lastComplete(older) : undefined
  for (const name of older) if (name !== previous) await caches.delete(name)
  await worker.clients.claim()
}

/** The newest of these caches that was installed to the end. */
async function lastComplete(names: readonly string[]): Promise<string | undefined> {
  for (const cacheName of names.toReversed()) if (await caches.match(SHELL, { cacheName, ignoreVary: true })) return cacheName
  return undefined
}
