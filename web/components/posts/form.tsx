import { useAtomValue, useSetAtom } from 'jotai'
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import { newId } from '../../../contract/ids.ts'
import { LIMITS } from '../../../contract/limits.ts'
import type { PostAsset } from '../../../contract/posts.ts'
import { selectedCollectionAtom } from '../../atoms/collections.ts'
import { assetsAtom } from '../../atoms/content.ts'
import { addErrorToastAtom } from '../../atoms/toasts.ts'
import { addFilesAtom, uploadItemsAtom } from '../../atoms/uploads.ts'
import type { Draft } from '../../lib/posts/drafts.ts'
import { isDirty } from '../../lib/posts/post-draft.ts'
import { assetIdsOf } from '../../lib/uploads/items.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { CollectionsField } from '../fields/collections-field.tsx'
import { FormFailure } from '../overlays/form-failure.tsx'
import { useAct } from '../overlays/use-act.ts'
import { useDiscard } from '../overlays/use-discard.ts'
import { useSubmit } from '../overlays/use-submit.ts'
import { DropZone } from '../uploads/drop-zone.tsx'
import type { PostPhotoIds } from '../uploads/use-await-photos.ts'
import { PostDetails } from './details.tsx'
import { atMostPhotos, PostPhotos } from './photos.tsx'
import { TextField } from './text-field.tsx'

/** Initial and current values of the form. `generation` grows when the text is replaced from outside. */
export interface FormState {
  start: Draft
  draft: Draft
  generation: number
}

interface PostFormProps {
  title: string
  /** The verb on the button. */
  submit: string
  form: FormState
  notice?: ReactNode
  /** Assets that the post had, though they may not be in the open collection. */
  known?: readonly PostAsset[]
  open: boolean
  /** With `start` if ids of photos in it have changed as well. */
  onChange: (draft: Draft, start?: Draft) => void
  onSubmit: (draft: Draft, pictures: PostPhotoIds) => Promise<void>
  /** Closed without saving, after a confirmation if changes would be lost. */
  onDiscard: () => void
  onClosed: () => void
}

const NONE: readonly PostAsset[] = []

