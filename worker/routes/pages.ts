import { type Context, Hono } from 'hono'
import { getCookie } from 'hono/cookie'
import { shownLanguage } from '#language'
import { t } from '#say'
import { directionOf } from '../../contract/language/languages.ts'
import {
  type BuildMeta,
  HOME_FOLDER,
  homeFile,
  isPreview,
  OWN_ORIGIN,
  PREVIEW_FOLDER,
  payloadPath,
  ruleOf,
  STARTS_LATER,
  STARTS_NOW,
  trimSlashes,
} from '../../contract/site.ts'
import { anyone } from '../auth/checks.ts'
import { SessionCookies } from '../auth/session-cookie.ts'
import type { AppEnv } from '../context.ts'
import { readBuildMeta } from '../services/build-meta.ts'

/** The web app's files and the prerendered pages, with the status of each path. */
export const pages = new Hono<AppEnv>().get('*', async (c) => {
  const { pathname, search, searchParams } = new URL(c.req.url)
  const home = new URL(c.env.APP_ORIGIN)
  // Unsafe calls are accepted from one origin only, so pages at another host (localhost) redirect there.
  if (new URL(c.req.url).host !== home.host && c.req.header('sec-fetch-mode') === 'navigate') {
    // Not `new URL(pathname, home)`: a path that begins with two slashes would name another host.
    return c.redirect(home.origin + pathname + search)
  }
  const meta = await readBuildMeta(c.env.ASSETS)
  if (pathname === MANIFEST) return manifest(c)
  if (pathname.endsWith('/_payload.json')) return payload(c, meta)
  const rule = ruleOf(meta, pathname)
  if (!rule) return file(c, pathname)
  if (rule.redirect) return c.redirect(rule.redirect.to, rule.redirect.status)
  // Every page has one URL.
  if (trimSlashes(pathname) !== pathname) return c.redirect(trimSlashes(pathname) + search, 301)
  if (pathname === '/') return homePage(c)
  if (!rule.prerender) return shell(c, 200)
  const preview = isPreview(searchParams)
  if (rule.draft && !preview) return shell(c, 404)
  return written(c, pathname, preview)
})

/** The service worker handles shares to the installed app (web/service-worker/share.ts). Without it, the browser is redirected. */
pages.post('/share', anyone, (c) => c.redirect('/share', 303))

/** A file of the build. For an unknown path without an extension, the app with status 404, which shows that there is no such page. */
async function file(c: Context<AppEnv>, path: string): Promise<Response> {
  if (path.startsWith(PREVIEW_FOLDER) || path.startsWith(HOME_FOLDER)) return shell(c, 404)
  const answer = await c.env.ASSETS.fetch(c.req.raw)
  if (answer.status === 404) return /\.[a-z0-9]+$/i.test(path) ? c.text(t`There is no such file`, 404) : shell(c, 404)
  if (HAS_ORIGIN.test(path)) return withOrigin(c, answer)
  return ICON.test(path) ? cachedForAnHour(answer) : answer
}
/** Files that contain absolute URLs. */
const HAS_ORIGIN = /\.(xml|txt)$/

/** Public files whose names have no hash. */
const ICON = /^\/(favicons?\b|apple-touch-icon|icon-|badge)[^?]*\.(ico|png|svg)$/

function cachedForAnHour(answer: Response): Response {
  const response = new Response(answer.body, answer)
  response.headers.set('cache-control', 'public, max-age=3600')
  return response
}

/** What the installed app is called and offers, in the language of the caller. */
async function manifest(c: Context<AppEnv>): Promise<Response> {
  const answer = await c.env.ASSETS.fetch(asset(c, MANIFEST, false))
  const { shortcuts, ...english } = await answer.json<{ shortcuts: { name: string }[] }>()
  const names: Record<string, string> = { 'What is new': t`What is new`, Timeline: t`Timeline`, Photos: t`Photos` }
  const response = c.json({
    ...english,
    lang: shownLanguage(),
    dir: directionOf(shownLanguage()),
    description: t`Keep posts and photos in collections, together with the people who were there.`,
    shortcuts: shortcuts.map((shortcut) => ({ ...shortcut, name: names[shortcut.name] ?? shortcut.name })),
  })
  response.headers.set('content-type', answer.headers.get('content-type') ?? 'application/manifest+json')
  response.headers.set('cache-control', answer.headers.get('cache-control') ?? 'no-cache')
  response.headers.set('vary', 'cookie, accept-language')
  return response
}
const MANIFEST = '/manifest.webmanifest'

/** The app's HTML, which renders the path in the browser. */
async function shell(c: Context<AppEnv>, status: 200 | 404): Promise<Response> {
  const answer = await c.env.ASSETS.fetch(asset(c, '/', status === 200))
  return status === 200 ? answer : new Response(answer.body, { status, headers: answer.headers })
}

/** In the language of the caller. With a session cookie, the app's HTML, which leads to the collections without showing the home page first. */
async function homePage(c: Context<AppEnv>): Promise<Response> {
  const known = new SessionCookies(c.env.APP_ORIGIN).sent(getCookie(c)).length > 0
  const answer = known ? await shell(c, 200) : await withOrigin(c, await c.env.ASSETS.fetch(asset(c, homeFile(shownLanguage()))))
  const response = new Response(answer.body, answer)
  response.headers.append('vary', 'cookie, accept-language')
  return response
}

async function written(c: Context<AppEnv>, path: string, preview: boolean): Promise<Response> {
  const drafts = preview ? await c.env.ASSETS.fetch(asset(c, PREVIEW_FOLDER + path)) : null
  return withOrigin(c, drafts && drafts.status !== 404 ? drafts : await c.env.ASSETS.fetch(asset(c, path)))
}

/** The data of a page. Cached for ever if the URL has the id of this build. */
async function payload(c: Context<AppEnv>, meta: BuildMeta): Promise<Response> {
  const { pathname, search, searchParams } = new URL(c.req.url)
  const page = trimSlashes(pathname.slice(0, -'/_payload.json'.length))
  const rule = ruleOf(meta, page)
  const preview = isPreview(searchParams)
  if (!rule?.prerender || (rule.draft && !preview)) return c.text(t`There is no such page`, 404)
  const drafts = preview ? await c.env.ASSETS.fetch(asset(c, PREVIEW_FOLDER + pathname)) : null
  const found = drafts && drafts.status !== 404 ? drafts : await c.env.ASSETS.fetch(asset(c, pathname))
  const answer = new Response(found.body, found)
  if (pathname + search === payloadPath(page, meta.id, preview)) answer.headers.set('cache-control', 'public, max-age=31536000, immutable')
  return answer
}

/** The request for another file. `conditional: false` drops If-None-Match, so that the HTML of a 404 is always sent. */
function asset(c: Context<AppEnv>, path: string, conditional = true): Request {
  const request = new Request(new URL(path, c.req.url), { method: c.req.method, headers: c.req.raw.headers })
  if (!conditional) request.headers.delete('if-none-match')
  return request
}

async function withOrigin(c: Context<AppEnv>, answer: Response): Promise<Response> {
  if (answer.status !== 200 || c.req.method === 'HEAD') return answer
  const headers = new Headers(answer.headers)
  headers.delete('content-length')
  const text = (await answer.text()).replaceAll(OWN_ORIGIN, new URL(c.env.APP_ORIGIN).origin)
  // With analytics the app starts at once, to count short visits, too.
  return new Response(c.env.ANALYTICS_KEY ? text.replace(STARTS_LATER, STARTS_NOW) : text, { status: 200, headers })
}
