import type { LoaderFunctionArgs, ShouldRevalidateFunctionArgs } from 'react-router'
import { t } from '#say'
import { isPreview, type PagePayload, ruleOf, trimSlashes } from '../../contract/site.ts'
import { ApiError } from '../lib/api.ts'
import { targetOf } from '../lib/navigate.ts'
import { readBuildMeta, readPage } from '../lib/site.ts'

/** Middleware that a rule may name for a page. All pages that need a session are routes of their own (routes.tsx), with their guard. */
const MIDDLEWARE = ['auth']

/** Whether a page has been loaded in this tab. */
let loaded = false

/** Whether this is the page that the browser itself has opened: opening it again would fail again. */
function isArrival({ pathname, search }: URL): boolean {
  const [opened] = performance.getEntriesByType('navigation')
  const at = opened && new URL(opened.name)
  return !loaded && at?.pathname === pathname && at.search === search
}

/** A page is the same as long as its URL is: a session that becomes known does not fetch it again. */
export function isOtherPage({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return currentUrl.href !== nextUrl.href
}

/**
 * Checks before a written page is shown that it exists, and redirects old URLs. Throws the fatal 404 for a path that the build does not
 * know.
 */
export async function loadContent({ request }: LoaderFunctionArgs): Promise<PagePayload> {
  const url = new URL(request.url)
  try {
    const rule = ruleOf(await readBuildMeta(), url.pathname)
    for (const name of Object.keys(rule?.appMiddleware ?? {}))
      if (!MIDDLEWARE.includes(name)) throw new Error(`Unknown route middleware: ${name}`)
    if (rule?.redirect) throw leadTo(rule.redirect.to, url)
    if (!rule?.prerender || (rule.draft && !isPreview(url.searchParams)))
      throw Response.json({ heading: t`Page Not Found: ${{ path: url.pathname }}` }, { status: 404 })
    if (trimSlashes(url.pathname) !== url.pathname) throw leadTo(trimSlashes(url.pathname) + url.search + url.hash, url)
    const page = await readPage(url.pathname, isPreview(url.searchParams))
    loaded = true
    return page
  } catch (error) {
    // The page can be read even if its data cannot be fetched, or belongs to a newer build.
    if (error instanceof ApiError && error.code !== 'offline' && !isArrival(url)) throw found(url.href, true)
    throw error
  }
}

function leadTo(to: string, { origin }: URL): Response {
  const target = targetOf(to, { origin, external: true })
  return target.kind === 'inside' ? found(target.path) : found(target.href, true)
}

/** The same as the router's own `redirect` and `redirectDocument`; importing these would split a chunk of the first load in two. */
function found(location: string, byBrowser = false): Response {
  return new Response(null, { status: 302, headers: { location, ...(byBrowser && { 'X-Remix-Reload-Document': 'true' }) } })
}
