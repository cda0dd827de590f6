import { OWN_ORIGIN, type PagePayload } from '../../contract/site.ts'
import { escapeHtml as escapeXml } from '../../contract/text.ts'
import { RSS } from '../../web/lib/page-links.ts'

/** An RSS feed of the posts, newest first, with their full text. */
export function rssFeed(blog: PagePayload, posts: readonly PagePayload[]): string {
  const items = posts.map(
    ({ title, path, description, date, html }) => `
    <item>
      <title>${escapeXml(title)}</title>
      <link>${OWN_ORIGIN}${path}</link>
      <guid isPermaLink="true">${OWN_ORIGIN}${path}</guid>
      <pubDate>${new Date(`${date}T08:00:00Z`).toUTCString()}</pubDate>
      <description>${escapeXml(description)}</description>
      <content:encoded>${escapeXml(absolute(html))}</content:encoded>
    </item>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/">
  <channel>
    <title>${escapeXml(blog.title)} · Cairn</title>
    <link>${OWN_ORIGIN}${blog.path}</link>
    <description>${escapeXml(blog.description)}</description>
    <language>en</language>
    <atom:link href="${OWN_ORIGIN}${RSS}" rel="self" type="application/rss+xml"/>${items.join('')}
  </channel>
</rss>
`
}

/** Feed readers need absolute links. */
function absolute(html: string): string {
  return html
    .replace(/(src|href)="\/(?!\/)/g, `$1="${OWN_ORIGIN}/`)
    .replace(/srcset="([^"]*)"/g, (_, set: string) => `srcset="${set.replace(/(^|, )\//g, `$1${OWN_ORIGIN}/`)}"`)
}

export function sitemap(pages: readonly PagePayload[]): string {
  const urls = [{ path: '/', date: undefined }, ...pages].map(
    ({ path, date }) => `\n  <url><loc>${OWN_ORIGIN}${path}</loc>${date ? `<lastmod>${date}</lastmod>` : ''}</url>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}\n</urlset>\n`
}

export const ROBOTS = `User-agent: *
Disallow: /api/

Sitemap: ${OWN_ORIGIN}/sitemap.xml
`
