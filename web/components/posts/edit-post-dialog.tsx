import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import { listText, type Said, say } from '#language'
import { msg, t } from '#say'
import { Trans } from '#say/react'
import { type Post, PostEdit } from '../../../contract/posts.ts'
import { photosOf } from '../../atoms/awaited-photos.ts'
import { assetsAtom, postsAtom } from '../../atoms/content.ts'
import { editPostAtom, linkAtom, unlinkAtom, withUndoToastAtom } from '../../atoms/outbox.ts'
import type { OverlayProps } from '../../atoms/overlays.ts'
import { selectedCollectionIdAtom } from '../../atoms/selected-collection.ts'
import { sessionUserIdAtom } from '../../atoms/session.ts'
import { uploadItemsAtom } from '../../atoms/uploads.ts'
import { checkInput } from '../../lib/api.ts'
import type { Field } from '../../lib/outbox/merge.ts'
import { type Draft, readEdit, writeEdit } from '../../lib/posts/drafts.ts'
import { changesOf, draftOf, isDirty, mergeChanges, mergedBase, patchOf } from '../../lib/posts/post-draft.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/states.tsx'
import { useEditing } from '../live/use-editing.ts'
import { comparable } from '../outbox/unsaved-words.ts'
import { useDiscard } from '../overlays/use-discard.ts'
import { type PostPhotoIds, useAwaitPhotos } from '../uploads/use-await-photos.ts'
import { type FormState, PostForm } from './form.tsx'
import { fresh } from './new-post-dialog.tsx'

/** Edits a post. Only fields that differ from the form's initial values are sent, so that others can change the rest at the same time. */
export function EditPostDialog({ post, open, close, onClosed }: { post: Post } & OverlayProps<void>) {
  const userId = useAtomValue(sessionUserIdAtom) ?? ''
  const here = useAtomValue(selectedCollectionIdAtom) ?? ''
  const [left] = useState(() => readEdit(userId, post.id))
  const [restored, setRestored] = useState(left !== null)
  const startOf = useStartOf(userId, here)
  const theirs = useAtomValue(postsAtom).find(({ id }) => id === post.id) ?? post
  // The row that the form started from, regardless of later updates that are not merged.
  const [started, setStarted] = useState(left?.base ?? post)
  const [form, setForm] = useState<FormState>(() => {
    const start = left?.start ?? startOf(started)
    return { start, draft: left?.draft ?? start, generation: 0 }
  })
  const base = withArrived(started, theirs, form.start.pictures)
  useEditing(open ? base.id : null)
  const saveEdit = useSave(base, here)
  const keep = (draft: Draft | null, start = form.start) => writeEdit(userId, post.id, draft && { base, start, draft })
  const { newer, mergeTheirs } = useNewer(base, { theirs, form, setForm, setStarted, startOf })

  const save = async (draft: Draft, pictures: PostPhotoIds) => {
    await saveEdit({ start: form.start, draft, pictures })
    keep(null)
    close()
  }
  const startOver = useDiscard(true, () => {
    keep(null)
    setRestored(false)
    setStarted(theirs)
    setForm({ ...fresh(startOf(theirs)), generation: form.generation + 1 })
  })
  return (
    <PostForm
      title={form.draft.type === 'event' ? t`Edit event` : t`Edit note`}
      submit={t`Save`}
      {...{ form, open, onClosed }}
      known={base.assets}
      notice={
        <>
          {restored && (
            <Notice
              action={
                <Button size="sm" onClick={() => void startOver()}>
                  <Trans>Start over</Trans>
                </Button>
              }
            >
              <Trans>Your unsaved changes have been restored.</Trans>
            </Notice>
          )}
          {newer && <NewerNotice {...newer} onMerge={mergeTheirs} />}
        </>
      }
      onChange={(draft, start) => {
        setForm((current) => ({ ...current, draft, ...(start && { start }) }))
        keep(isDirty(start ?? form.start, draft) ? draft : null, start)
      }}
      onSubmit={save}
      onDiscard={() => {
        keep(null)
        close()
      }}
    />
  )
}

/** Returns the initial values of the form for a row of the post, with photos that are still uploading. */
function useStartOf(userId: string, here: string) {
  const items = useAtomValue(uploadItemsAtom)
  const assets = useAtomValue(assetsAtom)
  return (post: Post): Draft => {
    const present = new Set([...items, ...assets].map(({ id }) => id))
    return { ...draftOf(post, here), pictures: photosOf(post, userId, present) }
  }
}

