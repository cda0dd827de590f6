import { atom } from 'jotai'
import { t } from '#say'
import { listCollections } from '../../contract/collections.ts'
import { LIMITS } from '../../contract/limits.ts'
import { call, unlessSignedOut } from '../lib/api.ts'
import { fieldsOf } from '../lib/outbox/merge.ts'
import { Action } from '../lib/outbox/types.ts'
import { assetDraftOf, assetPatchOf } from '../lib/photos/asset-draft.ts'
import { assetEditsOf, type Draft, draftsOf, editsOf, writeAssetEdit, writeDraft, writeEdit } from '../lib/posts/drafts.ts'
import { draftOf, fieldsOfDraft, patchOf } from '../lib/posts/post-draft.ts'
import { withLock } from '../lib/with-lock.ts'
import { refuseAtom } from './outbox.ts'
import { openOutboxAtom, outboxAtom } from './outbox-state.ts'
import { REVIEW_LIST, reviewAtom } from './pending.ts'
import { personNameAtom } from './profile.ts'
import { sessionUserIdAtom } from './session.ts'
import { addToastAtom } from './toasts.ts'

/**
 * Moves drafts of collections that the user has left to the list of unsaved changes, where they can be copied or posted elsewhere. One tab
 * at a time.
 */
export const keepLostDraftsAtom = atom(null, async (get, set): Promise<void> => {
  const userId = get(sessionUserIdAtom)
  if (userId) await withLock(`cairn-lost-drafts-${userId}`, () => unlessSignedOut(set(keepAtom, userId)))
})

const keepAtom = atom(null, async (get, set, userId: string): Promise<void> => {
  // The list in memory may lack a collection joined in another tab a moment ago.
  const theirs = new Set((await call(listCollections)).collections.map(({ id }) => id))
  await set(openOutboxAtom, userId)?.ready
  let moved = 0
  for (const { collectionId, type, draft } of draftsOf(userId)) {
    if (theirs.has(collectionId)) continue
    const title = titleOf(draft)
    const post = { ...fieldsOfDraft({ ...draft, title }, []), id: draft.id, collectionIds: [collectionId] }
    const { kind: _, datePrecision: __, ...bare } = { ...post, date: null, endsAt: null, peopleIds: [] }
    const author = get(personNameAtom)
    const action = firstOf([post, bare].map((one) => ({ kind: 'create', post: one, author })))
    if (!action || !(await set(putAsideAtom, collectionId, action, title))) continue
    writeDraft(userId, collectionId, type, null)
    moved++
  }
  for (const { base, start, draft } of editsOf(userId)) {
    const [first] = base.collections
    if (!first || base.collections.some(({ collection_id }) => theirs.has(collection_id))) continue
    const patch = patchOf(start ?? draftOf(base, first.collection_id), { ...draft, title: titleOf(draft) }, draft.pictures)
    const bare = { title: titleOf(draft), body: draft.body }
    const of = { kind: 'editPost', id: base.id, before: fieldsOf(base), version: base.version }
    const action = firstOf([patch, bare].map((one) => ({ ...of, patch: one })))
    if (!action || !(await set(putAsideAtom, first.collection_id, action, base.title))) continue
    writeEdit(userId, base.id, null)
    moved++
  }
  for (const { base, draft } of assetEditsOf(userId)) {
    const [first] = base.collections
    // The other details are of no use anywhere else.
    const { alt } = assetPatchOf(assetDraftOf(base), draft)
    if (!alt || !first || base.collections.some(({ collection_id }) => theirs.has(collection_id))) continue
    const action = firstOf([{ kind: 'editAsset', id: base.id, patch: { alt }, before: fieldsOf(base), version: base.version }])
    if (!action || !(await set(putAsideAtom, first.collection_id, action, base.name))) continue
    writeAssetEdit(userId, base.id, null)
    moved++
  }
  if (moved === 0 || get(sessionUserIdAtom) !== userId) return
  set(addToastAtom, {
    id: 'lost-drafts',
    title: t`What you were writing is kept`,
    description: t`Copy it, or post it into another collection.`,
    icon: 'draft',
    type: 'background',
    actions: [{ label: t`Show`, onClick: () => set(reviewAtom, REVIEW_LIST) }],
    duration: 15_000,
  })
})

/** Whether the draft is in the list of unsaved changes, including one put there before a tab was closed. */
const putAsideAtom = atom(null, async (get, set, collectionId: string, action: Action, title: string): Promise<boolean> => {
  const same = JSON.stringify(action)
  if (
    get(outboxAtom)
      ?.operations()
      .some((other) => JSON.stringify(other.action) === same)
  )
    return true
  return set(refuseAtom, collectionId, action, title).then(
    () => true,
    () => false,
  )
})

/** A half-written draft may not be valid; then only its text is kept. */
function firstOf(candidates: readonly object[]): Action | null {
  for (const candidate of candidates) {
    const { data } = Action.safeParse(candidate)
    if (data) return data
  }
  return null
}

const titleOf = ({ title }: Draft) => title.trim().slice(0, LIMITS.postTitle) || t`Without a title`
