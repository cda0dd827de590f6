const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', '#39': "'" }

/** The text of sanitised HTML, a line for each block. Only for HTML from `sanitizeHtml`. */
export function plainText(html: string): string {
  return html
    .replace(/<br[^>]*>/g, '\n')
    .replace(/<li[^>]*>/g, '• ')
    .replace(/<\/(?:p|div|li|h[1-6]|blockquote|ul|ol)>/g, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(#39|[a-z]+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
