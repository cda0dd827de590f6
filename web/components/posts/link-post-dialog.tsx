import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import { listText } from '#language'
import { t } from '#say'
import { Trans } from '#say/react'
import type { Post } from '../../../contract/posts.ts'
import { collectionsAtom } from '../../atoms/collections.ts'
import { linkAtom, withUndoToastAtom } from '../../atoms/outbox.ts'
import type { OverlayProps } from '../../atoms/overlays.ts'
import { CollectionsField } from '../fields/collections-field.tsx'
import { FormDialog } from '../overlays/form-dialog.tsx'
import { useSubmit } from '../overlays/use-submit.ts'

/** Adds a post to other collections, whose members then see it too. */
export function LinkPostDialog({ post, open, close, onClosed }: { post: Post } & OverlayProps<void>) {
  const collections = useAtomValue(collectionsAtom) ?? []
  const link = useSetAtom(linkAtom)
  const withUndo = useSetAtom(withUndoToastAtom)
  const [chosen, setChosen] = useState<string[]>([])
  const has = (id: string) => post.collections.some(({ collection_id }) => collection_id === id)
  const form = useSubmit(async () => {
    const title = `“${post.title}”`
    const names = collections.filter(({ id }) => chosen.includes(id)).map(({ name }) => name)
    await withUndo(link({ posts: [post.id] }, title, chosen), t`“${post.title}” added to ${listText(names)}`)
    close()
  })
  return (
    <FormDialog
      form={form}
      open={open}
      onCancel={close}
      onClosed={onClosed}
      size="sm"
      title={t`Add to another collection`}
      description={t`It also stays here. Members of the other collection see it with those of its photos that are in that collection.`}
      action={<Trans>Add</Trans>}
      reason={chosen.length === 0 ? t`Choose a collection first` : undefined}
    >
      <CollectionsField label={t`Collections`} hidden={has} value={chosen} onChange={setChosen} />
    </FormDialog>
  )
}