/** The dialog for writing and editing posts. */
export function PostForm(props: PostFormProps) {
  const { title, form, notice, known = NONE, open, onChange, onSubmit, onDiscard, onClosed } = props
  const { start, draft, generation } = form
  const pictures = usePostPhotos(draft, known)
  const { busy, failure, fields, formRef, submit } = useSubmit(() => onSubmit(draft, pictures))
  const discard = useDiscard(isDirty(start, draft) && !busy, onDiscard)
  // Late results, such as the name of a town or a photo, are merged into the form's current values.
  const latest = useRef(draft)
  latest.current = draft
  const set = (change: Partial<Draft>, newStart?: Draft) => {
    latest.current = { ...latest.current, ...change }
    onChange(latest.current, newStart)
  }
  const tag = (id: string) => {
    const { people } = latest.current
    if (!people.includes(id) && people.length < LIMITS.peoplePerItem) set({ people: [...people, id] })
  }
  useSettledIds(form, (ids, startIds) => open && !busy && set({ pictures: ids }, { ...start, pictures: startIds }))
  const addFiles = useNewPhotos({
    room: LIMITS.assetsPerPost - pictures.wanted.length,
    onAdded: (ids) => set({ pictures: [...latest.current.pictures, ...ids] }),
    onFailed: (ids) => open && set({ pictures: latest.current.pictures.filter((id) => !ids.includes(id)) }),
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    submit()
  }
  return (
    <Dialog
      open={open}
      onClose={() => void discard()}
      onClosed={onClosed}
      size="xl"
      full
      title={title}
      wrap={(content) => (
        <form ref={formRef} onSubmit={submit} onKeyDown={onKeyDown} noValidate className="flex min-h-0 grow flex-col">
          {content}
        </form>
      )}
      footer={
        <>
          <Button onClick={() => void discard()}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" variant="primary" loading={busy} title={t`Ctrl-Enter`}>
            {props.submit}
          </Button>
        </>
      }
    >
      {open && <DropZone toPost={addFiles} />}
      <div className="grid gap-5">
        <FormFailure failure={failure} busy={busy} onRetry={submit} />
        {notice}
        <div className="grid gap-x-8 gap-y-5 lg:grid-cols-[minmax(0,1fr)_21rem]">
          <div className="grid content-start gap-5">
            <Field label={t`Title`} error={fields.title}>
              {(control) => (
                <Input
                  {...control}
                  value={draft.title}
                  onChange={(event) => set({ title: event.target.value })}
                  autoComplete="off"
                  dir="auto"
                  autoFocus
                  required
                />
              )}
            </Field>
            <TextField
              key={generation}
              label={t`Text`}
              placeholder={draft.type === 'event' ? t`What happened?` : t`Write something`}
              value={draft.body}
              error={fields.body}
              onChange={(body) => set({ body })}
              onTag={tag}
            />
            <PostPhotos
              value={pictures.wanted}
              known={known}
              error={fields.existingAssetIds}
              onChange={(ids) => set({ pictures: ids })}
              onFiles={addFiles}
            />
          </div>
          <div className="grid content-start gap-5">
            <PostDetails {...{ draft, fields }} pictures={pictures.arrived} onChange={set} />
            <CollectionsField
              label={t({ message: 'Also in', comment: 'Above a list of collections' })}
              value={draft.collections}
              onChange={(collections) => set({ collections })}
            />
          </div>
        </div>
      </div>
    </Dialog>
  )
}

/** A duplicate upload resolves to the existing asset, under another id. */
function usePostPhotos(draft: Draft, known: readonly PostAsset[]): PostPhotoIds {
  const items = useAtomValue(uploadItemsAtom)
  const assets = useAtomValue(assetsAtom)
  return useMemo(() => {
    const there = new Set([...assets, ...known].map(({ id }) => id))
    const ids = assetIdsOf(draft.pictures, items)
    const arrived = ids.filter((id) => there.has(id))
    // Cancelled uploads and trashed assets are no longer awaited.
    const wanted = ids.filter((id) => there.has(id) || items.some((item) => item.id === id))
    return { wanted, arrived }
  }, [draft.pictures, items, assets, known])
}

/** The upload queue drops finished items after a reload or when more are added; the draft keeps them. */
function useSettledIds({ start, draft }: FormState, onChange: (ids: string[], startIds: string[]) => void) {
  const items = useAtomValue(uploadItemsAtom)
  const [ids, startIds] = [assetIdsOf(draft.pictures, items), assetIdsOf(start.pictures, items)]
  const differ = ids.join() !== draft.pictures.join() || startIds.join() !== start.pictures.join()
  useEffect(() => {
    if (differ) onChange(ids, startIds)
  })
}

interface NewPhotosOptions {
  /** How many more photos the post can have. */
  room: number
  onAdded: (ids: string[]) => void
  onFailed: (ids: string[]) => void
}

/** New files go through the upload queue, under ids that are known at once. Files that the post has no room for are not uploaded. */
function useNewPhotos(options: NewPhotosOptions) {
  const collection = useAtomValue(selectedCollectionAtom)
  const upload = useSetAtom(addFilesAtom)
  const act = useAct()
  const addError = useSetAtom(addErrorToastAtom)
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  return useMemo(() => {
    return async (given: readonly File[]) => {
      const files = given.slice(0, Math.max(0, latest.current.room))
      if (files.length < given.length) addError(atMostPhotos())
      if (!collection || files.length === 0) return
      const known = files.map(() => ({ id: newId() }))
      const ids = known.map(({ id }) => id)
      latest.current.onAdded(ids)
      if (!(await act(() => upload(collection.id, files, known)))) latest.current.onFailed(ids)
    }
  }, [collection, upload, act, addError])
}
