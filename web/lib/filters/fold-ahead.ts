import type { Asset } from '../../../contract/assets.ts'
import type { Post } from '../../../contract/posts.ts'
import { searchTextOf } from './text.ts'

/**
 * Items folded in one go: a few milliseconds of work, about as long as browsers wait between two timers, so that 100,000 take a quarter of
 * a second.
 */
const PORTION = 4_000

/** Folds items ahead of a search, in batches so that typing stays responsive. Returns a function that stops it. */
export function foldAhead(items: readonly (Post | Asset)[]): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const go = (from: number) => {
    for (const item of items.slice(from, from + PORTION)) searchTextOf(item)
    if (from + PORTION < items.length) timer = setTimeout(go, 0, from + PORTION)
  }
  timer = setTimeout(go, 0, 0)
  return () => clearTimeout(timer)
}
