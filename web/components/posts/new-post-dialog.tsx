import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import { newId } from '../../../contract/ids.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { may } from '../../../contract/policy.ts'
import { NewPost, type PostType } from '../../../contract/posts.ts'
import { selectedCollectionAtom } from '../../atoms/collections.ts'
import { assetsAtom } from '../../atoms/content.ts'
import { createPostAtom, withUndoToastAtom } from '../../atoms/outbox.ts'
import type { OverlayProps } from '../../atoms/overlays.ts'
import { selectedAssetIdsAtom } from '../../atoms/selection.ts'
import { sessionUserIdAtom } from '../../atoms/session.ts'
import { checkInput } from '../../lib/api.ts'
import { dayKeyOf } from '../../lib/content/order.ts'
import { today } from '../../lib/dates/moments.ts'
import { localZone } from '../../lib/dates/zones.ts'
import { type Draft, readDraft, writeDraft } from '../../lib/posts/drafts.ts'
import { fieldsOfDraft, isDirty, resumed } from '../../lib/posts/post-draft.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/states.tsx'
import { useDiscard } from '../overlays/use-discard.ts'
import { type PostPhotoIds, useAwaitPhotos } from '../uploads/use-await-photos.ts'
import { type FormState, PostForm } from './form.tsx'

/**
 * Writes an event or a note. Items selected in the media view are attached and set the day, unless one is given. An unfinished draft in this
 * collection is offered again.
 */
export function NewPostDialog({ type, day, open, close, onClosed }: { type: PostType; day?: string } & OverlayProps<void>) {
  const collection = useAtomValue(selectedCollectionAtom)
  const userId = useAtomValue(sessionUserIdAtom) ?? ''
  const create = useSetAtom(createPostAtom)
  const awaitPhotos = useAwaitPhotos()
  const withUndo = useSetAtom(withUndoToastAtom)
  const blank = useBlank(type, day)
  const selectedIds = useAtomValue(selectedAssetIdsAtom)
  const [left] = useState(() => collection && readDraft(userId, collection.id, type))
  const [restored, setRestored] = useState(left !== null)
  const [form, setForm] = useState<FormState>(() => fresh(left ? resumed(left, day, selectedIds) : blank))
  const keep = (draft: Draft | null) => collection && writeDraft(userId, collection.id, type, draft)

  const startOver = useDiscard(true, () => {
    keep(null)
    setRestored(false)
    setForm({ ...fresh(blank), generation: form.generation + 1 })
  })
  const save = async (draft: Draft, pictures: PostPhotoIds) => {
    if (!collection) return
    const { id, title, collections } = draft
    const post = checkInput(NewPost, { id, ...fieldsOfDraft(draft, pictures.arrived), collectionIds: [collection.id, ...collections] })
    await withUndo(create(collection.id, post), t`“${title.trim()}” added to ${collection.name}`)
    awaitPhotos(collection.id, id, pictures)
    keep(null)
    close()
  }
  return (
    <PostForm
      title={form.draft.type === 'event' ? t`New event` : t`New note`}
      submit={t({ message: 'Post', context: 'verb' })}
      {...{ form, open, onClosed }}
      notice={
        <>
          {collection && !may(collection.role, 'item.add') && (
            <Notice tone="warning">
              <Trans>
                Your role in “{collection.name}” no longer allows you to add posts. Your post is kept on this device until you choose
                another collection.
              </Trans>
            </Notice>
          )}
          {restored && (
            <Notice
              action={
                <Button size="sm" onClick={() => void startOver()}>
                  <Trans>Start over</Trans>
                </Button>
              }
            >
              <Trans>Your draft has been restored.</Trans>
            </Notice>
          )}
        </>
      }
      onChange={(draft, start) => {
        setForm((current) => ({ ...current, draft, ...(start && { start }) }))
        keep(draft)
      }}
      onSubmit={save}
      onDiscard={() => {
        // A restored draft that was not changed is kept.
        if (!restored || isDirty(form.start, form.draft)) keep(null)
        close()
      }}
    />
  )
}

export const fresh = (draft: Draft): FormState => ({ start: draft, draft, generation: 0 })

/** An empty form. Its id is created once, so that a retry after a lost response does not create a second post. */
function useBlank(type: PostType, day?: string): Draft {
  const assets = useAtomValue(assetsAtom)
  const selectedIds = useAtomValue(selectedAssetIdsAtom)
  const [blank] = useState((): Draft => {
    const photos = assets.filter((asset) => selectedIds.has(asset.id))
    return {
      id: newId(),
      type,
      kind: type === 'event' ? 'trip' : 'journal',
      title: '',
      body: '',
      exact: 'day',
      day: day ?? firstDay(photos) ?? today(),
      time: '',
      zone: photos.find(({ date_zone }) => date_zone !== null)?.date_zone ?? localZone(),
      endDay: '',
      endTime: '',
      location: null,
      people: [],
      pictures: [...selectedIds].slice(0, LIMITS.assetsPerPost),
      collections: [],
    }
  })
  return blank
}

/** The earliest day among items. */
function firstDay(items: Parameters<typeof dayKeyOf>[0][]): string | null {
  const days = items.flatMap((item) => dayKeyOf(item) ?? []).toSorted()
  return days[0] ?? null
}
