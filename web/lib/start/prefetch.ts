import type { Bootstrap } from '../../../contract/bootstrap.ts'

/** The answer of `GET /api/bootstrap`, which the head script asks for before the app's code is loaded. */
interface Prefetched {
  collectionId: string | undefined
  /** Null if there is none: whoever needs a part then makes its own call. */
  answer: Promise<Bootstrap | null>
  taken: Set<string>
}

declare global {
  var prefetched: Prefetched | undefined
}

/** Milliseconds after which what nobody has taken is too old. */
const MAX_AGE = 10_000

/** Milliseconds after which the app makes the calls itself: nothing is shown until the whole answer is there. */
const TIMEOUT = 8_000

/** `content`: whether the posts and assets of the collection are needed, too. */
export function prefetch(collection?: { id: string; content: boolean }): void {
  const query = collection ? `?collection_id=${collection.id}${collection.content ? '' : '&content=false'}` : ''
  const answer = fetch(`/api/bootstrap${query}`, { headers: { accept: 'application/json' }, signal: AbortSignal.timeout(TIMEOUT) })
    .then((response): Promise<Bootstrap> | null => (response.ok ? response.json() : null))
    .catch(() => null)
  const mine = { collectionId: collection?.id, answer, taken: new Set<string>() }
  globalThis.prefetched = mine
  void answer.then(() => setTimeout(() => globalThis.prefetched === mine && dropPrefetched(), MAX_AGE))
}

/** Call when another user may be signed in. */
export function dropPrefetched(): void {
  globalThis.prefetched = undefined
}
