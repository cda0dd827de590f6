import { escapeHtml } from '../../contract/text.ts'

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0', '#39': "'" }

/** Replaces the entities that `sanitizeHtml` writes. */
export const unescaped = (html: string) => html.replace(/&(#39|[a-z]+);/g, (whole, name: string) => ENTITIES[name] ?? whole)

/**
 * Puts `origin` before relative links, for a text that is read outside the site. Links within the text (`#…`) stay. Only for HTML from
 * `sanitizeHtml`, which writes href first.
 */
export function withAbsoluteLinks(html: string, origin: string): string {
  return html.replace(/<a href="([^"#][^"]*)"/g, (_, href: string) => `<a href="${escapeHtml(new URL(unescaped(href), origin).href)}"`)
}
