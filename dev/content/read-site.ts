import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { PagePayload, PageSummary, RouteRule } from '../../contract/site.ts'
import { needsSession } from '../../web/lib/guard.ts'
import { PATHS, viewPath } from '../../web/lib/links.ts'
import { PAGE_LINKS } from '../../web/lib/page-links.ts'
import { VIEWS } from '../../web/view-table.ts'
import { SetupError } from '../setup-error.ts'
import { PROJECT } from '../state-folder.ts'
import { parsePage, pathOf } from './front-matter.ts'
import { figureHtml, type MadePicture, makePicture, makeSharedPicture, type SharedPicture } from './images.ts'
import { picturesOf, renderMarkdown } from './markdown.ts'
import { readImageDomains, readPicture } from './picture-source.ts'
import { parseRedirects } from './redirects.ts'

export const CONTENT = path.join(PROJECT, 'content')

export interface SitePage {
  payload: PagePayload
  shared: SharedPicture
}

export interface Site {
  home: PagePayload
  /** Published pages, newest post first. */
  pages: SitePage[]
  /** All pages as `?preview` shows them, with drafts. */
  previews: SitePage[]
  rules: Record<string, RouteRule>
  /** For pages without an image of their own. */
  shared: SharedPicture
  /** Image files by the path they are served at. */
  files: Map<string, Uint8Array>
}

const BLOG = '/blog'
/** How many other posts a post links to. */
const NEIGHBOURS = 2

/** Reads a folder like `content/`. Throws a sentence about the first mistake. */
export async function readSite(folder: string): Promise<Site> {
  const files = new Map<string, Uint8Array>()
  const names = (await readdir(folder, { recursive: true })).map((name) => name.replaceAll(path.sep, '/'))
  const shared = await makeSharedPicture(files)
  const domains = await readImageDomains(folder)
  const read: SitePage[] = []
  for (const name of names.filter((one) => one.endsWith('.md')).toSorted())
    read.push(await readPage(name, { folder, files, shared, domains }))
  const all = read.toSorted((a, b) => (b.payload.date ?? '').localeCompare(a.payload.date ?? ''))
  const open = all.filter(({ payload }) => !payload.draft)
  return {
    home: await readHome(),
    pages: open.map((page) => withPosts(page, open)),
    previews: all.map((page) => withPosts(page, all)),
    rules: await readRules(folder, all),
    shared,
    files,
  }
}

const DESCRIPTION = /<meta\s+name="description"\s+content="([^"]*)"/

/** The home page is a component of the app; its title and description are those of the app itself. */
async function readHome(): Promise<PagePayload> {
  const description = DESCRIPTION.exec(await readFile(path.join(PROJECT, 'web/index.html'), 'utf8'))?.[1]
  if (!description) throw new SetupError('web/index.html has no description')
  return { path: PATHS.home, kind: 'home', title: 'Cairn', description, draft: false, html: '', posts: [] }
}

type Around = Pick<Site, 'files' | 'shared'> & { folder: string; domains: readonly string[] }

async function readPage(name: string, { folder, files, shared, domains }: Around): Promise<SitePage> {
  const { front, markdown } = parsePage(await readFile(path.join(folder, name), 'utf8'), `content/${name}`)
  const address = pathOf(name).replace(/\/index$/, '')
  const kind = address === BLOG ? 'blog' : address.startsWith(`${BLOG}/`) ? 'post' : 'page'
  if (kind === 'post' && !front.date) throw new SetupError(`content/${name} is a post and has no date`)
  const made = new Map<string, MadePicture>()
  for (const href of new Set([...picturesOf(markdown), ...(front.picture ? [front.picture] : [])])) {
    made.set(href, await makePicture(await readPicture(href, { folder, page: name, domains }), files))
  }
  const figures = [...made].map(
    ([href, picture]) => [href, (alt: string, title: string | null) => figureHtml(picture, alt, title)] as const,
  )
  const cover = front.picture ? made.get(front.picture) : undefined
  return { payload: payloadOf(), shared: cover ? { path: cover.shared, alt: front.pictureAlt ?? '' } : shared }

  function payloadOf(): PagePayload {
    const { title, description, date, draft } = front
    const { shared: _shared, ...picture } = cover ?? { shared: '' }
    return {
      ...{ path: address, kind, title, description, draft, ...(date && { date }) },
      ...('src' in picture && { picture: { ...picture, alt: front.pictureAlt ?? '' } }),
      html: renderMarkdown(markdown, { pictures: new Map(figures) }),
      posts: [],
    }
  }
}

/** The blog lists all posts; a post links to the newest others. */
function withPosts({ payload, shared }: SitePage, among: readonly SitePage[]): SitePage {
  const posts = among.map((page) => page.payload).filter(({ kind }) => kind === 'post')
  if (payload.kind === 'blog') return { shared, payload: { ...payload, posts: posts.map(summaryOf) } }
  const others = posts.filter(({ path: other }) => other !== payload.path).slice(0, NEIGHBOURS)
  return { shared, payload: { ...payload, posts: payload.kind === 'post' ? others.map(summaryOf) : [] } }
}

function summaryOf({ path: address, title, description, date, draft, picture }: PagePayload): PageSummary {
  return { path: address, title, description, draft, ...(date && { date }), ...(picture && { picture }) }
}

/** Rules for every path, for worker and app: the app's own paths, the pages, and the redirects. */
async function readRules(folder: string, pages: readonly SitePage[]): Promise<Record<string, RouteRule>> {
  const views = VIEWS.map(({ view }) => viewPath(view))
  const own = [...Object.values(PATHS), ...views].filter((address) => !address.startsWith('/api/'))
  const rules = new Map<string, RouteRule>(own.map((address) => [address, { appMiddleware: { auth: needsSession(address) } }]))
  rules.set(PATHS.home, { prerender: true, ...rules.get(PATHS.home) })
  for (const { payload } of pages) {
    if (rules.has(payload.path)) throw new SetupError(`content: ${payload.path} is an address of the app itself`)
    rules.set(payload.path, { prerender: true, ...(payload.draft && { draft: true }), appMiddleware: { auth: false } })
  }
  for (const { to } of PAGE_LINKS) if (!rules.has(to)) throw new SetupError(`content: the footer leads to ${to}, which is no page`)
  const redirects = parseRedirects(await readFile(path.join(folder, 'redirects'), 'utf8').catch(() => ''), new Set(rules.keys()))
  for (const [from, redirect] of redirects) rules.set(from, { redirect })
  return Object.fromEntries([...rules].toSorted(([a], [b]) => a.localeCompare(b)))
}
