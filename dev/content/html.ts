import { directionOf } from '../../contract/language/languages.ts'
import { metaPath, OWN_ORIGIN, type PagePayload, payloadPath, STARTS_LATER } from '../../contract/site.ts'
import { escapeHtml } from '../../contract/text.ts'
import { RSS } from '../../web/lib/page-links.ts'
import { SHARED, type SharedPicture } from './images.ts'
import type { Site, SitePage } from './read-site.ts'

interface Rendered {
  /** The built index.html. */
  shell: string
  /** The contents of #root. */
  body: string
  styles: readonly string[]
  /** Scripts that the page needs besides those of the shell. */
  scripts: readonly string[]
  /** The font preloaded for the first text. */
  font: string
}

interface Parts extends Rendered {
  buildId: string
  preview: boolean
}

const DESCRIPTION = /\s*<meta\s+name="description"[^>]*>/s

/** The HTML of a page: the shell with the page's own head and content. */
export function pageHtml(page: SitePage, { buildId, preview, ...rendered }: Parts): string {
  const { payload } = page
  const head = [
    `<title>${escapeHtml(payload.title)} · Cairn</title>`,
    meta('name', 'description', payload.description),
    `<link rel="canonical" href="${OWN_ORIGIN}${payload.path}" />`,
    ...(preview ? [meta('name', 'robots', 'noindex')] : []),
    ...sharing({ ...payload, shared: page.shared }),
    `<link rel="alternate" type="application/rss+xml" title="Cairn: blog" href="${RSS}" />`,
  ]
  const shell = rendered.shell.replace(/\s*<title>.*?<\/title>/s, '').replace(DESCRIPTION, '')
  return fill({ ...rendered, shell }, head, [payloadPath(payload.path, buildId, preview), metaPath(buildId)])
}

/** The home page in one language. The shell has its title, which is the same in all, and its description in English. */
export function homeHtml(rendered: Rendered, { home, shared }: Pick<Site, 'home' | 'shared'>, tag: string, description: string): string {
  const head = [`<link rel="canonical" href="${OWN_ORIGIN}/" />`, ...sharing({ ...home, description, shared })]
  const shell = rendered.shell
    .replace('<html lang="en" dir="ltr"', `<html lang="${tag}" dir="${directionOf(tag)}"`)
    .replace(DESCRIPTION, () => `\n    ${meta('name', 'description', description)}`)
  return fill({ ...rendered, shell }, head, [])
}

/** Script tags of the app; the last script imports all others. */
const SCRIPTS = /\s*<(?:script type="module"|link rel="modulepreload")[^>]*(?:src|href)="([^"]+)"[^>]*>(?:<\/script>)?/g

/** Puts a rendered page into the shell. It is readable without the app, whose files are only named: web/head/load.ts fetches them. */
function fill({ shell, body, styles, scripts, font }: Rendered, head: readonly string[], asks: readonly string[]): string {
  const [hoisted, content] = splitHoisted(body)
  const start = [...shell.matchAll(SCRIPTS)].map(([, file = '']) => file)
  if (start.length === 0) throw new Error('index.html names no app')
  const files = [...new Set([...start, ...scripts, ...asks])]
  const early = `<link rel="preload" as="font" type="font/woff2" crossorigin href="${font}" />`
  const lines = [early, ...head, ...styles.map((href) => `<link rel="stylesheet" crossorigin href="${href}" />`), ...hoisted]
  return shell
    .replace(SCRIPTS, '')
    .replace('<script src=', () => `<meta name="cairn-app" ${STARTS_LATER} content="${escapeHtml(files.join(' '))}" />\n    <script src=`)
    .replace('</head>', () => `  ${lines.join('\n    ')}\n  </head>`)
    .replace('<div id="root"></div>', () => `<div id="root">${content}</div>`)
}

/** React puts the tags that belong into the head first. The title is already in the shell. */
function splitHoisted(body: string): [links: string[], content: string] {
  const [hoisted = ''] = /^(<link [^>]*>|<title>[^<]*<\/title>)*/.exec(body) ?? []
  return [hoisted.match(/<link [^>]*>/g) ?? [], body.slice(hoisted.length)]
}

type Shared = Pick<PagePayload, 'path' | 'kind' | 'title' | 'description' | 'date'> & { shared: SharedPicture }

/** Tags for previews of a shared link. */
function sharing({ path, kind, title, description, date, shared }: Shared): string[] {
  return [
    meta('property', 'og:site_name', 'Cairn'),
    meta('property', 'og:type', kind === 'post' ? 'article' : 'website'),
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    meta('property', 'og:url', OWN_ORIGIN + path),
    meta('property', 'og:image', OWN_ORIGIN + shared.path),
    meta('property', 'og:image:width', String(SHARED.width)),
    meta('property', 'og:image:height', String(SHARED.height)),
    meta('property', 'og:image:alt', shared.alt),
    meta('name', 'twitter:card', 'summary_large_image'),
    ...(kind === 'post' && date ? [meta('property', 'article:published_time', date)] : []),
  ]
}

const meta = (key: 'name' | 'property', name: string, content: string) => `<meta ${key}="${name}" content="${escapeHtml(content)}" />`
