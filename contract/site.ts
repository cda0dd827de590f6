import { z } from './zod.ts'

// What the build tells of the site: `builds/meta/{buildId}.json`, `builds/latest.json` and `{page}/_payload.json`.

export const REDIRECT_STATUS = [301, 302] as const

export const RouteRule = z.object({
  redirect: z.object({ to: z.string(), status: z.literal(REDIRECT_STATUS) }).optional(),
  /** There is a page of HTML for it, and a payload. */
  prerender: z.boolean().optional(),
  /** Shown with `?preview` only. */
  draft: z.boolean().optional(),
  /** What stands before the page in the browser. */
  appMiddleware: z.record(z.string(), z.boolean()).optional(),
})
export type RouteRule = z.infer<typeof RouteRule>

export const BuildMeta = z.object({
  id: z.string(),
  /** Every path there is; none is a pattern. */
  matcher: z.object({ static: z.record(z.string(), RouteRule) }),
  prerendered: z.array(z.string()),
})
export type BuildMeta = z.infer<typeof BuildMeta>

export const LatestBuild = z.object({ id: z.string() })

export const PagePicture = z.object({ src: z.string(), srcset: z.string(), width: z.number(), height: z.number(), alt: z.string() })
export type PagePicture = z.infer<typeof PagePicture>

export const PageSummary = z.object({
  path: z.string(),
  title: z.string(),
  description: z.string(),
  date: z.iso.date().optional(),
  draft: z.boolean(),
  picture: PagePicture.optional(),
})
export type PageSummary = z.infer<typeof PageSummary>

export const PagePayload = PageSummary.extend({
  kind: z.enum(['page', 'post', 'blog']),
  html: z.string(),
  /** The posts that the blog lists, or a post leads on to. */
  posts: z.array(PageSummary),
})
export type PagePayload = z.infer<typeof PagePayload>

/** The rule of a path, as it is after its trailing slashes are gone. */
export function ruleOf({ matcher }: BuildMeta, path: string): RouteRule | null {
  const key = trimSlashes(path)
  return Object.hasOwn(matcher.static, key) ? (matcher.static[key] ?? null) : null
}

/** Every page has one address, without a slash at its end. */
export function trimSlashes(path: string): string {
  return path.replace(/\/+$/, '') || '/'
}

/** Drafts are not announced, and are shown to whoever asks for them. */
export function isPreview(search: URLSearchParams): boolean {
  return search.has('preview')
}

export const metaPath = (buildId: string) => `/builds/meta/${buildId}.json`
export const LATEST_PATH = '/builds/latest.json'

/** Where the data of a page is; `preview` is the same with the drafts. */
export function payloadPath(path: string, buildId: string, preview = false): string {
  return `${path === '/' ? '' : trimSlashes(path)}/_payload.json?${buildId}${preview ? '&preview' : ''}`
}

/** Stands in built pages and feeds for the app's own origin, which only the worker knows. */
export const OWN_ORIGIN = 'https://origin.invalid'

/** Where the build keeps what only `?preview` shows; nobody gets it by this address. */
export const PREVIEW_FOLDER = '/_preview'

/** Where the build keeps the home page as it has drawn it, for those who bring no session; nobody gets it by this address. */
export const HOME_FILE = '/_home'

/** On a drawn page: its app comes later (web/head). Where somebody counts visits, the worker says `now` instead. */
export const STARTS_LATER = 'data-starts="later"'
export const STARTS_NOW = 'data-starts="now"'
