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

/** The call that a part stands for, by the field of its answer. */
type Part = 'session' | 'theme' | 'collections' | 'invitedCollections'
type PartOfCollection = 'members' | 'people' | 'invites' | 'posts' | 'assets'

/** `content`: whether the posts and assets of the collection are needed, too. */
export function prefetch(collection?: { id: string; content: boolean }): void {
  const query = collection ? `?collection_id=${collection.id}${collection.content ? '' : '&content=false'}` : ''
  const answer = fetch(`/api/bootstrap${query}`, { headers: { accept: 'application/json' } })
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

/** The answer of one call, for the first caller only. Resolves to undefined, or is undefined, if there is none. */
export function takePrefetched(part: Part): Promise<unknown> | undefined {
  return take(part, (all) => (part === 'session' ? { ...all, ...all.session } : part in all && all))
}

/** The same for a call about a collection, if the answer is of this revision at least. */
export function takeOfCollection(part: PartOfCollection, collectionId: string, revision = 0): Promise<unknown> | undefined {
  if (globalThis.prefetched?.collectionId !== collectionId) return undefined
  return take(part, (all) => {
    if ((all.revision ?? -1) < revision) return undefined
    return part === 'posts' || part === 'assets' ? all.content && { ...all, ...all.content[part] } : part in all && all
  })
}

export function takeTicket(room: string) {
  return take(room, ({ tickets }) => tickets?.find((ticket) => ticket.room === room))
}

function take<T>(name: string, pick: (all: Bootstrap) => T): Promise<T | undefined> | undefined {
  const { prefetched } = globalThis
  if (!prefetched || prefetched.taken.has(name)) return undefined
  prefetched.taken.add(name)
  return prefetched.answer.then((all) => (all ? pick(all) : undefined))
}
