import { useSetAtom } from 'jotai'
import { useState } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import type { Collection } from '../../../contract/collections.ts'
import type { Link } from '../../../contract/links.ts'
import type { OverlayProps } from '../../atoms/overlays.ts'
import { changeShareLinkAtom } from '../../atoms/share-links.ts'
import { FormDialog } from '../overlays/form-dialog.tsx'
import { useSubmit } from '../overlays/use-submit.ts'
import { changesOf, draftOf, requireComplete } from './link-draft.ts'
import { LinkFields } from './link-fields.tsx'

/** Its address and what it shows stay. */
export function ChangeLinkDialog({ link, collection, open, close, onClosed }: { link: Link; collection: Collection } & OverlayProps<void>) {
  const [draft, setDraft] = useState(() => draftOf(link))
  const change = useSetAtom(changeShareLinkAtom)
  const form = useSubmit(async () => {
    requireComplete(draft, link.password)
    const changes = changesOf(draft, Date.now(), link)
    if (Object.keys(changes).length > 0) await change(link, changes)
    close()
  })
  return (
    <FormDialog
      form={form}
      open={open}
      onCancel={close}
      onClosed={onClosed}
      title={t`Change the link`}
      description={t`Changes apply at once for everyone who has the link. After a new password, guests must enter it.`}
      action={<Trans>Save</Trans>}
    >
      <LinkFields
        draft={draft}
        onChange={setDraft}
        hasPassword={link.password}
        errors={form.fields}
        collection={collection}
        whole={link.kind === 'collection'}
      />
    </FormDialog>
  )
}
