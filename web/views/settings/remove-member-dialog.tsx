import { type FormEvent, useState } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import type { OverlayProps } from '../../atoms/overlays.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'

interface RemoveMemberDialogProps extends OverlayProps<'leave' | 'remove'> {
  member: string
  collection: string
}

/** Asks whether a member is to go, and whether what they added stays. */
export function RemoveMemberDialog({ member, collection, open, close, onClosed }: RemoveMemberDialogProps) {
  const [withItems, setWithItems] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    close(withItems ? 'remove' : 'leave')
  }
  return (
    <Dialog
      open={open}
      onClose={close}
      onClosed={onClosed}
      title={t`Remove ${member}?`}
      description={t`They will no longer see “${collection}”.`}
      size="sm"
      wrap={(content) => <form onSubmit={submit}>{content}</form>}
      footer={
        <>
          <Button autoFocus onClick={() => close()}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" variant="danger">
            <Trans>Remove</Trans>
          </Button>
        </>
      }
    >
      <Checkbox
        checked={withItems}
        onCheckedChange={setWithItems}
        label={t`Also remove what they added`}
        hint={t`Otherwise it stays, under their name. It remains theirs either way.`}
      />
    </Dialog>
  )
}
