import type { Page, PageQuery } from './source.ts'

interface Collecting<T> {
  isCurrent: () => boolean
  existing: () => number
  put: (rows: T[]) => void
}

/** Rows of a kind that are added at once: more would block the page too long. */
const PORTION = 2_000

/** Adds pages in growing batches: every batch lays out the views again, so fifty small ones would keep them busy. */
export async function collectPages<T>(
  first: string | null,
  page: (cursor: string) => Promise<Page<T>>,
  { isCurrent, existing, put }: Collecting<T>,
) {
  let waiting: T[] = []
  for (let cursor = first; cursor && isCurrent(); ) {
    const { rows, nextCursor } = await page(cursor)
    for (const row of rows) waiting.push(row)
    cursor = nextCursor
    if (cursor && waiting.length < Math.min(existing(), PORTION)) continue
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
