import type { ServerResponse } from 'node:http'
import path from 'node:path'
import type { ViteDevServer } from 'vite'
import { isPreview, trimSlashes } from '../../contract/site.ts'
import { CONTENT, readSite, type Site } from './read-site.ts'
import { siteFiles } from './site-files.ts'

/** The build id in web/index.html before a build. */
const DEV_BUILD = 'dev'
const OURS = /^\/(builds|assets\/content)\/|\/_payload\.json$|\.(xml|txt)$/
const TYPES: Record<string, string> = {
  '.json': 'application/json',
  '.xml': 'application/xml',
  '.txt': 'text/plain',
  '.webp': 'image/webp',
  '.jpg': 'image/jpeg',
}

/** With hot reload, pages are generated on request and rendered in the browser. */
export function serveContent(server: ViteDevServer): void {
  let site: Promise<Site> | null = null
  server.watcher.add(CONTENT)
  server.watcher.on('all', (_event, file) => {
    if (!file.startsWith(CONTENT)) return
    site = null
    server.ws.send({ type: 'full-reload' })
  })
  server.middlewares.use((request, response, next) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    if (!OURS.test(url.pathname)) return next()
    site ??= readSite(CONTENT)
    site.then((read) => answer(read, url, response) || next(), next)
  })
}

function answer(site: Site, url: URL, response: ServerResponse): boolean {
  const data = payloadAt(site, url) ?? siteFiles(site, DEV_BUILD).get(url.pathname) ?? site.files.get(url.pathname)
  if (!data) return false
  response.setHeader('content-type', TYPES[path.extname(url.pathname)] ?? 'text/plain')
  response.end(data)
  return true
}

function payloadAt({ home, pages, previews }: Site, { pathname, searchParams }: URL): string | null {
  if (!pathname.endsWith('/_payload.json')) return null
  const path = trimSlashes(pathname.slice(0, -'/_payload.json'.length))
  const written = isPreview(searchParams) ? previews : pages
  const payload = [home, ...written.map((page) => page.payload)].find((one) => one.path === path)
  return payload ? JSON.stringify(payload) : null
}
