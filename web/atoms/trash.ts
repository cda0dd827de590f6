import { atom } from 'jotai'
import { listTrash } from '../../contract/trash.ts'
import type { z } from '../../contract/zod.ts'
import { call } from '../lib/api.ts'
import { itemsPhrase } from '../lib/bulk/words.ts'
import { messageOf } from '../lib/message-of.ts'
import { nameOf } from './bulk.ts'
import { restoreItemsAtom, withUndoToastAtom } from './outbox.ts'
import type { Change } from './outbox-types.ts'
import { unsavedCountAtom } from './pending.ts'
import { personalAtom } from './personal.ts'

type Answer = z.output<typeof listTrash.response>
export type TrashedItem = Answer['posts'][number] | Answer['assets'][number]

interface Trash {
  items: TrashedItem[]
  nextCursor: string | null
}

const PAGE = 100

const stateAtom = personalAtom<Trash | null>(null)
const failureAtom = personalAtom<string | null>(null)
/** Restored here, and perhaps not yet there. */
const restoredAtom = personalAtom<ReadonlySet<string>>(new Set<string>())

/** What the person may restore, last deleted first; null until it is known. */
export const trashListAtom = atom((get) => {
  const existing = get(stateAtom)
  const restored = get(restoredAtom)
  return existing && { ...existing, items: existing.items.filter(({ id }) => !restored.has(id)) }
})
export const trashErrorAtom = atom((get) => get(failureAtom))

async function page(cursor: string | null): Promise<Trash> {
  const { posts, assets, nextCursor } = await call(listTrash, { query: { limit: PAGE, ...(cursor ? { cursor } : {}) } })
  const items = [...posts, ...assets].sort((a, b) => Date.parse(b.deleted_at) - Date.parse(a.deleted_at))
  return { items, nextCursor }
}

/** Asks anew. What waits to be saved is not there yet, and is asked for again when it is. */
export const fetchTrashAtom = atom(null, async (get, set): Promise<void> => {
  try {
    const saved = get(unsavedCountAtom) === 0
    const first = await page(null)
    set(failureAtom, () => null)
    set(stateAtom, () => first)
    if (saved) set(restoredAtom, () => new Set())
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

/** Brings items back with their links, people and pictures, in every collection that they were in. */
export const restoreAtom = atom(null, async (_get, set, items: readonly TrashedItem[]): Promise<void> => {
  if (items.length === 0) return
  const done: Promise<Change> = set(restoreItemsAtom, items, itemsPhrase(items))
  await set(withUndoToastAtom, done, `${nameOf(items)} restored`, 'undo')
  set(restoredAtom, (before) => new Set([...before, ...items.map(({ id }) => id)]))
})

/** Everything that may be restored, also what is not shown yet. */
export const restoreAllAtom = atom(null, async (get, set): Promise<void> => {
  while (get(stateAtom)?.nextCursor) await set(fetchMoreTrashAtom)
  await set(restoreAtom, get(trashListAtom)?.items ?? [])
})
