import { atom } from 'jotai'
import { LIMITS } from '../../contract/limits.ts'
import { type Draft, draftsOf, editsOf, writeDraft, writeEdit } from '../lib/drafts.ts'
import { fieldsOf } from '../lib/outbox-merge.ts'
import { Action } from '../lib/outbox-types.ts'
import { draftOf, fieldsOfDraft, patchOf } from '../lib/post-draft.ts'
import { confirmedCollectionsAtom } from './collections.ts'
import { refuseAtom } from './outbox-actions.ts'
import { REVIEW_LIST, reviewAtom } from './pending.ts'
import { personNameAtom } from './profile.ts'
import { sessionUserIdAtom } from './session.ts'
import { addToastAtom } from './toasts.ts'

/**
 * What somebody was writing where they no longer come in cannot be opened there any more: it goes to what is not saved yet, from where
 * it can be copied, or posted somewhere else.
 */
export const keepLostDraftsAtom = atom(null, async (get, set): Promise<void> => {
  const userId = get(sessionUserIdAtom)
  const collections = get(confirmedCollectionsAtom)
  if (!userId || !collections) return
  const theirs = new Set(collections.map(({ id }) => id))
  let kept = 0
  for (const { collectionId, type, draft } of draftsOf(userId)) {
    if (theirs.has(collectionId)) continue
    const title = titleOf(draft)
    const post = { ...fieldsOfDraft({ ...draft, title }, []), id: draft.id, collectionIds: [collectionId] }
    const action = Action.safeParse({ kind: 'create', post, author: get(personNameAtom) }).data
    if (!action) continue
    // Taken away first: another tab looks as well.
    writeDraft(userId, collectionId, type, null)
    await set(refuseAtom, collectionId, action, title).catch(() => writeDraft(userId, collectionId, type, draft))
    kept++
  }
  for (const { base, draft } of editsOf(userId)) {
    const [first] = base.collections
    if (!first || base.collections.some(({ collection_id }) => theirs.has(collection_id))) continue
    const patch = patchOf(draftOf(base, first.collection_id), { ...draft, title: titleOf(draft) }, draft.pictures)
    const action = Action.safeParse({ kind: 'editPost', id: base.id, patch, before: fieldsOf(base), version: base.version }).data
    if (!action) continue
    writeEdit(userId, base.id, null)
    await set(refuseAtom, first.collection_id, action, base.title).catch(() => writeEdit(userId, base.id, { base, draft }))
    kept++
  }
  if (kept === 0 || get(sessionUserIdAtom) !== userId) return
  set(addToastAtom, {
    id: 'lost-drafts',
    title: 'What you were writing is kept',
    description: 'Copy it, or post it into another collection.',
    icon: 'draft',
    type: 'background',
    actions: [{ label: 'Show', onClick: () => set(reviewAtom, REVIEW_LIST) }],
    duration: 15_000,
  })
})

const titleOf = ({ title }: Draft) => title.trim().slice(0, LIMITS.postTitle) || 'Without a title'
