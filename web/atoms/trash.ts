import { atom } from 'jotai'
import { t } from '#say'
import { deleteTrash, listTrash, TRASH_DELETION } from '../../contract/trash.ts'
import type { z } from '../../contract/zod.ts'
import { ApiError, call } from '../lib/api.ts'
import { itemsPhrase } from '../lib/bulk/words.ts'
import { messageOf } from '../lib/message-of.ts'
import { idsOf, nameOf } from './bulk.ts'
import { restoreItemsAtom, withUndoToastAtom } from './outbox.ts'
import type { Change } from './outbox-types.ts'
import { unsavedCountAtom } from './pending.ts'
import { personalAtom } from './personal.ts'
import { sessionUserIdAtom } from './session.ts'

type Answer = z.output<typeof listTrash.response>
export type TrashedItem = Answer['posts'][number] | Answer['assets'][number]

interface Trash {
  items: TrashedItem[]
  nextCursor: string | null
}

const PAGE = 100

const stateAtom = personalAtom<Trash | null>(null)
const failureAtom = personalAtom<string | null>(null)
/** Items restored or deleted here that may still be in the server's trash. */
const goneAtom = personalAtom<ReadonlySet<string>>(new Set<string>())

/** Items the user may restore, last deleted first; null until known. */
export const trashListAtom = atom((get) => {
  const existing = get(stateAtom)
  const gone = get(goneAtom)
  return existing && { ...existing, items: existing.items.filter(({ id }) => !gone.has(id)) }
})
export const trashErrorAtom = atom((get) => get(failureAtom))

async function page(cursor: string | null): Promise<Trash> {
  const { posts, assets, nextCursor } = await call(listTrash, { query: { limit: PAGE, ...(cursor ? { cursor } : {}) } })
  const items = [...posts, ...assets].sort((a, b) => Date.parse(b.deleted_at) - Date.parse(a.deleted_at))
  return { items, nextCursor }
}

/** Fetches the trash. Pending changes are not in it yet; it is fetched again when they are saved. */
export const fetchTrashAtom = atom(null, async (get, set): Promise<void> => {
  try {
    const saved = get(unsavedCountAtom) === 0
    const first = await page(null)
    set(failureAtom, () => null)
    set(stateAtom, () => first)
    if (saved) set(goneAtom, () => new Set())
  } catch (error) {
    set(failureAtom, () => messageOf(error))
  }
})

export const fetchMoreTrashAtom = atom(null, async (get, set): Promise<void> => {
  const existing = get(stateAtom)
  if (!existing?.nextCursor) return
  const next = await page(existing.nextCursor)
  const known = new Set(existing.items.map(({ id }) => id))
  set(stateAtom, () => ({ items: [...existing.items, ...next.items.filter(({ id }) => !known.has(id))], nextCursor: next.nextCursor }))
})

/** Restores items with their links, people and photos, in every collection they were in. */
export const restoreAtom = atom(null, async (_get, set, items: readonly TrashedItem[]): Promise<void> => {
  if (items.length === 0) return
  const done: Promise<Change> = set(restoreItemsAtom, items, itemsPhrase(items))
  await set(withUndoToastAtom, done, t`${nameOf(items)} restored`, 'undo')
  set(goneAtom, (before) => new Set([...before, ...items.map(({ id }) => id)]))
})

/** Restores all items, including those on pages not shown yet. */
export const restoreAllAtom = atom(null, async (get, set): Promise<void> => {
  while (get(stateAtom)?.nextCursor) await set(fetchMoreTrashAtom)
  await set(restoreAtom, get(trashListAtom)?.items ?? [])
})

/**
 * Deletes the user's own items permanently; all of the trash without `items`, including those on pages not shown yet. After a failure the list is
 * fetched again: some may not be in the trash any more.
 */
export const deletePermanentlyAtom = atom(null, async (get, set, items?: readonly TrashedItem[]): Promise<void> => {
  while (!items && get(stateAtom)?.nextCursor) await set(fetchMoreTrashAtom)
  const own = (items ?? get(trashListAtom)?.items ?? []).filter(({ user_id }) => user_id === get(sessionUserIdAtom))
  for (let at = 0; at < own.length; at += TRASH_DELETION) {
    const some = own.slice(at, at + TRASH_DELETION)
    const { posts, assets } = idsOf(some)
    try {
      await call(deleteTrash, { body: { postIds: posts, assetIds: assets } })
    } catch (error) {
      await set(fetchTrashAtom)
      const changed = error instanceof ApiError && error.code === 'not_found'
      throw changed ? new Error(t`The trash has changed meanwhile. Look at the list, and try again.`) : error
    }
    set(goneAtom, (before) => new Set([...before, ...some.map(({ id }) => id)]))
  }
})
