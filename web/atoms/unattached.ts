import { atom } from 'jotai'
import type { Collection } from '../../contract/collections.ts'
import { listUnattached, UNATTACHED_ITEMS } from '../../contract/usage.ts'
import { call } from '../lib/api.ts'
import type { Item } from '../lib/bulk/plan.ts'
import { itemsPhrase } from '../lib/bulk/words.ts'
import { isPost } from '../lib/content/is-post.ts'
import { nameOf } from './bulk.ts'
import { bulkAtom, withUndoToastAtom } from './outbox.ts'
import type { BulkChange } from './outbox-types.ts'
import { unsavedCountAtom } from './pending.ts'
import { personalAtom } from './personal.ts'

interface Unattached {
  items: Item[]
  /** Whether the server has more than it has sent. */
  more: boolean
}

const stateAtom = personalAtom<Unattached | null>(null)
/** Items changed here that the server may still list. */
const goneAtom = personalAtom<ReadonlySet<string>>(new Set<string>())

/** The user's own items that are in no collection, last added first; null until known. */
export const unattachedAtom = atom((get) => {
  const [state, gone] = [get(stateAtom), get(goneAtom)]
  return state && { ...state, items: state.items.filter(({ id }) => !gone.has(id)) }
})

/** Throws ApiError. */
export const fetchUnattachedAtom = atom(null, async (get, set): Promise<void> => {
  const saved = get(unsavedCountAtom) === 0
  const { posts, assets } = await call(listUnattached)
  const items = [...posts, ...assets].sort((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at))
  set(stateAtom, () => ({ items, more: Math.max(posts.length, assets.length) === UNATTACHED_ITEMS }))
  if (saved) set(goneAtom, () => new Set())
})

const changeAtom = atom(null, async (_get, set, items: readonly Item[], change: BulkChange, title: string): Promise<void> => {
  const ids = (post: boolean) => items.filter((item) => isPost(item) === post).map(({ id }) => id)
  const done = set(bulkAtom, { posts: ids(true), assets: ids(false) }, itemsPhrase(items), change)
  await set(withUndoToastAtom, done, title, change.kind === 'trash' ? 'delete' : 'collections-bookmark')
  set(goneAtom, (before) => new Set([...before, ...items.map(({ id }) => id)]))
})

export const trashUnattachedAtom = atom(null, (_get, set, items: readonly Item[]) =>
  set(changeAtom, items, { kind: 'trash' }, `${nameOf(items)} moved to the trash`),
)

export const addUnattachedAtom = atom(null, (_get, set, items: readonly Item[], { id, name }: Collection) =>
  set(changeAtom, items, { kind: 'link', collectionIds: [id] }, `${nameOf(items)} added to ${name}`),
)
