import { type FormEvent, useState } from 'react'
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
      onOpenChange={(next) => next || close()}
      onClosed={onClosed}
      title={`Remove ${member}?`}
      description={`They will no longer see “${collection}”.`}
      size="sm"
      wrap={(content) => <form onSubmit={submit}>{content}</form>}
      footer={
        <>
          <Button autoFocus onClick={() => close()}>
            Cancel
          </Button>
          <Button type="submit" variant="danger">
            Remove
          </Button>
        </>
      }
    >
      <Checkbox
        checked={withItems}
        onCheckedChange={setWithItems}
        label="Also remove what they added"
        hint="Otherwise it stays, under their name. It remains theirs either way."
      />
    </Dialog>
  )
}
