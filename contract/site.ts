import { z } from './zod.ts'

// Files that the build writes: `builds/meta/{buildId}.json`, `builds/latest.json` and `{page}/_payload.json`.

export const REDIRECT_STATUS = [301, 302] as const

export const RouteRule = z.object({
  redirect: z.object({ to: z.string(), status: z.literal(REDIRECT_STATUS) }).optional(),
  /** Has prerendered HTML and a payload. */
  prerender: z.boolean().optional(),
  /** Shown only with `?preview`. */
  draft: z.boolean().optional(),
  /** Middleware of the page in the browser. */
  appMiddleware: z.record(z.string(), z.boolean()).optional(),
})
export type RouteRule = z.infer<typeof RouteRule>

export const BuildMeta = z.object({
  id: z.string(),
  /** All paths; none is a pattern. */
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
  kind: z.enum(['home', 'page', 'post', 'blog']),
  html: z.string(),
  /** The posts listed by the blog, or linked from a post. */
  posts: z.array(PageSummary),
})
export type PagePayload = z.infer<typeof PagePayload>

/** The rule of a path, without trailing slashes. */
export function ruleOf({ matcher }: BuildMeta, path: string): RouteRule | null {
  const key = trimSlashes(path)
  return Object.hasOwn(matcher.static, key) ? (matcher.static[key] ?? null) : null
}

/** Every page has one URL, without a trailing slash. */
export function trimSlashes(path: string): string {
  return path.replace(/(?<!\/)\/+$/, '') || '/'
}

/** Drafts are not linked, but shown with `?preview`. */
export function isPreview(search: URLSearchParams): boolean {
  return search.has('preview')
}

export const metaPath = (buildId: string) => `/builds/meta/${buildId}.json`
export const LATEST_PATH = '/builds/latest.json'

/** URL of a page's data; with `preview`, including drafts. */
export function payloadPath(path: string, buildId: string, preview = false): string {
  return `${path === '/' ? '' : trimSlashes(path)}/_payload.json?${buildId}${preview ? '&preview' : ''}`
}

/** Placeholder in built pages and feeds for the app's origin, which only the worker knows. */
export const OWN_ORIGIN = 'https://origin.invalid'

/** Folder of the pages with drafts. Not served under this path. */
export const PREVIEW_FOLDER = '/_preview'

/** Folder of the prerendered home page, for visitors without a session. Not served under this path. */
export const HOME_FOLDER = '/_home'
export const homeFile = (language: string) => `${HOME_FOLDER}/${language}`

/** Attribute of a prerendered page: the app starts later (web/head). With analytics, the worker replaces it with STARTS_NOW. */
export const STARTS_LATER = 'data-starts="later"'
export const STARTS_NOW = 'data-starts="now"'
