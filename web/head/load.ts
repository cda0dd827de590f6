import { renditionPath } from '../lib/photos/rendition-path.ts'
import { prefetch } from '../lib/start/prefetch.ts'

declare global {
  /** For each page, the scripts it needs besides the app's own; filled in by dev/head-script.ts. */
  var PAGE_SCRIPTS: Record<string, string[]>
}

/** Milliseconds after `load` at which the app is fetched even if the page is still busy. */
const LOAD_TIMEOUT = 2_000

/** Preloads the scripts of a page while the app itself is loading. */
export function preloadPage(path: string): void {
  const page = /^\/(?:collections\/)?(\w+)$/.exec(path)?.[1] ?? ''
  for (const href of PAGE_SCRIPTS[page] ?? []) addLink({ rel: 'modulepreload', crossOrigin: '', href })
}

/** About as many as a phone shows of media at first. */
const FIRST_PHOTOS = 8

/** The columns of assets that this script reads. Nothing has checked them: the code that does comes with the app. */
interface PhotoColumns {
  fields: { id: string[]; file_version: number[]; renditions: string[][]; group: ({ cover: string } | null)[] }
}

/** Preloads the first photos of media, which otherwise wait until the app's code has run. */
export async function preloadPhotos(): Promise<void> {
  const answer = await globalThis.prefetched?.answer
  const columns = answer?.content?.assets.assets as PhotoColumns | undefined
  if (!columns) return
  const { id: ids, file_version: versions, renditions, group: groups } = columns.fields
  // Of a group only its cover is shown.
  const shown = [...ids.keys()].filter((at) => (groups[at]?.cover ?? ids[at]) === ids[at])
  for (const at of shown.slice(0, FIRST_PHOTOS)) {
    const href = renditionPath({ id: ids[at] ?? '', version: versions[at] ?? 0 }, 'thumb')
    if (renditions[at]?.includes('thumb')) addLink({ rel: 'preload', as: 'image', href })
  }
}

/** A prerendered page is readable without the app, so the app loads when the page is idle; at once if the user is signed in. */
export function loadApp(drawn: HTMLMetaElement, isSignedIn: boolean): void {
  const load = () => {
    prefetch()
    const [app = '', ...files] = drawn.content.split(' ')
    for (const href of files) {
      if (href.endsWith('.js')) addLink({ rel: 'modulepreload', crossOrigin: '', href })
      else addLink({ rel: 'preload', as: 'fetch', crossOrigin: '', href })
    }
    document.head.append(Object.assign(document.createElement('script'), { type: 'module', crossOrigin: '', src: app }))
  }
  if (isSignedIn || drawn.dataset.starts === 'now') addEventListener('DOMContentLoaded', load, { once: true })
  else addEventListener('load', () => whenIdle(load), { once: true })
}

function whenIdle(run: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(run, { timeout: LOAD_TIMEOUT })
  else setTimeout(run)
}

function addLink(link: Partial<HTMLLinkElement>): void {
  document.head.append(Object.assign(document.createElement('link'), link))
}
