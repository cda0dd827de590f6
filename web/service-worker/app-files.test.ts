import { afterEach, expect, test, vi } from 'vitest'
import { answerFile } from './app-files.ts'
import { answerImage } from './images.ts'
import { activate, install } from './install.ts'

// The build defines it.
vi.hoisted(() => Object.assign(globalThis, { CAIRN_BUILD: { id: 'c', files: ['/assets/app-1.js'], languages: {} } }))

afterEach(() => void vi.unstubAllGlobals())

const event = (path: string) => {
  const request = new Request(`https://cairn.example${path}`)
  return { request, clientId: '', waitUntil: (work: Promise<unknown>) => void work } as unknown as FetchEvent
}

/** Caches of a browser: the names in the order of their making, and the URLs in each. */
function stubCaches(kept: Record<string, string[]>) {
  const all = new Map(Object.entries(kept).map(([name, urls]) => [name, new Set(urls)]))
  const found = (urls: Set<string> | undefined, url: string) => (urls?.has(url) ? new Response('kept') : undefined)
  vi.stubGlobal('caches', {
    keys: async () => [...all.keys()],
    delete: async (name: string) => all.delete(name),
    match: async (url: string, { cacheName }: { cacheName?: string } = {}) =>
      cacheName ? found(all.get(cacheName), url) : [...all.values()].map((urls) => found(urls, url)).find(Boolean),
    open: async (name: string) => {
      const urls = all.get(name) ?? new Set()
      all.set(name, urls)
      return { match: async (url: string) => found(urls, url), put: async (url: string) => void urls.add(url) }
    },
  })
  return () => Object.fromEntries([...all].map(([name, urls]) => [name, [...urls]]))
}

test('where the browser cannot read its caches, files and pictures come from the server', async () => {
  const broken = () => Promise.reject(new DOMException('Internal error', 'UnknownError'))
  vi.stubGlobal('caches', { match: broken, keys: broken, open: broken, has: broken })
  vi.stubGlobal('fetch', async () => new Response('from the server'))
  expect(await (await answerFile(event('/assets/app-1.js'))).text()).toBe('from the server')
  expect(await (await answerImage(event('/api/asset/1/renditions/thumb?v=1'), 'small')).text()).toBe('from the server')
})

const worker = { registration: {}, clients: { matchAll: async () => [{}], claim: async () => {} } } as unknown as ServiceWorkerGlobalScope

test('a build that was never installed to the end does not take the place of the one that open tabs run', async () => {
  const kept = stubCaches({ 'cairn-build-a': ['/collections'], 'cairn-build-b': ['/assets/app-b.js'], 'cairn-build-c': ['/collections'] })
  await activate(worker)
  expect(Object.keys(kept())).toEqual(['cairn-build-a', 'cairn-build-c'])
})

test.each(['/collections', '/assets/app-1.js'])('an installation that breaks off at %s leaves no page', async (broken) => {
  const kept = stubCaches({})
  vi.stubGlobal('fetch', async (path: string) => new Response('<meta content="c">', { status: path === broken ? 404 : 200 }))
  await expect(install()).rejects.toThrow('404')
  expect(Object.values(kept()).flat()).not.toContain('/collections')
})
