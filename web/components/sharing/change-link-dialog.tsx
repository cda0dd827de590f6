import { useSetAtom } from 'jotai'
import { useState } from 'react'
import type { Link } from '../../../contract/links.ts'
import type { AnswerRole } from '../../../contract/policy.ts'
import type { OverlayProps } from '../../atoms/overlays.ts'
import { changeShareLinkAtom } from '../../atoms/share-links.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormFailure } from '../overlays/form-failure.tsx'
import { useSubmit } from '../overlays/use-submit.ts'
import { draftOf, settingsOf } from './link-draft.ts'
import { LinkFields } from './link-fields.tsx'

/** Its address and what it shows stay. */
export function ChangeLinkDialog({
  link,
  answers,
  open,
  close,
  onClosed,
}: { link: Link; answers: AnswerRole | null } & OverlayProps<void>) {
  const [draft, setDraft] = useState(() => draftOf(link))
  const change = useSetAtom(changeShareLinkAtom)
  const { busy, failure, fields, formRef, submit } = useSubmit(async () => {
    await change(link, settingsOf(draft, Date.now(), link))
    close()
  })
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => next || close()}
      onClosed={onClosed}
      title="Change the link"
      description="For everyone who has it, at once. A new password is asked for again."
      wrap={(content) => (
        <form ref={formRef} onSubmit={submit} noValidate className="flex min-h-0 flex-col">
          {content}
        </form>
      )}
      footer={
        <>
          <Button onClick={() => close()}>Cancel</Button>
          <Button type="submit" variant="primary" loading={busy}>
            Save
          </Button>
        </>
      }
    >
      <div className="grid gap-5">
        <FormFailure failure={failure} busy={busy} onRetry={submit} />
        <LinkFields draft={draft} onChange={setDraft} hasPassword={link.password} errors={fields} answers={answers} />
      </div>
    </Dialog>
  )
}
