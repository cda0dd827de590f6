import { atom } from 'jotai'
import type { Asset, AssetEdit } from '../../contract/assets.ts'
import type { NewPost, Post, PostEdit } from '../../contract/posts.ts'
import type { IconName } from '../ui/icon.tsx'
import type { BulkChange, Change, Items } from './outbox-types.ts'
import { unsavedCountAtom } from './pending.ts'
import { sessionUserIdAtom } from './session.ts'
import { addToastAtom } from './toasts.ts'

// Everything that a person does to posts and assets goes through here: it shows at once, survives a reload, and is sent in order.
// The queue itself is fetched when it is first needed.

const load = () => import('./outbox-actions.ts')

/** Writes a post into a collection, and into the others that it names. */
export const createPostAtom = atom(null, async (_get, set, collectionId: string, fields: NewPost): Promise<Change> => {
  return set((await load()).createAtom, collectionId, fields)
})

/** Changes what `patch` names. `base` is the row that an editor was opened with; without it, the row as it is shown now. */
export const editPostAtom = atom(null, async (_get, set, id: string, patch: PostEdit, base?: Post, into?: string): Promise<Change> => {
  return set((await load()).editPostAtom, id, patch, base, into)
})

/** The same for an asset. */
export const editAssetAtom = atom(null, async (_get, set, id: string, patch: AssetEdit, base?: Asset): Promise<Change> => {
  return set((await load()).editAssetAtom, id, patch, base)
})

/** One change to many items of the open collection, each kind in one call for a thousand. `title` is what they are called: `3 photos`. */
export const bulkAtom = atom(null, async (_get, set, items: Items, title: string, change: BulkChange): Promise<Change> => {
  return set((await load()).bulkAtom, items, title, change)
})

export const linkAtom = atom(null, (_get, set, items: Items, title: string, collectionIds: string[]) =>
  set(bulkAtom, items, title, { kind: 'link', collectionIds }),
)
export const unlinkAtom = atom(null, (_get, set, items: Items, title: string, collectionId: string) =>
  set(bulkAtom, items, title, { kind: 'unlink', collectionId }),
)
/** Takes back one change, or the latest that was made in this tab. Resolves to what it was about; null where there is nothing. */
export const undoAtom = atom(null, async (_get, set, changeId?: string): Promise<string | null> => {
  return set((await load()).undoAtom, changeId)
})

/** Says what was done, with the way back: `3 photos moved to the trash`, Undo. `description` says what was not. */
export const withUndoToastAtom = atom(
  null,
  async (_get, set, done: Promise<Change>, title: string, icon: IconName = 'check-circle', description?: string) => {
    const { id } = await done
    const actions = [{ label: 'Undo', onClick: () => void set(undoAtom, id) }]
    const note = description ?? (navigator.onLine === false ? 'It is kept on this device, and sent when there is a connection.' : undefined)
    set(addToastAtom, { id, title, icon, actions, ...(note ? { description: note } : {}) })
  },
)

/** How many changes the server has not confirmed; asked of the device, whether or not the outbox was needed so far. */
export const countUnsavedAtom = atom(null, async (get, set): Promise<number> => {
  const { openOutboxAtom } = await import('./outbox-state.ts')
  await set(openOutboxAtom, get(sessionUserIdAtom))?.ready
  return get(unsavedCountAtom)
})

/** Lets go of all that waits: its person signs out without it. */
export const discardUnsavedAtom = atom(null, async (get) => {
  const { outboxAtom } = await import('./outbox-state.ts')
  await get(outboxAtom)?.clear()
})
