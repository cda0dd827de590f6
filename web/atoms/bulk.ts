import { atom } from 'jotai'
import { joinedParts, listText, type Said, say, sentences } from '#language'
import { msg, t } from '#say'
import type { Collection } from '../../contract/collections.ts'
import { withFullStop } from '../../contract/full-stop.ts'
import { isGuestUser } from '../../contract/links.ts'
import { may, type Role } from '../../contract/policy.ts'
import { type Item, type Plan, planUnlink } from '../lib/bulk/plan.ts'
import { itemsPhrase, skippedTexts } from '../lib/bulk/words.ts'
import { isIn, isPost } from '../lib/content/is-post.ts'
import type { IconName } from '../ui/icon.tsx'
import { circleAtom } from './circle.ts'
import { collectionsAtom, selectedCollectionAtom } from './collections.ts'
import { bulkAtom, withUndoToastAtom } from './outbox.ts'
import type { BulkChange, Change } from './outbox-types.ts'
import { mayEditAtom, mayRemoveAtom } from './rights.ts'
import { selectAtom, selectedAssetsAtom, selectedPostsAtom } from './selection.ts'
import { sessionUserIdAtom } from './session.ts'
import { withPartsAtom } from './tiles.ts'

/** All selected items, assets first. */
export const selectedItemsAtom = atom((get): Item[] => [...get(selectedAssetsAtom), ...get(selectedPostsAtom)])

export const isOwnAtom = atom((get) => {
  const userId = get(sessionUserIdAtom)
  return ({ user_id }: { user_id: string }) => user_id === userId
})

/** Collections that the user may add to, without the open one. */
export const writableCollectionsAtom = atom((get) => {
  const open = get(selectedCollectionAtom)?.id
  return (get(collectionsAtom) ?? []).filter(({ id, role }) => id !== open && may(role, 'item.link'))
})

/** For each kind of change, why the user may change none of the selected items; undefined if at least one can be changed. */
export const bulkRefusalsAtom = atom((get) => {
  const items = get(selectedItemsAtom)
  const role = get(selectedCollectionAtom)?.role
  const edit = items.some(get(mayEditAtom)) ? undefined : refusal(role, 'change')
  const remove = items.some(get(mayRemoveAtom)) ? undefined : refusal(role, 'delete')
  return {
    edit,
    remove,
    unlink: remove && refusal(role, 'remove'),
    link: items.some(get(isOwnAtom)) ? undefined : t`You can put only what you added yourself into other collections.`,
  }
})

type Deed = 'change' | 'delete' | 'remove'

const ONLY_LOOKS: Record<Deed, Said> = {
  change: msg`Your role here is to look. An admin or the owner can let you change items.`,
  delete: msg`Your role here is to look. An admin or the owner can let you delete items.`,
  remove: msg`Your role here is to look. An admin or the owner can let you remove items.`,
}
const ADDED_BY_OTHERS: Record<Deed, Said> = {
  change: msg`These were added by others. An admin or the owner can change them.`,
  delete: msg`These were added by others. An admin or the owner can delete them.`,
  remove: msg`These were added by others. An admin or the owner can remove them.`,
}

const refusal = (role: Role | undefined, deed: Deed) => say((may(role, 'item.edit', true) ? ADDED_BY_OTHERS : ONLY_LOOKS)[deed])

interface PlannedChange {
  plan: Plan
  change: BulkChange
  title: string
  icon: IconName
  /** A sentence for the toast. */
  note?: string | undefined
}

/** Applies a planned change with one toast and one Undo for all of it. The toast also names what could not be changed. Resolves to the change with the toast's title. */
export const applyPlanAtom = atom(null, async (_get, set, { plan, change, title, icon, note }: PlannedChange): Promise<Change> => {
  const done = set(bulkAtom, idsOf(plan.change), itemsPhrase(plan.change), change)
  const skipped = skippedTexts(plan)
  const text = sentences([skipped.length > 0 && withFullStop(joinedParts(skipped)), note ?? false])
  await set(withUndoToastAtom, done, title, icon, text || undefined)
  return { ...(await done), title }
})

/** Names the user's collections in which some of the items are, apart from those that they leave: `Still in Nara and Kobe.` */
const stillInAtom = atom((get) => (items: readonly Item[], leaves: (collection: Collection, item: Item) => boolean): string | undefined => {
  const stays = (get(collectionsAtom) ?? []).filter((collection) =>
    items.some((item) => isIn(item, collection.id) && !leaves(collection, item)),
  )
  return stays.length > 0 ? t`Still in ${listText(stays.map(({ name }) => name))}.` : undefined
})

/** Whether an item only leaves the open collection when it is deleted, because its author could not restore it (docs/decisions/039). */
export const staysWithAuthorAtom = atom((get) => {
  const [circle, open, isOwn] = [get(circleAtom), get(selectedCollectionAtom)?.id, get(isOwnAtom)]
  const authors = new Set(circle?.members.flatMap(({ user_id, role }) => (may(role, 'item.remove', true) ? user_id : [])))
  return (item: Item) =>
    circle !== null && circle.collectionId === open && !isOwn(item) && !isGuestUser(item.user_id) && !authors.has(item.user_id)
})

/** Moves items to the trash, with all their parts. Resolves to the change when it is stored on the device. */
export const trashItemsAtom = atom(null, async (get, set, chosen: readonly Item[]): Promise<Change> => {
  const items = get(withPartsAtom)(chosen)
  const mayRemove = get(mayRemoveAtom)
  const change = items.filter(mayRemove)
  const plan = { change, denied: items.length - change.length, already: 0, undated: 0, beyond: 0, from: '', to: '' }
  const isOwn = get(isOwnAtom)
  // As the server decides: an item stays in collections from which the user may not remove it.
  const note = get(stillInAtom)(change, ({ role }, item) => may(role, 'item.remove', isOwn(item)))
  const title = note || change.some(get(staysWithAuthorAtom)) ? t`${nameOf(change)} removed` : t`${nameOf(change)} moved to the trash`
  const done = await set(applyPlanAtom, { plan, change: { kind: 'trash' }, title, icon: 'delete', note })
  set(
    selectAtom,
    change.map(({ id }) => id),
    false,
  )
  return done
})

/** Removes items from a collection, with all their parts. */
export const unlinkItemsAtom = atom(null, async (get, set, chosen: readonly Item[], collection: Collection): Promise<void> => {
  const items = get(withPartsAtom)(chosen)
  const plan = planUnlink(items, get(mayRemoveAtom), collection.id)
  const change = { kind: 'unlink', collectionId: collection.id } as const
  const note = get(stillInAtom)(plan.change, ({ id }) => id === collection.id)
  await set(applyPlanAtom, { plan, change, title: t`${nameOf(plan.change)} removed from ${collection.name}`, icon: 'remove', note })
  set(
    selectAtom,
    plan.change.map(({ id }) => id),
    false,
  )
})

/** `“First snow”` for a single post, otherwise a count such as `3 photos`. */
export function nameOf(items: readonly Item[]): string {
  const [only] = items
  return items.length === 1 && only && isPost(only) ? t`“${only.title}”` : itemsPhrase(items)
}

export function idsOf(items: readonly Item[]) {
  const ids = (post: boolean) => items.filter((item) => isPost(item) === post).map(({ id }) => id)
  return { posts: ids(true), assets: ids(false) }
}