/** The row, with photos that were awaited when the form opened and have arrived since: they are no change by another person. */
function withArrived(base: Post, theirs: Post, expected: readonly string[]): Post {
  const now = theirs.assets.map(({ id }) => id)
  const isOwn = base.assets.every(({ id }) => now.includes(id)) && expected.filter((id) => now.includes(id)).join() === now.join()
  return isOwn ? { ...base, assets: theirs.assets } : base
}

/** Saves through the mutation queue, which reports a conflict when another user changed the same fields. */
function useSave(base: Post, here: string) {
  const edit = useSetAtom(editPostAtom)
  const link = useSetAtom(linkAtom)
  const unlink = useSetAtom(unlinkAtom)
  const awaitPhotos = useAwaitPhotos()
  const withUndo = useSetAtom(withUndoToastAtom)
  return async ({ start, draft, pictures }: { start: Draft; draft: Draft; pictures: PostPhotoIds }) => {
    const wanted = { ...draft, pictures: pictures.wanted }
    const patch = checkInput(PostEdit, patchOf(start, wanted, pictures.arrived))
    const name = draft.title.trim()
    const title = `“${name}”`
    if (Object.keys(patch).length > 0) await withUndo(edit(base.id, patch, { base }), t`“${name}” changed`, 'edit')
    if (patch.existingAssetIds) awaitPhotos(here, base.id, pictures)
    const added = draft.collections.filter((id) => !start.collections.includes(id))
    const gone = start.collections.filter((id) => !draft.collections.includes(id))
    if (added.length > 0) await link({ posts: [base.id] }, title, added)
    for (const id of gone) await unlink({ posts: [base.id] }, title, id)
  }
}

interface NewerOptions {
  theirs: Post
  form: FormState
  setForm: (form: FormState) => void
  setStarted: (base: Post) => void
  startOf: (post: Post) => Draft
}

/** Changes that another user saved while the form was open, until they are merged. */
function useNewer(base: Post, { theirs, form, setForm, setStarted, startOf }: NewerOptions) {
  const [seen, setSeen] = useState(base.version)
  const { start, draft, generation } = form
  if (theirs.version <= seen) return { newer: null, mergeTheirs: () => undefined }
  const own = patchOf(start, draft, draft.pictures)
  const changes = changesOf(base, theirs, own)
  const mergeTheirs = () => {
    const next = mergeChanges({ start, draft }, startOf(theirs))
    setForm({ ...next, generation: next.draft.body === draft.body ? generation : generation + 1 })
    setStarted(mergedBase(base, theirs, own))
    setSeen(theirs.version)
  }
  return { newer: changes.theirs.length > 0 ? changes : null, mergeTheirs }
}

interface NewerNoticeProps {
  /** Fields that the other user changed. */
  theirs: readonly Field[]
  /** The fields among them that this user changed as well. */
  both: readonly Field[]
  onMerge: () => void
}

/** Another user saved the post that is being edited. The form keeps its values until the user chooses to merge. */
function NewerNotice({ theirs, both, onMerge }: NewerNoticeProps) {
  const free = theirs.filter((field) => !both.includes(field))
  const [changed, alsoMine] = [wordsOf(theirs), wordsOf(both)]
  return (
    <Notice
      action={
        <Button size="sm" onClick={onMerge}>
          {free.length > 0 ? t`Add their changes` : t`Continue editing`}
        </Button>
      }
    >
      <Trans>Another person has changed {changed}.</Trans>
      {both.length > 0 && (
        <>
          {' '}
          <Trans>You also changed {alsoMine}: your version stays here, and you can compare both when you save.</Trans>
        </>
      )}
    </Notice>
  )
}

/** As objects of “has changed”. */
const PHRASES: Record<Field, Said> = {
  type: msg({ message: 'the type', context: 'changed' }),
  kind: msg({ message: 'the kind', context: 'changed' }),
  title: msg({ message: 'the title', context: 'changed' }),
  body: msg({ message: 'the text', context: 'changed' }),
  name: msg({ message: 'the name', context: 'changed' }),
  alt: msg({ message: 'the description', context: 'changed' }),
  date: msg({ message: 'the date', context: 'changed' }),
  dateZone: msg({ message: 'the time zone', context: 'changed' }),
  datePrecision: msg({ message: 'the precision', context: 'changed' }),
  endsAt: msg({ message: 'the end', context: 'changed' }),
  location: msg({ message: 'the place', context: 'changed' }),
  placeHidden: msg({ message: 'who sees where', context: 'changed' }),
  peopleIds: msg({ message: 'the people', context: 'changed' }),
  existingAssetIds: msg({ message: 'the photos', context: 'changed' }),
}

const wordsOf = (fields: readonly Field[]) => listText(comparable(fields).map((field) => say(PHRASES[field])))
