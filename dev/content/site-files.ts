import { type BuildMeta, LATEST_PATH, metaPath } from '../../contract/site.ts'
import { RSS } from '../../web/lib/page-links.ts'
import { ROBOTS, rssFeed, sitemap } from './feeds.ts'
import type { Site } from './read-site.ts'

/** The files besides the pages, by path. */
export function siteFiles({ home, pages, rules }: Site, id: string): Map<string, string> {
  const payloads = pages.map(({ payload }) => payload)
  const blog = payloads.find(({ kind }) => kind === 'blog')
  const meta: BuildMeta = { id, matcher: { static: rules }, prerendered: [home, ...payloads].map((page) => page.path).toSorted() }
  return new Map([
    [metaPath(id), JSON.stringify(meta)],
    [LATEST_PATH, JSON.stringify({ id })],
    ['/sitemap.xml', sitemap(payloads)],
    ['/robots.txt', ROBOTS],
    ...(blog
      ? [
          [
            RSS,
            rssFeed(
              blog,
              payloads.filter(({ kind }) => kind === 'post'),
            ),
          ] as const,
        ]
      : []),
  ])
}
