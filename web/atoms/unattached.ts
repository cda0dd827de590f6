import { atom } from 'jotai'
import { t } from '#say'
import { bulkAssets, bulkPosts } from '../../contract/bulk.ts'
import type { Collection } from '../../contract/collections.ts'
import { restoreTrash } from '../../contract/trash.ts'
import { listUnattached, UNATTACHED_ITEMS } from '../../contract/usage.ts'
import { named } from '../lib/action-error.ts'
import { call } from '../lib/api.ts'
import type { Item } from '../lib/bulk/plan.ts'
import { idsOf, nameOf } from './bulk.ts'
import { withUndoOfServerAtom } from './outbox.ts'
import { personalAtom } from './personal.ts'
import { addToastAtom } from './toasts.ts'

interface Unattached {
  items: Item[]
  /** Whether the server has more than it has sent. */
  more: boolean
}

const stateAtom = personalAtom<Unattached | null>(null)
/** Items of the list that have been changed since. */
const goneAtom = personalAtom<ReadonlySet<string>>(new Set<string>())

/** The user's own items that are in no collection, last added first; null until known. */
export const unattachedAtom = atom((get) => {
  const [state, gone] = [get(stateAtom), get(goneAtom)]
  return state && { ...state, items: state.items.filter(({ id }) => !gone.has(id)) }
})

/** Throws ApiError. */
export const fetchUnattachedAtom = atom(null, async (_get, set): Promise<void> => {
  const { posts, assets } = await call(listUnattached)
  const items = [...posts, ...assets].sort((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at))
  set(stateAtom, () => ({ items, more: Math.max(posts.length, assets.length) === UNATTACHED_ITEMS }))
  set(goneAtom, () => new Set())
})

const CALLS = { post: bulkPosts, asset: bulkAssets }

/** Sent at once, not by the mutation queue, whose changes belong to a collection. */
const changeAtom = atom(
  null,
  async (_get, set, items: readonly Item[], send: (kind: 'post' | 'asset', ids: string[]) => Promise<unknown>) => {
    const { posts, assets } = idsOf(items)
    for (const [kind, ids] of [
      ['post', posts],
      ['asset', assets],
    ] as const) {
      if (ids.length === 0) continue
      await named(t`They could not be changed`, send(kind, ids))
      set(goneAtom, (before) => new Set([...before, ...ids]))
    }
  },
)

/** Throws ActionError. */
export const trashUnattachedAtom = atom(null, async (_get, set, items: readonly Item[]) => {
  await set(changeAtom, items, (kind, ids) => call(CALLS[kind].trash, { body: { ids } }))
  const undo = async () => {
    const { posts, assets } = idsOf(items)
    await call(restoreTrash, { body: { postIds: posts, assetIds: assets } })
    await set(fetchUnattachedAtom)
  }
  set(withUndoOfServerAtom, { title: t`${nameOf(items)} moved to the trash`, icon: 'delete', undo })
})

/** Throws ActionError. */
export const addUnattachedAtom = atom(null, async (_get, set, items: readonly Item[], { id, name }: Collection) => {
  await set(changeAtom, items, (kind, ids) => call(CALLS[kind].addToCollections, { body: { ids, collectionIds: [id] } }))
  set(addToastAtom, { title: t`${nameOf(items)} added to ${name}`, icon: 'check-circle' })
})
