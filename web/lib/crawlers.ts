/** Programs that read pages for search engines, archives and link previews. (CUBOT makes phones.) */
const CRAWLER = /(?<!cu)bot\b|crawl|spider|slurp|archiver|facebookexternalhit|whatsapp|embedly/i

export function isCrawler(userAgent = navigator.userAgent): boolean {
  return CRAWLER.test(userAgent)
}
