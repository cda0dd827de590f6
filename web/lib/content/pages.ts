import type { Page, PageQuery } from './source.ts'

interface Collecting<T> {
  isCurrent: () => boolean
  existing: () => number
  put: (rows: T[]) => void
}

/** Rows of a kind that are added at once from the device, as more would block the page too long, and for which pages that ended early wait. */
const PORTION = 2_000

/**
 * Adds pages, the next of which is on its way meanwhile. Pages of long posts end early: they are added in growing batches, because every batch lays
 * out the views again.
 */
export async function collectPages<T>(
  first: string | null,
  page: (cursor: string) => Promise<Page<T>>,
  { isCurrent, existing, put }: Collecting<T>,
) {
  let waiting: T[] = []
  const ask = (cursor: string | null) => (cursor && isCurrent() ? page(cursor) : null)
  for (let asked = ask(first); asked; ) {
    const { rows, nextCursor }: Page<T> = await asked
    asked = ask(nextCursor)
    for (const row of rows) waiting.push(row)
    if (nextCursor && waiting.length < Math.min(existing(), PORTION)) continue
    put(waiting)
    waiting = []
  }
}

export function portionsOf<P, A>({ posts, assets }: { posts: P[]; assets: A[] }): { posts: P[]; assets: A[] }[] {
  const count = Math.ceil(Math.max(posts.length, assets.length) / PORTION)
  const of = <T>(rows: T[], nth: number) => rows.slice(nth * PORTION, (nth + 1) * PORTION)
  return Array.from({ length: count }, (_, nth) => ({ posts: of(posts, nth), assets: of(assets, nth) }))
}

/** All changes since a revision, as of the first page: later changes come with the next request. */
export async function allSince<T>(page: (query: PageQuery) => Promise<Page<T>>, since: number): Promise<Page<T>> {
  const all = await page({ since })
  for (let cursor = all.nextCursor; cursor; ) {
    const next = await page({ since, cursor })
    all.rows.push(...next.rows)
    all.deleted.push(...next.deleted)
    cursor = next.nextCursor
  }
  return all
}
