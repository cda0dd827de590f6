interface Page {
  rows: number
  bytes: number
}

/** The items in their order, in pages of at most `max.rows` and `max.bytes`. A longer item has a page of its own. */
export function* pagesOf<T>(items: readonly T[], max: Page, bytesOf: (item: T) => number = () => 0): Generator<T[]> {
  let page: T[] = []
  let bytes = 0
  for (const item of items) {
    const more = bytesOf(item)
    if (page.length > 0 && (page.length >= max.rows || bytes + more > max.bytes)) {
      yield page
      page = []
      bytes = 0
    }
    page.push(item)
    bytes += more
  }
  if (page.length > 0) yield page
}
